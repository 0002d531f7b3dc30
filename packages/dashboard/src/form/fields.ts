/**
 * A form from an input schema, as far as a form can say it: texts, numbers, choices, flags, lists of texts; everything else, and
 * whatever a server has made of its schema, is a field for JSON. What is typed is read here; whether it fits is the daemon's to say.
 */
import { showHidden } from '@switchboard/base/hidden-text'

export type FieldKind = 'text' | 'longText' | 'number' | 'flag' | 'choice' | 'texts' | 'json'

export interface SchemaField {
  readonly name: string
  readonly kind: FieldKind
  readonly isRequired: boolean
  /** For people. */
  readonly label: string
  readonly description: string
  readonly isWhole: boolean
  readonly choices: readonly unknown[]
  readonly initial: string
}

export type FormReading =
  | { readonly ok: true; readonly args: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly problems: ReadonlyMap<string, string> }

const MOST_FIELDS = 60
const MOST_LABEL = 100
const MOST_DESCRIPTION = 600
const MOST_CHOICES = 200

type Schema = Readonly<Record<string, unknown>>

/** Undefined: nothing that a form could be made of. */
export function readFields(text: string | undefined): readonly SchemaField[] | undefined {
  const schema = parseObject(text)
  if (schema === undefined) return undefined
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  if (properties.length > MOST_FIELDS || ['oneOf', 'anyOf', 'allOf', '$ref'].some((key) => key in schema))
    return undefined
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  return properties.map(([name, property]) =>
    toField(name, simplify(isObject(property) ? property : {}, schema), required.includes(name)),
  )
}

/** References and alternatives of one property are followed no deeper. */
const MOST_STEPS = 8

/**
 * What is said in a roundabout way, as generators of schemas do: something or null, one value of several constants, a reference
 * into the same document. Whatever stays roundabout is a field for JSON.
 */
function simplify(schema: Schema, root: Schema, steps = MOST_STEPS): Schema {
  const { $ref: reference, anyOf, oneOf, allOf, ...own } = schema
  const inner = (part: unknown): Schema =>
    steps > 0 && isObject(part) ? { ...simplify(part, root, steps - 1), ...own } : schema
  if (typeof reference === 'string') return inner(findReferred(root, reference))
  if (Array.isArray(allOf) && allOf.length === 1) return inner(allOf[0])
  const alternatives = [anyOf, oneOf].find((list) => Array.isArray(list))
  if (alternatives !== undefined) {
    const real: readonly unknown[] = alternatives.filter((part: unknown) => !isObject(part) || part.type !== 'null')
    if (real.length === 1) return inner(real[0])
    const constants = real.filter((part): part is Schema => isObject(part) && 'const' in part)
    return constants.length === real.length ? { ...own, enum: constants.map((part) => part.const) } : schema
  }
  if ('const' in own) return { ...own, enum: [own.const] }
  if (!Array.isArray(own.type)) return own
  const types = own.type.filter((type) => type !== 'null')
  return types.length === 1 ? { ...own, type: types[0] } : own
}

/** `#/$defs/Place` */
function findReferred(root: Schema, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined
  const names = reference.slice(2).split('/')
  return names.reduce<unknown>((at, name) => {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~')
    return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined
  }, root)
}

function toField(name: string, schema: Schema, isRequired: boolean): SchemaField {
  const choices = Array.isArray(schema.enum) ? schema.enum.slice(0, MOST_CHOICES) : []
  const kind = kindOf(name, schema)
  const { default: initial } = schema
  return {
    name,
    kind,
    isRequired,
    label: shorten(name, MOST_LABEL),
    description: typeof schema.description === 'string' ? shorten(schema.description, MOST_DESCRIPTION) : '',
    isWhole: schema.type === 'integer',
    choices,
    initial: initial === undefined || initial === null ? '' : writeValue(kind, initial, choices),
  }
}

function kindOf(name: string, schema: Schema): FieldKind {
  if (Array.isArray(schema.enum)) return 'choice'
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'number' || schema.type === 'integer') return 'number'
  if (schema.type === 'string') return /content|text|body|query|code|script/i.test(name) ? 'longText' : 'text'
  const { items } = schema
  return schema.type === 'array' && isObject(items) && items.type === 'string' && !('enum' in items) ? 'texts' : 'json'
}

function writeValue(kind: FieldKind, value: unknown, choices: readonly unknown[]): string {
  if (kind === 'choice') return String(choices.findIndex((choice) => JSON.stringify(choice) === JSON.stringify(value)))
  if (kind === 'texts' && Array.isArray(value)) return value.join('\n')
  return kind === 'json' || typeof value !== 'string' ? JSON.stringify(value) : value
}

/** What is empty is left out, unless it has to be there. */
export function readForm(fields: readonly SchemaField[], typed: ReadonlyMap<string, string>): FormReading {
  const problems = new Map<string, string>()
  const args: [string, unknown][] = []
  for (const field of fields) {
    const text = typed.get(field.name) ?? ''
    if (text === '') {
      if (field.isRequired && field.kind !== 'text' && field.kind !== 'longText')
        problems.set(field.name, 'It has to be there.')
      else if (field.isRequired) args.push([field.name, ''])
      continue
    }
    const value = readValue(field, text)
    if (value === undefined) problems.set(field.name, PROBLEMS[field.kind])
    else args.push([field.name, value])
  }
  return problems.size > 0 ? { ok: false, problems } : { ok: true, args: Object.fromEntries(args) }
}

const PROBLEMS: Readonly<Record<FieldKind, string>> = {
  text: '',
  longText: '',
  number: 'This is no number.',
  flag: 'Choose yes or no.',
  choice: 'Choose one of them.',
  texts: '',
  json: 'This is no JSON.',
}

function readValue({ kind, isWhole, choices }: SchemaField, text: string): unknown {
  switch (kind) {
    case 'number': {
      const number = Number(text)
      return Number.isFinite(number) && (!isWhole || Number.isInteger(number)) ? number : undefined
    }
    case 'flag':
      return text === 'true'
    case 'choice':
      return choices[Number(text)]
    case 'texts':
      return text.split('\n').filter((line) => line !== '')
    case 'json':
      try {
        return JSON.parse(text)
      } catch {
        return undefined
      }
    default:
      return text
  }
}

/** Arguments that a person writes as a whole. Undefined: no JSON object. */
export function parseObject(text: string | undefined): Schema | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

export function shorten(text: string, most: number): string {
  return showHidden(text.length <= most ? text : `${text.slice(0, most)} …`)
}

function isObject(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
