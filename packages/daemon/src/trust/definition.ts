/**
 * What of a server's catalog a model acts on, one thing at a time: each tool and prompt, and what the server says of itself.
 * Two are the same when they mean the same: the order of members, of what is required and of what may be chosen says nothing.
 */
import { createHash } from 'node:crypto'
import { type Catalog, isJsonObject, type JsonObject } from '@switchboard/protocol'

export type DefinitionKind = 'tool' | 'prompt' | 'instructions'

export interface OfferedDefinition {
  readonly kind: DefinitionKind
  /** Own name of a tool or prompt; of instructions empty. */
  readonly name: string
  readonly content: JsonObject
}

/** In the order of the catalog. */
export function listDefinitions({ tools, prompts, instructions }: Catalog): OfferedDefinition[] {
  return [
    ...tools.map(({ name, title, description, inputSchema, outputSchema, annotations }) => {
      const content = { title, description, inputSchema, outputSchema, annotations: orUndefined(annotations) }
      return { kind: 'tool' as const, name, content: withoutUndefined(content) }
    }),
    ...prompts.map(({ name, title, description, arguments: args }) => {
      return { kind: 'prompt' as const, name, content: withoutUndefined({ title, description, arguments: args }) }
    }),
    ...(instructions === '' ? [] : [{ kind: 'instructions' as const, name: '', content: { text: instructions } }]),
  ]
}

/** By this one is found again, whatever a server calls it. */
export function keyOf({ kind, name }: Pick<OfferedDefinition, 'kind' | 'name'>): string {
  return `${kind}:${name}`
}

/** Whether two parts of definitions mean the same. */
export function isSameMeaning(one: unknown, other: unknown): boolean {
  return one === other || toCanonicalText(one) === toCanonicalText(other)
}

export function fingerprint(content: JsonObject): string {
  return createHash('sha256').update(toCanonicalText(content)).digest('hex').slice(0, 32)
}

/** Lists that are sets. */
const SETS: ReadonlySet<string> = new Set(['required', 'enum'])
/** Which draft a schema is written in, as libraries put it there: no model acts on it. */
const DIALECT = '$schema'

function toCanonicalText(value: unknown, member = ''): string {
  if (Array.isArray(value)) {
    const items = value.map((item) => toCanonicalText(item))
    return `[${(SETS.has(member) ? items.sort() : items).join()}]`
  }
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null'
  const members = Object.keys(value)
    .filter((key) => value[key] !== undefined && !(key === DIALECT && typeof value[key] === 'string'))
    .sort()
    .map((key) => `${JSON.stringify(key)}:${toCanonicalText(value[key], key)}`)
  return `{${members.join()}}`
}

function orUndefined(value: JsonObject | undefined): JsonObject | undefined {
  return value === undefined || Object.keys(value).length === 0 ? undefined : value
}

function withoutUndefined(content: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(content).filter(([, value]) => value !== undefined))
}
