/**
 * Makes any value safe to log: secrets masked, strings cut, everything bounded, and nothing it meets (a cycle, a getter
 * that throws, a revoked proxy) can make it throw.
 */
import { errorMessage, holdsNamesOnly, judgeName, looksLikePath } from '@switchboard/base'
import { maskArgument } from './mask-arguments.ts'
import { cleanText, MASK } from './mask-text.ts'

export interface MaskOptions {
  /** Keeps the stacks of errors. Default false. */
  readonly keepStacks?: boolean
}

const MAX_DEPTH = 8
const MAX_MEMBERS = 100
/** Characters of text in one value altogether: a line of the log stays readable. */
const MAX_TOTAL = 65_536
/** Values in one value altogether, counted at every level. */
const MAX_NODES = 2_000
const MAX_NAME = 200
/** What is longer is no argument of a command. */
const MAX_ARGUMENT = 4_096

interface Walk {
  readonly keepStacks: boolean
  /** From the root to here: a value met twice in different places is no cycle. */
  readonly ancestors: object[]
  characters: number
  nodes: number
}

export function maskSecrets(value: unknown, options: MaskOptions = {}): unknown {
  const walk: Walk = { keepStacks: options.keepStacks ?? false, ancestors: [], characters: MAX_TOTAL, nodes: MAX_NODES }
  return maskValue(value, walk)
}

function maskValue(value: unknown, walk: Walk): unknown {
  walk.nodes--
  switch (typeof value) {
    case 'string':
      return takeText(value, walk)
    case 'number':
      return Number.isFinite(value) ? value : String(value)
    case 'bigint':
      return value.toString()
    case 'symbol':
      return takeText(value.toString(), walk)
    case 'function':
      return '[function]'
    case 'object':
      return value === null ? null : maskObject(value, walk)
    default:
      return value
  }
}

function maskObject(value: object, walk: Walk): unknown {
  if (walk.ancestors.includes(value)) return '[circular]'
  if (walk.ancestors.length >= MAX_DEPTH) return '[too deep]'
  walk.ancestors.push(value)
  try {
    return maskKnownObject(value, walk)
  } catch (error) {
    return describeThrow(error)
  } finally {
    walk.ancestors.pop()
  }
}

function maskKnownObject(value: object, walk: Walk): unknown {
  if (Array.isArray(value)) return maskArray(value, walk)
  if (value instanceof Error) return maskError(value, walk)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`
  if (value instanceof Map) return maskMembers([...take(value, MAX_MEMBERS)], value.size, walk)
  if (value instanceof Set) return maskArray([...take(value, MAX_MEMBERS)], walk, value.size)
  if (value instanceof URL || value instanceof URLSearchParams || value instanceof RegExp) {
    return takeText(String(value), walk)
  }
  const names = Object.keys(value)
  const members = names.slice(0, MAX_MEMBERS).map((name): [string, unknown] => [name, readMember(value, name)])
  return maskMembers(members, names.length, walk)
}

function maskArray(values: readonly unknown[], walk: Walk, size: number = values.length): unknown[] {
  const masked: unknown[] = []
  for (let index = 0; index < Math.min(values.length, MAX_MEMBERS) && walk.nodes > 0; index++) {
    const previous = index > 0 ? values[index - 1] : undefined
    const value = values[index]
    // Arguments of a command: ['--token', 'value'], ['--key=value'].
    const before = typeof previous === 'string' && previous.startsWith('-') ? previous : undefined
    const isArgument =
      typeof value === 'string' && value.length <= MAX_ARGUMENT && (before !== undefined || value.startsWith('-'))
    masked.push(maskValue(isArgument ? maskArgument(value, before) : value, walk))
  }
  if (size > masked.length) masked.push(`[${size - masked.length} more]`)
  return masked
}

function maskMembers(members: readonly (readonly [unknown, unknown])[], size: number, walk: Walk): object {
  const masked: Record<string, unknown> = {}
  let count = 0
  for (const [key, value] of members) {
    if (walk.nodes <= 0) break
    count++
    const raw = typeof key === 'string' ? key : typeof key === 'object' ? '[object]' : String(key)
    const name = cleanText(raw, MAX_NAME)
    // Defined, not assigned: a member called __proto__ is data like any other.
    const result = maskMember(raw, value, walk)
    if (name === '__proto__') Object.defineProperty(masked, name, { value: result, enumerable: true })
    else masked[name] = result
  }
  if (size > count) masked['…'] = `[${size - count} more]`
  return masked
}

function maskMember(name: string, value: unknown, walk: Walk): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value
  if (typeof value === 'object' && holdsNamesOnly(name)) return listNames(name, value)
  const verdict = judgeName(name)
  if (verdict === 'plain') return maskValue(value, walk)
  if (verdict === 'counted' && typeof value === 'number') return value
  if (typeof value === 'string' && (value === '' || (name.toLowerCase() === 'pwd' && looksLikePath(value))))
    return value
  // `auth: {type: 'oauth'}` is a description; its own members are judged by their names.
  if (typeof value === 'object' && name.toLowerCase() === 'auth') return maskValue(value, walk)
  return MASK
}

/** Of an object, a Map, Headers, pairs, `NAME=value` strings or `Name: value` strings: the names. */
function listNames(owner: string, value: object): string[] {
  const isIterable = value instanceof Map || value instanceof Headers
  const isFlat = owner.toLowerCase() === 'rawheaders'
  let names: unknown[]
  if (isIterable) names = [...value.keys()]
  else if (Array.isArray(value)) names = isFlat ? value.filter((_, index) => index % 2 === 0) : value.map(nameOfPair)
  else names = Object.keys(value)
  return names.slice(0, MAX_MEMBERS).map((name) => (typeof name === 'string' ? cleanText(name, MAX_NAME) : '?'))
}

function nameOfPair(pair: unknown): unknown {
  if (Array.isArray(pair)) return pair[0]
  if (typeof pair === 'string') return pair.split(/[=:]/, 1)[0]
  return typeof pair === 'object' && pair !== null && 'name' in pair ? pair.name : '?'
}

function maskError(error: Error, walk: Walk): object {
  const masked: Record<string, unknown> = { name: error.name, message: takeText(String(error.message), walk) }
  if ('code' in error && (typeof error.code === 'string' || typeof error.code === 'number')) masked.code = error.code
  if (walk.keepStacks && typeof error.stack === 'string') masked.stack = takeText(error.stack, walk)
  if (error.cause !== undefined) masked.cause = maskValue(error.cause, walk)
  if (error instanceof AggregateError) masked.errors = maskValue(error.errors, walk)
  return masked
}

function takeText(text: string, walk: Walk): string {
  if (walk.characters <= 0) return `[${text.length} characters cut]`
  const clean = cleanText(text)
  walk.characters -= clean.length
  return clean
}

function readMember(owner: object, name: string): unknown {
  try {
    return Reflect.get(owner, name)
  } catch (error) {
    return describeThrow(error)
  }
}

function describeThrow(error: unknown): string {
  try {
    return `[threw: ${cleanText(errorMessage(error), MAX_NAME)}]`
  } catch {
    return '[threw]'
  }
}

function* take<T>(values: Iterable<T>, count: number): Generator<T> {
  let index = 0
  for (const value of values) {
    if (index++ >= count) return
    yield value
  }
}
