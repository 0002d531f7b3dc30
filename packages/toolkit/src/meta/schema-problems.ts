import { errorMessage, nearestName } from '@switchboard/base'
import { describeProblems, formatProblems } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { listReferences, withDefinitions } from '../manifest/schema-references.ts'
import type { Definitions } from '../manifest/tool-declaration.ts'
import type { Report } from './meta-problem.ts'

const ajv = new Ajv2020({ allErrors: true, strict: false, validateFormats: false, verbose: true, addUsedSchema: false })

/** What the run time would say of such a call: the texts are the same. */
export function findSchemaProblems(schema: JsonObject, value: unknown): string[] {
  const validate = ajv.compile(schema)
  if (validate(value)) return []
  return describeProblems(validate.errors ?? [], schema, value).map((problem) => formatProblems([problem]))
}

/** Whether it is a JSON Schema that can be used, and refers to nothing but definitions of its pack. */
export function findDataProblems(schema: JsonObject, definitions: Definitions, report: Report): void {
  const names = Object.keys(definitions)
  const unknown = listReferences(schema).filter(({ name }) => name === undefined || !names.includes(name))
  for (const { path, text, name = text } of unknown) {
    const nearest = nearestName(name, names)
    const cure =
      nearest === undefined ? `definitions: ${names.join(', ') || 'none'}` : `did you mean "#/$defs/${nearest}"?`
    report([...path, '$ref'], `refers to ${text}, which the pack.yaml of this pack does not define; ${cure}`)
  }
  if (unknown.length > 0) return
  try {
    ajv.compile(withDefinitions(schema, definitions))
  } catch (error) {
    report([], `is not a JSON Schema: ${errorMessage(error)}`)
  }
}
