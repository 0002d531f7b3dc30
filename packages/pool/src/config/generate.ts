/** The files that are made from the field table. Pure: the caller reads and writes. */
import { createConfigurationTable } from './configuration-table.ts'
import { formatJson } from './format-json.ts'
import { createJsonSchema, SCHEMA_FILE_NAME } from './json-schema.ts'

export interface GeneratedFile {
  /** Relative to the root of the repository, with forward slashes. */
  readonly path: string
  readonly content: string
}

export const CONFIGURATION_DOCUMENT = 'docs/configuration.md'
const BEGIN = '<!-- generated:configuration -->'
const END = '<!-- /generated -->'

/** `currentDocument` is the text of docs/configuration.md: what is written by hand around the generated part stays. */
export function generateConfigurationFiles(currentDocument: string): GeneratedFile[] {
  return [
    { path: `schema/${SCHEMA_FILE_NAME}`, content: `${formatJson(createJsonSchema())}\n` },
    { path: CONFIGURATION_DOCUMENT, content: replaceGeneratedPart(currentDocument, createConfigurationTable()) },
  ]
}

function replaceGeneratedPart(document: string, table: string): string {
  const begin = document.indexOf(BEGIN)
  const end = document.indexOf(END, begin)
  if (begin < 0 || end < 0) throw new Error(`${CONFIGURATION_DOCUMENT} needs the lines "${BEGIN}" and "${END}".`)
  return `${document.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${document.slice(end)}`
}
