import { readCount, readOptionalText } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'

const METHOD = 'lens'
/** Of rows, and of what comes before them. */
const MOST = 1_000_000

/** What came out of a thread is data already: only its type says less. */
export const toJson = (value: object | null): JsonObject | null => value as JsonObject | null

/** An empty one is none: so a filter says that everything is wanted. */
export function readFilter(params: JsonObject, name: string): string | undefined {
  return params[name] === '' ? undefined : readOptionalText(params, name, METHOD)
}

export function readRows(params: JsonObject, name: string, fallback: number): number {
  return readCount(params, name, METHOD, { fallback, most: MOST })
}
