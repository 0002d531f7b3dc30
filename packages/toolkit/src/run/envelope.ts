/** How a tool's outcome travels: `structuredContent` is the envelope, the text is for the model. */
import { type CallToolResult, type Executed, type JsonObject, toJsonSafe } from '@switchboard/protocol'
import type { ResultKind } from '../manifest/tool-declaration.ts'
import type { BudgetedResult } from './result-budget.ts'

export interface EnvelopeMeta {
  readonly requestId: string
  readonly traceId: string
  readonly tool: string
  /** ISO 8601. */
  readonly timestamp: string
  /** Milliseconds. */
  readonly duration: number
  /** Where the rest of a result is that was too long. */
  readonly truncated?: JsonObject
}

export interface ToolFailure {
  readonly code: string
  readonly message: string
  readonly hint: string
  readonly retryable: boolean
  /** Whether the tool ran. */
  readonly executed: Executed
  readonly details: Readonly<Record<string, unknown>>
}

export function createSuccessResult(kind: ResultKind, fitted: BudgetedResult, meta: EnvelopeMeta): CallToolResult {
  const { text, data, truncated } = fitted
  return {
    content: [{ type: 'text', text }],
    structuredContent: {
      ok: true,
      type: kind,
      ...(data === undefined ? {} : { data }),
      meta: truncated === undefined ? meta : { ...meta, truncated },
    },
  }
}

export function createFailureResult(failure: ToolFailure, meta: EnvelopeMeta): CallToolResult {
  const { code, message, hint, retryable, executed, details } = failure
  return {
    isError: true,
    content: [{ type: 'text', text: formatFailure(failure) }],
    structuredContent: {
      ok: false,
      type: 'error',
      error: { code, message, hint, executed, retryable, details: toJsonSafe(details) },
      meta,
    },
  }
}

/** `[code] message. hint` */
export function formatFailure({ code, message, hint }: Pick<ToolFailure, 'code' | 'message' | 'hint'>): string {
  const text = message.trim()
  const sentence = text === '' || /[.!?…]$/.test(text) ? text : `${text}.`
  return [`[${code}]`, sentence, hint].filter((part) => part !== '').join(' ')
}
