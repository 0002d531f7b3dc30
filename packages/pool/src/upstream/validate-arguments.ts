/**
 * Checks a call's arguments against the tool's own input schema before anything is sent. A schema is compiled on its
 * first use and kept as long as the tool it belongs to. A schema that cannot be compiled is the server's fault,
 * not the caller's: then nothing is checked.
 */
import {
  isJsonObject,
  type JsonObject,
  nearestName,
  SwitchboardError,
  type Tool,
  withPlainNumbers,
} from '@switchboard/protocol'
import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv'

export interface FieldProblem {
  /** As a path: `options.depth`, `items[2]`; empty for the arguments as a whole. */
  readonly field: string
  readonly problem: string
  readonly expected?: unknown
  readonly nearest?: string
}

type Compile = (schema: JsonObject) => ValidateFunction
type Draft = '07' | '2019' | '2020'
type AjvClass = new (options: Options) => Pick<Ajv, 'compile' | 'validateSchema'>
type Verdict = ValidateFunction | { readonly unusable: string }

/** A schema larger than this is not worth the seconds that compiling it would take. */
const MAX_SCHEMA_CHARACTERS = 512 * 1024
const MAX_PROBLEMS = 20

export class ArgumentValidator {
  readonly #compiled = new WeakMap<JsonObject, Verdict>()
  /** The first users of a tool share one compilation. */
  readonly #compiling = new WeakMap<JsonObject, Promise<Verdict>>()
  readonly #onUnusable: (tool: Tool, reason: string) => void

  constructor(onUnusable: (tool: Tool, reason: string) => void) {
    this.#onUnusable = onUnusable
  }

  /** Throws `invalid_arguments`. A promise is returned only the first time a tool is used. */
  check(tool: Tool, args: unknown): Promise<void> | undefined {
    const known = this.#compiled.get(tool.inputSchema)
    if (known === undefined) return this.#compileOnce(tool).then((verdict) => this.#judge(verdict, tool, args))
    this.#judge(known, tool, args)
    return undefined
  }

  #judge(known: Verdict, tool: Tool, args: unknown): void {
    if (typeof known !== 'function' || known(withPlainNumbers(args) ?? {})) return
    const problems = describeProblems(known.errors ?? [], tool.inputSchema)
    const list = problems.map(({ field, problem }) => (field === '' ? problem : `${field}: ${problem}`)).join('; ')
    throw new SwitchboardError('invalid_arguments', `The arguments of ${tool.name} are wrong: ${list}`, {
      details: { fields: problems },
    })
  }

  #compileOnce(tool: Tool): Promise<Verdict> {
    const { inputSchema } = tool
    const underWay = this.#compiling.get(inputSchema)
    if (underWay !== undefined) return underWay
    const compiling = this.#compile(tool)
    this.#compiling.set(inputSchema, compiling)
    return compiling
  }

  async #compile(tool: Tool): Promise<Verdict> {
    const schema = tool.inputSchema
    let verdict: Verdict
    try {
      if (JSON.stringify(schema).length > MAX_SCHEMA_CHARACTERS) throw new Error('it is too large')
      const compile = await loadCompiler(schema.$schema)
      verdict = compile(withPlainNumbers(schema))
    } catch (error) {
      verdict = { unusable: error instanceof Error ? error.message : String(error) }
      this.#onUnusable(tool, verdict.unusable)
    }
    this.#compiled.set(schema, verdict)
    return verdict
  }
}

/** Strictness is off: schemas in the wild hold keywords of their own. `format` is an annotation, as the drafts say. */
const OPTIONS = { strict: false, allErrors: true, validateFormats: false, logger: false, addUsedSchema: false } as const

/** Ajv is loaded when the first tool is called, not when the pool is imported. Without `$schema` 2020-12 holds, as MCP says. */
function loadCompiler(dialect: unknown): Promise<Compile> {
  const name = typeof dialect === 'string' ? dialect : ''
  const draft =
    name.includes('draft-07') || name.includes('draft-06') ? '07' : name.includes('2019-09') ? '2019' : '2020'
  compilers[draft] ??= loadAjv(draft).then(createCompiler)
  return compilers[draft]
}

const compilers: { [draft in Draft]?: Promise<Compile> } = {}

async function loadAjv(draft: Draft): Promise<AjvClass> {
  if (draft === '07') return (await import('ajv')).Ajv
  if (draft === '2019') return (await import('ajv/dist/2019.js')).Ajv2019
  return (await import('ajv/dist/2020.js')).Ajv2020
}

/**
 * A schema has an instance of its own, since the `$id`s inside of two may be the same. That it is a schema at all is
 * checked by one instance for all, because compiling the dialect's own schema takes ten times as long as the rest.
 */
function createCompiler(Ajv: AjvClass): Compile {
  const judge = new Ajv(OPTIONS)
  return (schema) => {
    const own = withoutDialect(schema)
    judge.validateSchema(own, true)
    return new Ajv({ ...OPTIONS, validateSchema: false }).compile(own)
  }
}

/**
 * A dialect's name may be written in several ways (http, https, a trailing #); it was read already. `$async` is Ajv's
 * own: with it a verdict would be a promise, whose rejection nobody handles.
 */
function withoutDialect(schema: JsonObject): JsonObject {
  const { $schema: _dialect, $id: _id, $async: _async, ...rest } = schema
  return rest
}

function describeProblems(errors: readonly ErrorObject[], schema: JsonObject): FieldProblem[] {
  const problems: FieldProblem[] = []
  const seen = new Set<string>()
  for (const error of errors) {
    const problem = describeProblem(error, errors, schema)
    const key = `${problem.field}\0${problem.problem}`
    if (seen.has(key)) continue
    seen.add(key)
    problems.push(problem)
    if (problems.length === MAX_PROBLEMS) break
  }
  return problems
}

function describeProblem(error: ErrorObject, all: readonly ErrorObject[], schema: JsonObject): FieldProblem {
  const params: JsonObject = error.params
  const at = toPath(error.instancePath)
  const inside = (name: unknown): string => (at === '' ? String(name) : `${at}.${String(name)}`)
  switch (error.keyword) {
    case 'required': {
      const name = String(params.missingProperty)
      // What was written instead is the best hint there is: an unknown name that is close.
      const unknown = all.filter(
        (other) => other.keyword === 'additionalProperties' && other.instancePath === error.instancePath,
      )
      const nearest = nearestName(
        name,
        unknown.map((other) => String((other.params as JsonObject).additionalProperty)),
      )
      const expected = readExpected(schema, error.instancePath, name)
      const problem = `is required${expected === undefined ? '' : ` (${describeExpected(expected)})`}${nearest === undefined ? '' : `; "${nearest}" was given`}`
      return { field: inside(name), problem, ...(expected === undefined ? {} : { expected }) }
    }
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params.additionalProperty ?? params.unevaluatedProperty)
      const known = Object.keys(readProperties(schema, error.instancePath))
      const nearest = nearestName(name, known)
      const problem = `is not a known field${nearest === undefined ? (known.length === 0 ? '' : `; known: ${known.slice(0, 12).join(', ')}`) : `; did you mean "${nearest}"?`}`
      return { field: inside(name), problem, ...(nearest === undefined ? {} : { nearest }) }
    }
    case 'type':
      return { field: at, problem: `must be ${describeExpected(params.type)}`, expected: params.type }
    case 'enum': {
      const allowed = Array.isArray(params.allowedValues) ? params.allowedValues : []
      const text = allowed
        .slice(0, 12)
        .map((value) => JSON.stringify(value))
        .join(', ')
      return { field: at, problem: `must be one of ${text}`, expected: params.allowedValues }
    }
    case 'const':
      return { field: at, problem: `must be ${JSON.stringify(params.allowedValue)}`, expected: params.allowedValue }
    default:
      return { field: at, problem: error.message ?? `fails "${error.keyword}"` }
  }
}

function describeExpected(expected: unknown): string {
  return Array.isArray(expected) ? expected.join(' or ') : String(expected)
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
  if (pointer === '') return []
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
}

/** Follows plain `properties` and `items`; where the schema is more than that, nothing is suggested. */
function readProperties(schema: JsonObject, pointer: string): JsonObject {
  let here: unknown = schema
  for (const step of readSteps(pointer)) {
    if (!isJsonObject(here)) return {}
    const properties = here.properties
    here = isJsonObject(properties) && Object.hasOwn(properties, step) ? properties[step] : here.items
  }
  return isJsonObject(here) && isJsonObject(here.properties) ? here.properties : {}
}

function readExpected(schema: JsonObject, pointer: string, name: string): unknown {
  const property = readProperties(schema, pointer)[name]
  return isJsonObject(property) ? property.type : undefined
}
