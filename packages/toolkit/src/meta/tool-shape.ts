/** What a `*.meta.yaml` says about a tool. The types below are what is there once its shape was checked. */
import type { JsonObject } from '@switchboard/protocol'
import { REQUIREMENTS } from '../manifest/requirements.ts'
import type { ErrorDeclaration, ResultKind } from '../manifest/tool-declaration.ts'
import type { Field, NamePattern, Shape } from './shape.ts'

export const PARAM_TYPES = ['string', 'integer', 'number', 'boolean', 'path', 'enum', 'array', 'object'] as const
export type ParamType = (typeof PARAM_TYPES)[number]

export interface ParamMeta {
  readonly type: ParamType
  readonly required?: boolean
  readonly default?: unknown
  readonly min?: number
  readonly max?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly values?: readonly string[]
  readonly items?: ParamMeta
  readonly properties?: Readonly<Record<string, ParamMeta>>
  readonly note?: string
}

export interface ToolMeta {
  readonly alias: string
  readonly aliases?: readonly string[]
  readonly category: string
  readonly summary: string
  readonly description?: string
  readonly params?: Readonly<Record<string, ParamMeta>>
  readonly result: ResultKind
  readonly data?: JsonObject
  readonly timeout: string
  readonly safety: { readonly read_only: boolean; readonly destructive: boolean; readonly idempotent: boolean }
  readonly requires?: readonly string[]
  readonly errors?: readonly ErrorDeclaration[]
  readonly examples?: readonly { readonly what: string; readonly params: JsonObject }[]
  readonly mcp?: {
    readonly enabled?: boolean
    readonly core?: boolean
    readonly tool?: string
    readonly description?: string
  }
  readonly llm?: {
    readonly when_to_use?: string
    readonly parameter_hints?: Readonly<Record<string, { examples?: readonly unknown[]; note?: string }>>
    readonly next?: readonly string[]
  }
}

/** What a pack says once for all of its tools, in `src/pack.yaml`. */
export interface PackMeta {
  readonly errors?: readonly ErrorDeclaration[]
  readonly internal_errors?: readonly string[]
  readonly definitions?: Readonly<Record<string, JsonObject>>
}

export const MAX_SUMMARY = 120

const TEXT: Shape = { kind: 'text' }
const FLAG: Shape = { kind: 'flag' }
const NUMBER: Shape = { kind: 'number' }
/** thing.action, both of words with hyphens; also thing.part.action. */
export const ALIAS_PATTERN = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/
const ALIAS: Shape = {
  kind: 'text',
  what: 'thing.action in small letters, such as breakpoint.add or debug.step-over',
  pattern: ALIAS_PATTERN,
}
const TOOL_NAME: Shape = {
  kind: 'text',
  what: 'the name of a tool, in small letters with underscores',
  pattern: /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/,
}
const required = (what: string, shape: Shape): Field => ({ what, shape, required: true })
const optional = (what: string, shape: Shape): Field => ({ what, shape })
const object = (fields: Readonly<Record<string, Field>>): Shape => ({ kind: 'object', fields })
const list = (of: () => Shape): Shape => ({ kind: 'list', of })

const PARAM_NAME: NamePattern = { pattern: /^[a-z][A-Za-z0-9]*$/, what: 'camelCase' }
const TYPE_NAME: NamePattern = { pattern: /^[A-Z][A-Za-z0-9]*$/, what: 'PascalCase' }

const PARAM: Shape = object({
  type: required(`one of ${PARAM_TYPES.join(', ')}`, { kind: 'choice', values: PARAM_TYPES }),
  required: optional('whether a call must have it', FLAG),
  default: optional('what it is when a call does not have it', { kind: 'any' }),
  min: optional('the least number, or the least number of items', NUMBER),
  max: optional('the largest number, or the largest number of items', NUMBER),
  minLength: optional('the least number of characters', NUMBER),
  maxLength: optional('the largest number of characters', NUMBER),
  pattern: optional('a regular expression that it matches', TEXT),
  values: optional(
    'what an enum may be',
    list(() => TEXT),
  ),
  items: optional('what each item of an array, or each value of an object with free names, is', {
    kind: 'itself',
    of: () => PARAM,
  }),
  properties: optional('the members of an object', { kind: 'record', of: () => PARAM, names: PARAM_NAME }),
  note: optional('what agents read about it', TEXT),
})

export const TOOL_SHAPE: Shape = object({
  alias: required('thing.action; agents call it with underscores', ALIAS),
  aliases: optional(
    'further names, callable and not listed',
    list(() => ALIAS),
  ),
  category: required('the heading it stands under in the documentation', TEXT),
  summary: required(`what it does, in one sentence of at most ${MAX_SUMMARY} characters`, {
    kind: 'text',
    max: MAX_SUMMARY,
  }),
  description: optional('more about it, for the documentation', TEXT),
  params: optional('its parameters by name', { kind: 'record', of: () => PARAM, names: PARAM_NAME }),
  result: required('action, query or waitable', { kind: 'choice', values: ['action', 'query', 'waitable'] }),
  data: optional('the JSON Schema of the data it answers with', { kind: 'schema' }),
  timeout: required('how long it may take: 500ms, 5s, 2m', {
    kind: 'text',
    what: 'a duration such as 500ms, 5s or 2m',
    pattern: /^\d+(?:\.\d+)?(?:ms|s|m)$/,
  }),
  safety: required(
    'read_only, destructive and idempotent, each true or false',
    object({
      read_only: required('whether it changes nothing', FLAG),
      destructive: required('whether it may destroy something', FLAG),
      idempotent: required('whether a second call changes nothing more', FLAG),
    }),
  ),
  requires: optional(
    'what must be there before it runs',
    list(() => ({ kind: 'choice', values: Object.keys(REQUIREMENTS) })),
  ),
  errors: optional(
    'the codes it may fail with',
    list(() => ERROR),
  ),
  examples: optional(
    'calls that are checked against the parameters',
    list(() => EXAMPLE),
  ),
  mcp: optional(
    'how agents see it',
    object({
      enabled: optional('false: in no list', FLAG),
      core: optional('true: in the short list that agents get unless they ask for more', FLAG),
      tool: optional('its name in place of the one from the alias', TOOL_NAME),
      description: optional('what agents read in place of the summary', TEXT),
    }),
  ),
  llm: optional(
    'guidance for a model',
    object({
      when_to_use: optional('when to use it, and when not', TEXT),
      parameter_hints: optional('more about single parameters', { kind: 'record', of: () => HINT }),
      next: optional(
        'tools that usually follow',
        list(() => TOOL_NAME),
      ),
    }),
  ),
})

const CODE: Shape = {
  kind: 'text',
  what: 'E_ and capital letters, such as E_FILE_NOT_FOUND',
  pattern: /^E_[A-Z]+(?:_[A-Z]+)*$/,
}

const ERROR: Shape = object({
  code: required('E_ and capital letters', CODE),
  retryable: required('whether the same call may succeed later', FLAG),
  hint: required('the next step for whoever reads it', TEXT),
})

const EXAMPLE: Shape = object({
  params: required('the parameters of the call', { kind: 'record', of: () => ({ kind: 'any' }) }),
  what: required('what the call is for', TEXT),
})

const HINT: Shape = object({
  examples: optional(
    'values that show it',
    list(() => ({ kind: 'any' })),
  ),
  note: optional('what to know about it', TEXT),
})

export const PACK_SHAPE: Shape = object({
  errors: optional(
    'the codes that every tool of the pack may fail with',
    list(() => ERROR),
  ),
  internal_errors: optional(
    'codes that the pack handles itself, and no agent sees',
    list(() => CODE),
  ),
  definitions: optional('JSON Schemas that `data` of several tools refers to: {$ref: "#/$defs/Name"}', {
    kind: 'record',
    of: () => ({ kind: 'schema' }),
    names: TYPE_NAME,
  }),
})
