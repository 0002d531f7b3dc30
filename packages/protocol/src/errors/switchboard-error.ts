import { errorMessage } from '@switchboard/base'
import { ERROR_CATALOGUE, type ErrorCode } from './catalogue.ts'
import { type ErrorCategory, type ErrorEntry, type Executed, HTTP_STATUS } from './error-entry.ts'

export interface SwitchboardErrorOptions {
  /** Overrides the catalogue's hint where a more exact next step is known. */
  hint?: string
  executed?: Executed
  retryable?: boolean
  retryAfterMs?: number
  details?: Record<string, unknown>
  cause?: unknown
}

/** What an agent gets to see of a failure: of an error of ours, or of a code that a tool declares. */
export interface ErrorReport {
  readonly code: string
  readonly category: ErrorCategory
  readonly message: string
  readonly hint: string
  readonly executed: Executed
  readonly retryable: boolean
  readonly retryAfterMs: number | null
  readonly details: Readonly<Record<string, unknown>>
}

/** Every failure that leaves a part of Switchboard is exactly one of these. */
export class SwitchboardError extends Error {
  override readonly name = 'SwitchboardError'
  readonly code: ErrorCode
  readonly category: ErrorCategory
  readonly family: ErrorEntry['family']
  readonly rpcCode: number
  readonly hint: string
  readonly executed: Executed
  readonly retryable: boolean
  readonly retryAfterMs: number | null
  readonly details: Record<string, unknown>

  constructor(code: ErrorCode, message: string, options: SwitchboardErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    const entry: ErrorEntry = ERROR_CATALOGUE[code]
    this.code = code
    this.category = entry.category
    this.family = entry.family
    this.rpcCode = entry.rpcCode
    this.hint = options.hint ?? fillHint(entry.hint, options)
    this.executed = options.executed ?? entry.executed
    this.retryable = options.retryable ?? entry.retryable
    this.retryAfterMs = options.retryAfterMs ?? null
    this.details = options.details ?? {}
  }

  get httpStatus(): number {
    return HTTP_STATUS[this.category]
  }

  /** What an agent gets to see: no stack, no cause. */
  toReport(): ErrorReport {
    const { code, category, message, hint, executed, retryable, retryAfterMs, details } = this
    return { code, category, message, hint, executed, retryable, retryAfterMs, details }
  }
}

/** A hint of the catalogue speaks of members; whoever reads it is told what is in them, where that is known. */
function fillHint(hint: string, { retryAfterMs, details }: SwitchboardErrorOptions): string {
  const filled = retryAfterMs === undefined ? hint : hint.replace('`retryAfterMs`', formatWait(retryAfterMs))
  const server = details?.server
  return typeof server === 'string' ? filled.replaceAll('<name>', server) : filled
}

function formatWait(milliseconds: number): string {
  return milliseconds < 1_000 ? `${Math.ceil(milliseconds)} ms` : `${Math.ceil(milliseconds / 100) / 10} s`
}

/** Anything thrown that is not ours is our bug until proven otherwise; the caller is never blamed for it. */
export function toSwitchboardError(thrown: unknown): SwitchboardError {
  if (thrown instanceof SwitchboardError) return thrown
  const message = errorMessage(thrown)
  return new SwitchboardError('internal', message, { cause: thrown })
}
