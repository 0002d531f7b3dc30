import type { JsonObject } from '@switchboard/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describeProblems, formatProblems } from '../run/check-params.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, verbose: true, addUsedSchema: false })

/** What the run time would say of such a call: the texts are the same. */
export function findSchemaProblems(schema: JsonObject, value: unknown): string[] {
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  return describeProblems(validate.errors ?? [], schema, value).map((problem) => formatProblems([problem]))
}

/** Undefined when it is a JSON Schema that can be used. */
export function findSchemaFault(schema: JsonObject): string | undefined {
  try {
    ajv.compile(schema)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
