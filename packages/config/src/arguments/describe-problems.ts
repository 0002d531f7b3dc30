/**
 * What is wrong with the arguments of a call, in words: each field with what was expected, what was given and the nearest
 * known name. The one describer, so that a wrong argument reads the same from a server, a pack and our own tools. A value
 * is shown only where it cannot be a secret; texts that servers and callers wrote are cut.
 */
import { holdsNamesOnly, judgeName, nearestName } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { ErrorObject } from 'ajv'
import { describeSchema, describeType, findSchema, listChoices } from './describe-schema.ts'
import { readPointer, valueAt } from './json-pointer.ts'

export interface FieldProblem {
  /** As a path: `options.depth`, `items[2]`; empty for the arguments as a whole. */
  readonly field: string
  readonly problem: string
  /** In words. */
  readonly expected?: string
  readonly nearest?: string
}

const MAX_PROBLEMS = 20
/** Looking at one may mean looking at all of them. */
const MAX_ERRORS = 100
const MAX_QUOTED = 60
const MAX_LISTED = 12
const MAX_FIELD = 200
const MAX_TEXT = 400

/** The keywords that `describeSchema` has words for. */
const DESCRIBED = new Set(['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems', 'pattern'])

/** The failure of a call whose arguments do not fit the schema. */
export function createArgumentsError(tool: string, fields: readonly FieldProblem[]): SwitchboardError {
  return new SwitchboardError('invalid_arguments', `The arguments of ${tool} are wrong: ${formatProblems(fields)}`, {
    details: { fields },
  })
}

/** For what a tool finds wrong that its schema cannot say: the same words. An absent value is required. */
export function describeWrongValue(field: string, expected: string, value: unknown): FieldProblem {
  const problem =
    value === undefined ? `is required (${expected})` : `must be ${expected}, not ${quote(value, [field])}`
  return { field, problem, expected }
}

/** `line is required (an integer, at least 1); depth is not a parameter` */
export function formatProblems(problems: readonly FieldProblem[]): string {
  return problems.map(({ field, problem }) => `${field === '' ? 'they' : field} ${problem}`).join('; ')
}

export function describeProblems(all: readonly ErrorObject[], schema: JsonObject, args: unknown): FieldProblem[] {
  const problems = new Map<string, FieldProblem>()
  const errors = all.slice(0, MAX_ERRORS)
  for (const error of errors) {
    const { field, problem, ...rest } = describeProblem(error, errors, schema, args)
    const cut = { field: shorten(field, MAX_FIELD), problem: shorten(problem, MAX_TEXT), ...rest }
    problems.set(`${cut.field}\0${cut.problem}`, cut)
    if (problems.size === MAX_PROBLEMS) break
  }
  return [...problems.values()]
}

function describeProblem(
  error: ErrorObject,
  all: readonly ErrorObject[],
  schema: JsonObject,
  args: unknown,
): FieldProblem {
  const { keyword, instancePath } = error
  const steps = readPointer(instancePath)
  const params: JsonObject = error.params
  const given = (): string => {
    const value = valueAt(args, steps)
    // Of a text that is too long its beginning tells nothing.
    return keyword === 'maxLength' && isText(value) ? `one of ${[...value].length}` : quote(value, steps)
  }
  const mustBe = (expected: string, nearest?: string): FieldProblem => ({
    field: toPath(steps),
    problem: `must be ${expected}, not ${given()}${suggest(nearest)}`,
    expected,
    ...(nearest === undefined ? {} : { nearest }),
  })
  switch (keyword) {
    case 'required':
      return describeMissing(String(params.missingProperty), error, all, schema)
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty)
      const { properties } = findSchema(schema, steps) ?? {}
      const known = isJsonObject(properties) ? Object.keys(properties) : []
      const nearest = nearestName(name, known)
      const problem = `is not a parameter${nearest === undefined ? describeKnown(known) : suggest(nearest)}`
      return { field: toPath([...steps, name]), problem, ...(nearest === undefined ? {} : { nearest }) }
    }
    case 'enum': {
      const allowed = Array.isArray(params.allowedValues) ? params.allowedValues : []
      const value = valueAt(args, steps)
      const nearest = typeof value === 'string' ? nearestName(value, allowed.filter(isText)) : undefined
      return mustBe(listChoices(allowed, MAX_LISTED), nearest)
    }
    case 'const':
      return mustBe(JSON.stringify(params.allowedValue))
    case 'type':
      return mustBe(describeType(params.type))
    default: {
      const expected = DESCRIBED.has(keyword) ? describeSchema(findSchema(schema, steps), MAX_LISTED) : undefined
      if (expected !== undefined) return mustBe(expected)
      return { field: toPath(steps), problem: error.message ?? `does not fit "${keyword}"` }
    }
  }
}

/** What was written instead is the best hint there is: an unknown name that is close. */
function describeMissing(
  name: string,
  { instancePath }: ErrorObject,
  all: readonly ErrorObject[],
  schema: JsonObject,
): FieldProblem {
  const steps = [...readPointer(instancePath), name]
  const expected = describeSchema(findSchema(schema, steps), MAX_LISTED)
  const unknown = all.filter((other) => other.keyword === 'additionalProperties' && other.instancePath === instancePath)
  const written = nearestName(
    name,
    unknown.map((other) => String(other.params.additionalProperty)),
  )
  const what = expected === undefined ? '' : ` (${expected})`
  const instead = written === undefined ? '' : `; ${JSON.stringify(written)} was given`
  const problem = `is required${what}${instead}`
  return { field: toPath(steps), problem, ...(expected === undefined ? {} : { expected }) }
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function suggest(nearest: string | undefined): string {
  return nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`
}

function describeKnown(known: readonly string[]): string {
  if (known.length === 0) return ' (there are none)'
  return ` (known: ${known.slice(0, MAX_LISTED).join(', ')}${known.length > MAX_LISTED ? ', …' : ''})`
}

/** Enough of a value to recognise it; of what may be a secret, or hold one, only what kind of value it is. */
function quote(value: unknown, steps: readonly string[]): string {
  if (Array.isArray(value)) return `an array of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  if (value === undefined) return 'nothing'
  const isShown = value === null || typeof value === 'boolean' || steps.every((step) => isPlain(step, value))
  return isShown ? shorten(JSON.stringify(value) ?? String(value), MAX_QUOTED) : describeType(typeof value)
}

function isPlain(name: string, value: unknown): boolean {
  const verdict = judgeName(name)
  if (typeof value === 'number') return verdict !== 'secret'
  return verdict === 'plain' && !holdsNamesOnly(name)
}

function shorten(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most)}…` : text
}

function toPath(steps: readonly string[]): string {
  let path = ''
  for (const step of steps) {
    if (/^\d+$/.test(step)) path += `[${step}]`
    else path += path === '' ? step : `.${step}`
  }
  return path
}
