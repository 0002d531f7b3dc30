/** What a person's command is given comes from our own command, checked there for people; here, so that nothing else gets in. */
import { createArgumentsError, describeWrongValue } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'

/** `most`: characters. */
export function readText(params: JsonObject, name: string, most = Number.POSITIVE_INFINITY): string {
  const value = params[name]
  if (typeof value !== 'string' || value === '') throw createProblem(name, 'a text that is not empty', value)
  if (value.length <= most) return value
  throw createProblem(name, `at most ${most} characters`, value.length)
}

export function readOptionalText(params: JsonObject, name: string, most?: number): string | undefined {
  return params[name] === undefined ? undefined : readText(params, name, most)
}

export function readTexts(params: JsonObject, name: string): readonly string[] {
  const value = params[name] ?? []
  if (Array.isArray(value) && value.every((text) => typeof text === 'string')) return value
  throw createProblem(name, 'a list of texts', value)
}

export function readCount(params: JsonObject, name: string, fallback: number, most: number): number {
  const value = params[name] ?? fallback
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most) return value
  throw createProblem(name, `an integer from 0 to ${most}`, value)
}

function createProblem(name: string, expected: string, seen: unknown): SwitchboardError {
  return createArgumentsError('memory', [describeWrongValue(name, expected, seen)])
}
