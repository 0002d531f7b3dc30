/**
 * JSON Schemas into functions that judge a value. Ajv is loaded for the first value that it has to judge, not when a
 * package is imported: loading it takes longer than most calls.
 */
import type { JsonObject } from '@switchboard/protocol'
import type { Ajv, Options, ValidateFunction } from 'ajv'

export type { ErrorObject, ValidateFunction } from 'ajv'

type Compile = (schema: JsonObject) => ValidateFunction
type Draft = '07' | '2019' | '2020'
type AjvClass = new (options: Options) => Pick<Ajv, 'compile' | 'validateSchema'>

/** Strictness is off: schemas in the wild hold keywords of their own. `format` is an annotation, as the drafts say. */
export const FOREIGN_OPTIONS = {
  strict: false,
  allErrors: true,
  validateFormats: false,
  logger: false,
  addUsedSchema: false,
} as const

/** Of an instance that is there for one schema, which may refer to itself as a whole (`#`). */
export const ONE_SCHEMA = { validateSchema: false, addUsedSchema: true } as const

let own: Promise<Compile> | undefined

/**
 * A schema of ours: that it is one was checked when it was generated, which would cost ten times the rest. Defaults are
 * written into what is judged.
 */
export async function compileOwnSchema(schema: JsonObject): Promise<ValidateFunction> {
  own ??= loadAjv('2020').then((Ajv) => {
    const ajv = new Ajv({ ...FOREIGN_OPTIONS, validateSchema: false, useDefaults: true })
    return (schema) => ajv.compile(schema)
  })
  return (await own)(schema)
}

/** A schema of somebody else that is cheap to compile. Rejects for one that cannot be used. */
export async function compileForeign(schema: JsonObject): Promise<ValidateFunction> {
  const draft = draftOf(schema)
  compilers[draft] ??= loadAjv(draft).then(createForeignCompiler)
  return (await compilers[draft])(schema)
}

const compilers: { [draft in Draft]?: Promise<Compile> } = {}

/** Where each of them is. */
export const MODULES = { '07': 'ajv', '2019': 'ajv/dist/2019.js', '2020': 'ajv/dist/2020.js' } as const

/** Without `$schema` 2020-12 holds, as MCP says. */
export function draftOf({ $schema: dialect }: JsonObject): Draft {
  const name = typeof dialect === 'string' ? dialect : ''
  if (name.includes('draft-07') || name.includes('draft-06')) return '07'
  return name.includes('2019-09') ? '2019' : '2020'
}

async function loadAjv(draft: Draft): Promise<AjvClass> {
  if (draft === '07') return (await import('ajv')).Ajv
  if (draft === '2019') return (await import('ajv/dist/2019.js')).Ajv2019
  return (await import('ajv/dist/2020.js')).Ajv2020
}

/**
 * A schema has an instance of its own, since the `$id`s inside of two may be the same. That it is a schema at all is
 * checked by one instance for all, because compiling the dialect's own schema takes ten times as long as the rest.
 */
function createForeignCompiler(Ajv: AjvClass): Compile {
  const judge = new Ajv(FOREIGN_OPTIONS)
  return (schema) => {
    const plain = withoutDialect(schema)
    judge.validateSchema(plain, true)
    return new Ajv({ ...FOREIGN_OPTIONS, ...ONE_SCHEMA }).compile(plain)
  }
}

/**
 * A dialect's name may be written in several ways (http, https, a trailing #); it was read already. `$async` is Ajv's
 * own: with it a verdict would be a promise, whose rejection nobody handles.
 */
export function withoutDialect(schema: JsonObject): JsonObject {
  const { $schema: _dialect, $id: _id, $async: _async, ...rest } = schema
  return rest
}
