import type { JsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'

/** What came out of a thread is data already: only its type says less. */
export const toJson = (value: object | null): JsonObject | null => value as JsonObject | null

export function readText(params: JsonObject, name: string): string | undefined {
  const value = params[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function needText(params: JsonObject, name: string): string {
  const text = readText(params, name)
  if (text === undefined) throw new ToolError('E_PLAYSET_NOT_FOUND', `"${name}" is missing`)
  return text
}

export function readNumber(params: JsonObject, name: string): number | undefined {
  const value = params[name]
  return typeof value === 'number' ? value : undefined
}
