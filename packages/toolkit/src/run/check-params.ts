/**
 * The parameters of a call: a copy with the defaults filled in, or every problem at once, each with the parameter's
 * name, what was expected and what was given. Nothing is converted: "5" is no integer, and the agent is told so.
 */
import { isJsonObject, type JsonObject, nearestName, withPlainNumbers } from '@switchboard/protocol'
import type { Ajv, ErrorObject, ValidateFunction } from 'ajv'
import { describeSchema, describeType, findSchema } from './describe-schema.ts'
import { fitsSchema } from './fits-schema.ts'

export interface ParameterProblem {
  /** As a path: `options.depth`, `items[2]`; empty for the parameters as a whole. */
  readonly parameter: string
  readonly problem: string
  readonly expected?: string
  readonly nearest?: string
}

export type CheckedParams =
  | { readonly params: JsonObject; readonly problems?: undefined }
  | { readonly problems: readonly ParameterProblem[] }

const MAX_PROBLEMS = 20
const MAX_QUOTED = 60
const MAX_LISTED = 12

/** Schemas are ours and were checked when they were generated: that they compile is certain. Each is compiled once. */
export class SchemaChecker {
  readonly #compiled = new WeakMap<JsonObject, ValidateFunction>()

  async checkParams(schema: JsonObject, given: unknown): Promise<CheckedParams> {
    // Defaults are written into what is checked; the caller's own object stays as it is.
    const copy = (): unknown => (given === undefined || given === null ? {} : structuredClone(withPlainNumbers(given)))
    const good = copy()
    if (fitsSchema(schema, good) && isJsonObject(good)) return { params: good }
    const params = copy()
    const validate = await this.#compile(schema)
    if (validate(params) && isJsonObject(params)) return { params }
    return { problems: describeProblems(validate.errors ?? [], schema, params) }
  }

  async #compile(schema: JsonObject): Promise<ValidateFunction> {
    let validate = this.#compiled.get(schema)
    if (validate === undefined) {
      validate = await compileSchema(schema)
      this.#compiled.set(schema, validate)
    }
    return validate
  }
}

/**
 * Ajv is loaded for the first call that it has to judge, not when a pack is imported. Checking that a schema is one would
 * cost ten times the rest: that was done when it was generated.
 */
export async function compileSchema(schema: JsonObject): Promise<ValidateFunction> {
  ajv ??= import('ajv/dist/2020.js').then(({ Ajv2020 }) => new Ajv2020(OPTIONS))
  return (await ajv).compile(schema)
}

const OPTIONS = {
  allErrors: true,
  useDefaults: true,
  strict: false,
  validateFormats: false,
  validateSchema: false,
  addUsedSchema: false,
  verbose: true,
} as const
let ajv: Promise<Pick<Ajv, 'compile'>> | undefined

export function describeProblems(
  errors: readonly ErrorObject[],
  schema: JsonObject,
  whole: unknown,
): ParameterProblem[] {
  if (!isJsonObject(whole)) {
    return [{ parameter: '', problem: `the parameters must be an object, not ${quote(whole)}`, expected: 'an object' }]
  }
  const problems = new Map<string, ParameterProblem>()
  for (const error of errors) {
    const problem = describeProblem(error, errors, schema)
    const key = `${problem.parameter}\0${problem.problem}`
    if (!problems.has(key)) problems.set(key, problem)
    if (problems.size === MAX_PROBLEMS) break
  }
  return [...problems.values()]
}

/** `line is required (an integer, at least 1); depth is not a parameter` */
export function formatProblems(problems: readonly ParameterProblem[]): string {
  return problems.map(({ parameter, problem }) => (parameter === '' ? problem : `${parameter} ${problem}`)).join('; ')
}

function describeProblem(error: ErrorObject, all: readonly ErrorObject[], schema: JsonObject): ParameterProblem {
  const at = toPath(error.instancePath)
  const inside = (name: string): string => (at === '' ? name : `${at}.${name}`)
  const params: JsonObject = error.params
  switch (error.keyword) {
    case 'required': {
      const name = String(params.missingProperty)
      const expected = describeSchema(findSchema(schema, error.instancePath, name))
      // What was written instead is the best hint there is: an unknown name that is close.
      const written = nearestName(name, listUnknown(all, error.instancePath))
      const given = written === undefined ? '' : `; ${JSON.stringify(written)} was given`
      return { parameter: inside(name), problem: `is required (${expected})${given}`, expected }
    }
    case 'additionalProperties': {
      const name = String(params.additionalProperty)
      const known = listKnown(schema, error.instancePath)
      const nearest = nearestName(name, known)
      const problem = `is not a parameter${describeKnown(known, nearest)}`
      return { parameter: inside(name), problem, ...(nearest === undefined ? {} : { nearest }) }
    }
    case 'enum': {
      const allowed = Array.isArray(params.allowedValues) ? params.allowedValues : []
      const nearest = nearestName(String(error.data), allowed.map(String))
      const expected = `one of ${allowed.map((value) => JSON.stringify(value)).join(', ')}`
      const suggestion = nearest === undefined ? '' : ` (did you mean ${JSON.stringify(nearest)}?)`
      return {
        parameter: at,
        problem: `must be ${expected}, not ${quote(error.data)}${suggestion}`,
        expected,
        ...(nearest === undefined ? {} : { nearest }),
      }
    }
    case 'type': {
      const expected = describeType(params.type)
      return { parameter: at, problem: `must be ${expected}, not ${quote(error.data)}`, expected }
    }
    default: {
      const expected = describeSchema(findSchema(schema, error.instancePath))
      return { parameter: at, problem: `must be ${expected}, not ${quote(error.data)}`, expected }
    }
  }
}

function listUnknown(errors: readonly ErrorObject[], instancePath: string): string[] {
  return errors
    .filter((error) => error.keyword === 'additionalProperties' && error.instancePath === instancePath)
    .map((error) => String(error.params.additionalProperty))
}

function listKnown(schema: JsonObject, pointer: string): string[] {
  const here = findSchema(schema, pointer)
  return isJsonObject(here?.properties) ? Object.keys(here.properties) : []
}

function describeKnown(known: readonly string[], nearest: string | undefined): string {
  if (nearest !== undefined) return ` (did you mean ${JSON.stringify(nearest)}?)`
  if (known.length === 0) return ' (there are none)'
  return ` (known: ${known.slice(0, MAX_LISTED).join(', ')}${known.length > MAX_LISTED ? ', …' : ''})`
}

/** Enough of a value to recognise it. */
function quote(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text
}

function toPath(pointer: string): string {
  let path = ''
  for (const step of readSteps(pointer)) {
    if (/^\d+$/.test(step)) path += `[${step}]`
    else path += path === '' ? step : `.${step}`
  }
  return path
}

function readSteps(pointer: string): string[] {
  return pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}
