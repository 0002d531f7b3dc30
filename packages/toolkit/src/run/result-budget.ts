/**
 * What of a result the agent reads at once. A text or data over the budget is cut, the rest is stored, and the result
 * says how to read it. Data is left out of the structured content rather than cut: half an object is no object.
 */
import type { JsonObject } from '@switchboard/protocol'
import { cutToBytes, type ResultStore, type StoredResult } from './result-store.ts'
import type { ToolOutcome } from './tool-context.ts'

export interface Budget {
  readonly maxBytes: number
  readonly store: ResultStore
  readonly owner: string
  toUri(id: string): string
}

export interface BudgetedResult {
  readonly text: string
  /** Absent: it was too long. */
  readonly data?: unknown
  readonly truncated?: JsonObject
}

export function fitToBudget({ data, text: own }: ToolOutcome, budget: Budget): BudgetedResult {
  const { maxBytes } = budget
  // A tool that says it all in its text, and has no data, has nothing to write as JSON.
  const json = JSON.stringify(data) ?? 'null'
  const text = own ?? json
  const isTextLong = Buffer.byteLength(text) > maxBytes
  const isDataLong = Buffer.byteLength(json) > maxBytes
  if (!isTextLong && !isDataLong) return { text, data }
  const stored = isDataLong
    ? budget.store.add(budget.owner, json, 'application/json')
    : budget.store.add(budget.owner, text, 'text/plain')
  const uri = budget.toUri(stored.id)
  const shown = isTextLong ? cutAtLine(text, maxBytes) : text
  const isStart = isTextLong && stored.text.startsWith(shown)
  return {
    text: `${shown}${shown.endsWith('\n') ? '\n' : '\n\n'}${createNotice(stored, uri, isStart ? shown.length : undefined)}`,
    ...(isDataLong ? {} : { data }),
    truncated: { uri, bytes: stored.bytes, mimeType: stored.mimeType, ...(isStart ? { offset: shown.length } : {}) },
  }
}

/** `offset`: where in the stored text what was shown ends; undefined when what is stored is not its continuation. */
function createNotice(stored: StoredResult, uri: string, offset: number | undefined): string {
  const kept = stored.text.length
  const isWhole = Buffer.byteLength(stored.text) === stored.bytes
  const what =
    offset === undefined ? `The data, ${stored.bytes} bytes of JSON,` : `Cut here; the whole, ${stored.bytes} bytes,`
  const end = isWhole ? '' : ` Only the first ${kept} characters of it were kept.`
  return `[${what} can be read as the resource ${uri}?offset=${offset ?? 0}&length=16000 (in characters).${end}]`
}

/** Ends at a line where one ends near, so that no line is half there. */
function cutAtLine(text: string, maxBytes: number): string {
  const cut = cutToBytes(text, maxBytes)
  const lineEnd = cut.lastIndexOf('\n')
  return lineEnd > cut.length * 0.8 ? cut.slice(0, lineEnd + 1) : cut
}
