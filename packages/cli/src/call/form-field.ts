/** One field of an elicitation form: what may be answered, and reading an answer. Pure. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

export interface Choice {
  readonly value: unknown
  readonly label: string
}

export interface FormField {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly isRequired: boolean
  readonly type: 'text' | 'number' | 'integer' | 'boolean' | 'one' | 'many'
  /** As it reads beside the question. */
  readonly kind: string
  readonly choices: readonly Choice[]
  readonly fallback: unknown
  readonly schema: JsonObject
}

export function readField(name: string, schema: JsonObject, isRequired: boolean): FormField {
  const isMany = schema.type === 'array'
  const choices = readChoices(isMany && isJsonObject(schema.items) ? schema.items : schema)
  const type = isMany ? 'many' : choices.length > 0 ? 'one' : readType(schema.type)
  return {
    name,
    label: typeof schema.title === 'string' && schema.title !== '' ? schema.title : name,
    description: typeof schema.description === 'string' ? schema.description : '',
    isRequired,
    type,
    kind: describeKind(type, schema),
    choices,
    fallback: schema.default,
    schema,
  }
}

function readType(type: unknown): 'text' | 'number' | 'integer' | 'boolean' {
  return type === 'number' || type === 'integer' || type === 'boolean' ? type : 'text'
}

/** Three generations of the protocol write choices in three ways. */
function readChoices(schema: JsonObject): Choice[] {
  const { enumNames } = schema
  const titled = [schema.oneOf, schema.anyOf].find(Array.isArray)
  if (titled !== undefined) {
    return titled
      .filter(isJsonObject)
      .map(({ const: value, title }) => ({ value, label: typeof title === 'string' ? title : String(value) }))
  }
  if (!Array.isArray(schema.enum)) return []
  const names: unknown[] = Array.isArray(enumNames) ? enumNames : []
  return schema.enum.map((value, index) => ({ value, label: String(names[index] ?? value) }))
}

function describeKind(type: FormField['type'], schema: JsonObject): string {
  switch (type) {
    case 'one':
      return 'number or name'
    case 'many':
      return 'several, with commas'
    case 'boolean':
      return 'y/n'
    case 'text':
      return typeof schema.format === 'string' ? schema.format : 'text'
    default: {
      const { minimum, maximum } = schema
      const range = minimum === undefined && maximum === undefined ? '' : ` ${minimum ?? '…'} to ${maximum ?? '…'}`
      return `${type === 'integer' ? 'whole number' : 'number'}${range}`
    }
  }
}

export type FieldAnswer = { readonly value: unknown } | { readonly problem: string }

export function readFieldAnswer(field: FormField, answer: string): FieldAnswer {
  switch (field.type) {
    case 'one':
      return readChoice(field, answer)
    case 'many':
      return readMany(field, answer)
    case 'boolean':
      if (/^(?:y|yes|true)$/i.test(answer)) return { value: true }
      return /^(?:n|no|false)$/i.test(answer) ? { value: false } : { problem: 'Answer y or n.' }
    case 'number':
    case 'integer':
      return readNumber(field, answer)
    case 'text':
      return readText(field, answer)
  }
}

function readChoice({ choices }: FormField, answer: string): FieldAnswer {
  const lower = answer.toLowerCase()
  const found =
    choices.find(({ value }) => String(value) === answer) ??
    choices.find(({ value, label }) => label.toLowerCase() === lower || String(value).toLowerCase() === lower) ??
    (/^\d+$/.test(answer) ? choices[Number(answer) - 1] : undefined)
  return found === undefined
    ? { problem: `Answer with a number from 1 to ${choices.length}, or a name.` }
    : { value: found.value }
}

function readMany(field: FormField, answer: string): FieldAnswer {
  const parts = answer.split(',').flatMap((part) => (part.trim() === '' ? [] : [part.trim()]))
  const values: unknown[] = []
  for (const part of parts) {
    const read: FieldAnswer = field.choices.length === 0 ? { value: part } : readChoice(field, part)
    if ('problem' in read) return read
    if (!values.includes(read.value)) values.push(read.value)
  }
  const { minItems, maxItems } = field.schema
  if (typeof minItems === 'number' && values.length < minItems) return { problem: `Choose at least ${minItems}.` }
  if (typeof maxItems === 'number' && values.length > maxItems) return { problem: `Choose at most ${maxItems}.` }
  return { value: values }
}

function readNumber({ type, schema }: FormField, answer: string): FieldAnswer {
  const value = Number(answer)
  if (!Number.isFinite(value)) return { problem: 'That is no number.' }
  if (type === 'integer' && !Number.isInteger(value)) return { problem: 'It must be a whole number.' }
  const { minimum, maximum } = schema
  if (typeof minimum === 'number' && value < minimum) return { problem: `It must be at least ${minimum}.` }
  if (typeof maximum === 'number' && value > maximum) return { problem: `It must be at most ${maximum}.` }
  return { value }
}

const FORMATS: Readonly<Record<string, { fits: (text: string) => boolean; example: string }>> = {
  email: { fits: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), example: 'ada@example.com' },
  uri: { fits: (text) => URL.canParse(text), example: 'https://example.com' },
  date: { fits: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)), example: '2026-07-28' },
  'date-time': { fits: (text) => /T/.test(text) && !Number.isNaN(Date.parse(text)), example: '2026-07-28T12:00:00Z' },
}

function readText({ schema }: FormField, answer: string): FieldAnswer {
  const { minLength, maxLength, format, pattern } = schema
  if (typeof minLength === 'number' && answer.length < minLength)
    return { problem: `It needs at least ${minLength} characters.` }
  if (typeof maxLength === 'number' && answer.length > maxLength)
    return { problem: `It may have at most ${maxLength} characters.` }
  const known = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined
  if (known !== undefined && !known.fits(answer)) return { problem: `It must look like ${known.example}.` }
  if (typeof pattern === 'string' && !matches(pattern, answer)) return { problem: `It must fit ${pattern}.` }
  return { value: answer }
}

/** A pattern that is none is the server's mistake; it will judge the answer itself. */
function matches(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return true
  }
}
