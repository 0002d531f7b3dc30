/** Every key of a `*.meta.yaml`, in the shape language: the checker, the schema for editors and the types follow from it. */
import {
  anyObjectType,
  anyType,
  booleanType,
  choiceType,
  type FieldTable,
  type FieldType,
  field,
  listType,
  numberType,
  objectType,
  recordType,
  selfType,
  type TextOptions,
  textType,
  type ValuesOf,
} from '@switchboard/config'
import { ERROR_CODES, isErrorCode } from '@switchboard/protocol/errors'
import { REQUIREMENTS } from '../manifest/requirements.ts'

export const PARAM_TYPES = ['string', 'integer', 'number', 'boolean', 'path', 'enum', 'array', 'object'] as const
export type ParamType = (typeof PARAM_TYPES)[number]

const MAX_SUMMARY = 120

/** thing.action, both of words with hyphens; also thing.part.action. */
export const ALIAS_PATTERN = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*(?:\.[a-z0-9]+(?:-[a-z0-9]+)*)+$/

export function text(expected: string, rest: Pick<TextOptions, 'pattern' | 'maxLength'> = {}): FieldType<string> {
  return textType({ expected, notEmpty: true, ...rest })
}

/** Says what the flag is about where it is missing or no flag. */
const flag = (about: string): FieldType<boolean> => ({ ...booleanType, expected: `true or false: ${about}` })
const list = <T>(item: FieldType<T, unknown>, expected: string) =>
  listType(item, { expected: `a list: ${expected}`, short: 'list' })
const required = <T>(type: FieldType<T, unknown>, fallback: T) =>
  field(type, { required: true, fallback, doc: `${type.expected}.` })
const optional = <T>(type: FieldType<T, unknown>, doc: string = type.expected) => field(type, { doc: `${doc}.` })

const aliasType = text('thing.action in small letters, such as breakpoint.add or debug.step-over', {
  pattern: ALIAS_PATTERN.source,
})
const toolNameType = text('the name of a tool, in small letters with underscores', {
  pattern: '^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$',
})

const OWN_CODE = '^E_[A-Z]+(?:_[A-Z]+)*$'
const ownCode = new RegExp(OWN_CODE, 'u')

/** A code of the pack's own, or one of those that everything of ours may fail with. */
const codeType: FieldType<string> = {
  ...textType({
    expected: 'E_ and capital letters, such as E_FILE_NOT_FOUND, or a code of docs/errors.md',
    check: (code) =>
      ownCode.test(code) || isErrorCode(code) ? undefined : `is the string ${JSON.stringify(code.slice(0, 60))}`,
  }),
  schema: { anyOf: [{ type: 'string', pattern: OWN_CODE }, { enum: [...ERROR_CODES] }] },
}

const names = {
  keyPattern: '^[a-z][A-Za-z0-9]*(?:_[a-z0-9]+)*$',
  keyExpected: 'a name in camelCase or snake_case, of letters and digits',
}

const PARAM = { name: 'param', owner: 'a parameter' }

const PLAIN_PARAM_FIELDS = {
  type: required(choiceType(PARAM_TYPES), 'string'),
  required: optional(flag('whether a call must have it')),
  default: optional(anyType, 'what it is when a call does not have it'),
  min: optional(numberType, 'the least number, or the least number of items'),
  max: optional(numberType, 'the largest number, or the largest number of items'),
  minLength: optional(numberType, 'the least number of characters'),
  maxLength: optional(numberType, 'the largest number of characters'),
  pattern: optional(text('a regular expression that it matches')),
  values: optional(list(text('a text'), 'what an enum may be')),
  note: optional(text('what agents read about it')),
} satisfies FieldTable

export interface ParamMeta extends ValuesOf<typeof PLAIN_PARAM_FIELDS> {
  /** Of an array, or of an object with free names. */
  readonly items: ParamMeta | undefined
  readonly properties: Readonly<Record<string, ParamMeta>> | undefined
}

const selfParam: FieldType<ParamMeta, unknown> = selfType(PARAM, () => paramType)

const PARAM_FIELDS = {
  ...PLAIN_PARAM_FIELDS,
  items: optional(selfParam, 'what each item of an array, or each value of an object with free names, is'),
  properties: optional(
    recordType(selfParam, { ...names, expected: 'a map of parameters', short: 'map' }),
    'the members of an object',
  ),
} satisfies FieldTable

const paramType: FieldType<ParamMeta, unknown> = objectType({ ...PARAM, fields: PARAM_FIELDS })

const ERROR_FIELDS = {
  code: required(codeType, 'E_NONE'),
  retryable: required(flag('whether the same call may succeed later'), false),
  hint: required(text('the next step for whoever reads it'), 'none'),
} satisfies FieldTable

const errorType = objectType({ name: 'error', owner: 'an error: code, retryable, hint', fields: ERROR_FIELDS })

const EXAMPLE_FIELDS = {
  params: required(anyObjectType('the parameters of the call'), {}),
  what: required(text('what the call is for'), 'nothing'),
} satisfies FieldTable

const HINT_FIELDS = {
  examples: optional(list(anyType, 'values that show it')),
  note: optional(text('what to know about it')),
} satisfies FieldTable

const SAFETY_FIELDS = {
  read_only: required(flag('whether it changes nothing'), false),
  destructive: required(flag('whether it may destroy something'), false),
  idempotent: required(flag('whether a second call changes nothing more'), false),
} satisfies FieldTable

const RATE_FIELDS = {
  per_second: required(numberType, 10),
  burst: required(numberType, 20),
} satisfies FieldTable

const MCP_FIELDS = {
  enabled: optional(flag('false: in no list')),
  core: optional(flag('whether it is in the short list that agents get unless they ask for more')),
  tool: optional(toolNameType, 'its name in place of the one from the alias'),
  description: optional(text('what agents read in place of the summary')),
} satisfies FieldTable

const LLM_FIELDS = {
  when_to_use: optional(text('when to use it, and when not')),
  parameter_hints: optional(
    recordType(objectType({ name: 'hint', owner: 'a hint', fields: HINT_FIELDS }), {
      expected: 'a map: more about single parameters',
      short: 'map',
    }),
  ),
  next: optional(list(toolNameType, 'tools that usually follow')),
} satisfies FieldTable

const safetyType = objectType({
  name: 'safety',
  owner: 'read_only, destructive and idempotent, each true or false',
  fields: SAFETY_FIELDS,
})

const TOOL_FIELDS = {
  alias: required(aliasType, 'none.none'),
  aliases: optional(list(aliasType, 'further names, callable and not listed')),
  category: required(text('the heading it stands under in the documentation'), 'none'),
  summary: required(
    text(`what it does, in one sentence of at most ${MAX_SUMMARY} characters`, { maxLength: MAX_SUMMARY }),
    'none',
  ),
  description: optional(text('more about it, for the documentation')),
  params: optional(recordType(paramType, { ...names, expected: 'a map: its parameters by name', short: 'map' })),
  result: required(choiceType(['action', 'query', 'waitable']), 'query'),
  data: optional(anyObjectType('the JSON Schema of the data it answers with')),
  timeout: required(
    text('how long it may take, a duration such as 500ms, 5s or 2m', {
      pattern: String.raw`^\d+(?:\.\d+)?(?:ms|s|m)$`,
    }),
    '5s',
  ),
  safety: required(safetyType, { read_only: false, destructive: false, idempotent: false }),
  rate: optional(
    objectType({ name: 'rate', owner: 'a rate: per_second and burst', fields: RATE_FIELDS }),
    'how often one caller may call it, where nobody has configured it',
  ),
  requires: optional(list(choiceType(Object.keys(REQUIREMENTS)), 'what must be there before it runs')),
  errors: optional(list(errorType, 'the codes it may fail with')),
  examples: optional(
    list(
      objectType({ name: 'example', owner: 'an example', fields: EXAMPLE_FIELDS }),
      'calls that are checked against the parameters',
    ),
  ),
  mcp: optional(objectType({ name: 'mcp', owner: 'how agents see it', fields: MCP_FIELDS })),
  llm: optional(objectType({ name: 'llm', owner: 'guidance for a model', fields: LLM_FIELDS })),
} satisfies FieldTable

export const TOOL_TABLE = { name: 'tool', owner: 'a tool', fields: TOOL_FIELDS }
export type ToolMeta = ValuesOf<typeof TOOL_FIELDS>

const PACK_FIELDS = {
  errors: optional(list(errorType, 'the codes that every tool of the pack may fail with')),
  internal_errors: optional(list(codeType, 'codes that the pack handles itself, and no agent sees')),
  definitions: optional(
    recordType(anyObjectType('a JSON Schema'), {
      expected: 'a map: JSON Schemas that `data` of several tools refers to: {$ref: "#/$defs/Name"}',
      short: 'map',
      keyPattern: '^[A-Z][A-Za-z0-9]*$',
      keyExpected: 'a name in PascalCase, of letters and digits',
    }),
  ),
} satisfies FieldTable

/** What a pack says once for all of its tools, in `src/pack.yaml`. */
export const PACK_TABLE = { name: 'pack', owner: 'a pack', fields: PACK_FIELDS }
