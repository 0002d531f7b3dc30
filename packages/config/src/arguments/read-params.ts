/** Reads the parameters of what our own programs ask of each other. What is wrong with them is `invalid_arguments`, by name. */
import { MAX_DURATION_MS } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError, type SwitchboardErrorOptions } from '@switchboard/protocol/errors'
import { createArgumentsError, describeWrongValue } from './describe-problems.ts'

/** `most`: characters. */
export function readText(params: JsonObject, name: string, method: string, most = Number.POSITIVE_INFINITY): string {
  const value = params[name]
  if (typeof value !== 'string' || value === '' || value.includes('\0')) {
    throw createParamError(method, name, 'a text that is not empty', value)
  }
  if (value.length <= most) return value
  throw createParamError(method, name, `at most ${most} characters`, value.length)
}

export function readOptionalText(params: JsonObject, name: string, method: string, most?: number): string | undefined {
  return params[name] === undefined ? undefined : readText(params, name, method, most)
}

export function readTexts(params: JsonObject, name: string, method: string): string[] {
  const value = params[name]
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
  if (isList && value.length > 0) return value
  throw createParamError(method, name, 'a list of texts, with at least one', value)
}

/** Absent: none. */
export function readOptionalTexts(params: JsonObject, name: string, method: string): string[] {
  const value = params[name] ?? []
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value
  throw createParamError(method, name, 'a list of texts', value)
}

export function readChoice<const T extends string>(
  params: JsonObject,
  name: string,
  method: string,
  choices: readonly T[],
  fallback: T,
): T {
  const value = params[name]
  if (value === undefined) return fallback
  const found = choices.find((choice) => choice === value)
  if (found !== undefined) return found
  throw createParamError(method, name, `one of ${choices.join(', ')}`, value)
}

export function readObject(params: JsonObject, name: string, method: string): JsonObject {
  const value = params[name]
  if (isJsonObject(value)) return value
  throw createParamError(method, name, 'an object', value)
}

export function readCount(
  params: JsonObject,
  name: string,
  method: string,
  { fallback, most }: { readonly fallback: number; readonly most: number },
): number {
  const value = params[name] ?? fallback
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value
  throw createParamError(method, name, `an integer from 0 to ${most}`, value)
}

export function readMilliseconds(params: JsonObject, name: string, method: string): number | undefined {
  const value = params[name]
  if (value === undefined) return undefined
  if (typeof value === 'number' && value >= 0 && value <= MAX_DURATION_MS) return value
  throw createParamError(method, name, `milliseconds from 0 to ${MAX_DURATION_MS}`, value)
}

export function readFlag(params: JsonObject, name: string, method: string, fallback: boolean): boolean {
  const value = params[name]
  if (value === undefined) return fallback
  if (typeof value === 'boolean') return value
  throw createParamError(method, name, 'true or false', value)
}

/** In the words of the one describer. */
export function createParamError(
  method: string,
  name: string,
  expected: string,
  seen: unknown,
  options: SwitchboardErrorOptions = {},
): SwitchboardError {
  const { code, message, details } = createArgumentsError(method, [describeWrongValue(name, expected, seen)])
  return new SwitchboardError(code, message, { details: { method, ...details }, ...options })
}
