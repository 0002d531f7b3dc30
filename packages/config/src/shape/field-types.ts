/**
 * The types a value can have. Each knows how to read itself (reporting what is wrong), how to say what it expects, its
 * JSON Schema, and the TypeScript types of what is written and of what is read: so the checker, the schema, the
 * documentation and the types cannot drift apart.
 */
import { resolve } from 'node:path'
import { DURATION_PATTERN, MAX_DURATION_MS, MAX_DURATION_TEXT, nearestName, parseDuration } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import type { KeyPath, ProblemList } from '../problems.ts'
import { expandHome } from '../source/expand-home.ts'
import type { SourceNode } from '../source/source-node.ts'
import { type Environment, expandVariables, WORKSPACE_MARK, WORKSPACE_VARIABLE } from '../source/variables.ts'
import type { ObjectTable } from './object-type.ts'

export interface ReadContext {
  readonly problems: ProblemList
  readonly env: Environment
  /** keep: an unresolved variable stays as it is written. */
  readonly unresolved: 'refuse' | 'keep'
  /** Relative paths are resolved against it: the folder of the file. */
  readonly baseDirectory: string
  /** The text of a file that the configuration names. Throws what is wrong with it. Absent: no file is touched. */
  readonly readText?: ((path: string) => string) | undefined
}

/** Undefined instead of a reading: the problem has been reported. */
export interface Reading<T> {
  readonly value: T
}

/** `T` is what is read, `I` what is written: of a duration a number of milliseconds, and a text or a number. */
export interface FieldType<T, I = T> {
  /** Completes "Expected …". */
  readonly expected: string
  /** For the table in the documentation. */
  readonly short: string
  readonly schema: JsonObject
  /** The objects inside that the schema and the documentation describe apart. */
  readonly nested?: readonly NestedTable[]
  /** Never there: it carries the type of what is written. */
  readonly input?: I
  read(node: SourceNode, path: KeyPath, context: ReadContext): Reading<T> | undefined
}

export interface NestedTable {
  readonly table: ObjectTable
  /** From the value to the object, for the documentation: `.<name>`; empty: the value itself. */
  readonly below: string
}

interface RefuseOptions {
  readonly secret?: boolean
  readonly problem?: string
  readonly nearest?: string | undefined
}

/** The usual problem: "is the string "fast"". Of a secret only the type is told. */
export function refuse(
  context: ReadContext,
  node: SourceNode,
  path: KeyPath,
  expected: string,
  options: RefuseOptions = {},
): undefined {
  const { type, seen } = describeValue(node)
  const isShown = seen !== undefined && options.secret !== true
  const article = /^[aeiou]/.test(type) ? 'an' : 'a'
  const fact = isShown ? `is the ${type} ${seen}` : type === 'null' ? 'is null' : `is ${article} ${type}`
  context.problems.report({
    path,
    offset: node.offset,
    problem: options.problem ?? fact,
    expected,
    seen: isShown ? seen : type,
    nearest: options.nearest,
  })
}

function describeValue({ type, scalar }: SourceNode): { type: string; seen?: string } {
  if (typeof scalar === 'string') {
    return { type: 'string', seen: JSON.stringify(scalar.length > 60 ? `${scalar.slice(0, 60)}…` : scalar) }
  }
  if (typeof scalar === 'number') return { type: 'number', seen: String(scalar) }
  if (typeof scalar === 'boolean') return { type: 'value', seen: String(scalar) }
  return { type: type === 'other' ? 'value that JSON cannot hold' : type }
}

export const booleanType: FieldType<boolean> = {
  expected: 'true or false',
  short: 'boolean',
  schema: { type: 'boolean' },
  read: (node, path, context) =>
    typeof node.scalar === 'boolean' ? { value: node.scalar } : refuse(context, node, path, 'true or false'),
}

/** Any number that JSON can hold. */
export const numberType: FieldType<number> = {
  expected: 'a number',
  short: 'number',
  schema: { type: 'number' },
  read: (node, path, context) =>
    typeof node.scalar === 'number' ? { value: node.scalar } : refuse(context, node, path, 'a number'),
}

export function integerType(minimum: number, maximum: number): FieldType<number> {
  const expected = `a whole number from ${minimum} to ${maximum}`
  return {
    expected,
    short: `${minimum}–${maximum}`,
    schema: { type: 'integer', minimum, maximum },
    read: (node, path, context) => {
      const { scalar } = node
      const fits = typeof scalar === 'number' && Number.isInteger(scalar) && scalar >= minimum && scalar <= maximum
      return fits ? { value: scalar } : refuse(context, node, path, expected)
    },
  }
}

const DURATION_EXPECTED = `a duration such as "90s", "1500ms", "2m" or "1h", or a number of milliseconds, above zero and at most ${MAX_DURATION_TEXT}`
const DURATION_SCHEMA: JsonObject = {
  anyOf: [
    { type: 'string', pattern: DURATION_PATTERN },
    { type: 'number', exclusiveMinimum: 0, maximum: MAX_DURATION_MS },
  ],
}

/** "90s", "1500ms", "2m", "1h", "0.5s", or a number of milliseconds. */
export type DurationInput = string | number

export const durationType: FieldType<number, DurationInput> = {
  expected: DURATION_EXPECTED,
  short: 'duration',
  schema: DURATION_SCHEMA,
  read: (node, path, context) => {
    const value = parseDuration(node.scalar)
    return value === undefined ? refuse(context, node, path, DURATION_EXPECTED) : { value }
  },
}

/** undefined when it is switched off. */
export const durationOrOffType: FieldType<number | undefined, DurationInput | false> = {
  expected: `${DURATION_EXPECTED}; or "off"`,
  short: 'duration, "off" or false',
  schema: { anyOf: [DURATION_SCHEMA, { enum: ['off', false] }] },
  read: (node, path, context) => {
    if (node.scalar === 'off' || node.scalar === false) return { value: undefined }
    const value = parseDuration(node.scalar)
    return value === undefined ? refuse(context, node, path, durationOrOffType.expected) : { value }
  },
}

/** `aliases` are accepted but not advertised. */
export function choiceType<const T extends string | boolean>(
  values: readonly T[],
  aliases: readonly T[] = [],
): FieldType<T> {
  const shown = values.map((value) => JSON.stringify(value))
  const expected = `one of ${shown.join(', ')}`
  const accepted = [...values, ...aliases]
  return {
    expected,
    short: shown.join(', '),
    schema: { enum: accepted },
    read: (node, path, context) => {
      const value = accepted.find((candidate) => candidate === node.scalar)
      if (value !== undefined) return { value }
      const names = values.filter((candidate) => typeof candidate === 'string')
      const nearest = typeof node.scalar === 'string' ? nearestName(node.scalar, names) : undefined
      return refuse(context, node, path, expected, { nearest })
    },
  }
}

export interface TextOptions {
  readonly expected: string
  readonly short?: string
  /** Of the whole text, before expansion. */
  readonly pattern?: string
  /** For the JSON Schema alone, where the reader itself has more to say. */
  readonly schemaPattern?: string
  /** Whether a text of blanks only is refused. */
  readonly notEmpty?: boolean
  /** In characters. */
  readonly maxLength?: number
  /** Whether `${VAR}` is expanded. */
  readonly expands?: boolean
  /** Whether `${workspace}` may stand in it; what is read then holds the mark of it. */
  readonly takesWorkspace?: boolean
  /** Whether `~` at its start is the home directory. */
  readonly home?: boolean
  /** The value never appears in a message. */
  readonly secret?: boolean
  /** After expansion: what is wrong with the text, if anything. Must not quote it when it is secret. */
  readonly check?: (text: string) => string | undefined
}

export function textType(options: TextOptions): FieldType<string> {
  const { expected, secret = false } = options
  const pattern = options.pattern === undefined ? undefined : new RegExp(options.pattern, 'u')
  const schemaPattern = options.schemaPattern ?? options.pattern
  return {
    expected,
    short: options.short ?? 'string',
    schema: {
      type: 'string',
      ...(options.notEmpty === true ? { minLength: 1 } : {}),
      ...(options.maxLength === undefined ? {} : { maxLength: options.maxLength }),
      ...(schemaPattern === undefined ? {} : { pattern: schemaPattern }),
    },
    read: (node, path, context) => {
      const written = node.scalar
      if (typeof written !== 'string' || pattern?.test(written) === false) {
        return refuse(context, node, path, expected, { secret })
      }
      const text = options.expands === true ? expand(written, node, path, context, options) : written
      if (text === undefined) return undefined
      const problem = findTextProblem(text.replaceAll(WORKSPACE_MARK, WORKSPACE_VARIABLE), options)
      if (problem !== undefined) return refuse(context, node, path, expected, { secret, problem })
      return { value: options.home === true ? expandHome(text, context.env) : text }
    },
  }
}

function findTextProblem(text: string, { notEmpty, maxLength, check }: TextOptions): string | undefined {
  if (notEmpty === true && text.trim() === '') return 'is empty'
  if (maxLength !== undefined && text.length > maxLength) return `has ${text.length} characters`
  return check?.(text)
}

/** Of what is no variable nothing is quoted: it may be a secret in braces. */
function expand(
  written: string,
  node: SourceNode,
  path: KeyPath,
  context: ReadContext,
  { takesWorkspace = false }: TextOptions,
): string | undefined {
  const { text, unresolved, malformed } = expandVariables(
    written,
    context.env,
    takesWorkspace && context.unresolved === 'refuse',
  )
  const where = { path, offset: node.offset }
  for (const inner of malformed) {
    const [, name] = /^env:([A-Za-z_][A-Za-z0-9_]*)$/.exec(inner) ?? []
    context.problems.report({
      ...where,
      problem: 'holds a "${" that does not begin a variable',
      expected: `\${NAME} or \${NAME:-default}, with letters, digits and _ in the name; $\${ is a literal \${`,
      nearest: name === undefined ? undefined : `\${${name}}`,
    })
  }
  const missing = context.unresolved === 'keep' ? [] : [...new Set(unresolved)]
  for (const name of missing) {
    if (name === WORKSPACE_VARIABLE) {
      const problem = `holds \${${WORKSPACE_VARIABLE}}, which is each window's own`
      context.problems.report({ ...where, problem, expected: `it in "cwd", "args" and "env" of a local server only` })
      continue
    }
    context.problems.report({
      ...where,
      problem: `the variable ${name} is not set`,
      expected: `it in the environment, kept by \`switchboard secret set ${name}\`, or a default: \${${name}:-default}`,
      nearest: nearestName(name, Object.keys(context.env)),
    })
  }
  return malformed.length === 0 && missing.length === 0 ? text : undefined
}

/** Made absolute: relative to the folder of the file, `~` is the home directory. */
export function pathType(options: TextOptions): FieldType<string> {
  const text = textType({ ...options, home: true })
  return {
    ...text,
    read: (node, path, context) => {
      const reading = text.read(node, path, context)
      if (reading === undefined) return undefined
      // The window's folder is a whole path.
      if (reading.value.startsWith(WORKSPACE_MARK)) return reading
      return { value: resolve(context.baseDirectory, reading.value) }
    },
  }
}

/** Text that matches, or false. */
export function textOrFalseType(text: FieldType<string>): FieldType<string | false> {
  return {
    expected: `${text.expected}; or false`,
    short: `${text.short} or false`,
    schema: { anyOf: [text.schema, { const: false }] },
    read: (node, path, context) => {
      if (node.scalar === false) return { value: false }
      if (typeof node.scalar === 'string') return text.read(node, path, context)
      return refuse(context, node, path, `${text.expected}; or false`)
    },
  }
}
