/** The files that are made from the declaration of the configuration. Pure: the caller reads and writes. */
import { formatJson } from '@switchboard/config/text'
import type { GeneratedFile } from '@switchboard/toolkit/generate'
import { switchboardFile } from './switchboard-file.ts'

export const SCHEMA_FILE_NAME = 'switchboard.schema.json'

export const CONFIGURATION_DOCUMENT = 'docs/configuration.md'
const BEGIN = '<!-- generated:configuration -->'
const END = '<!-- /generated -->'

/** `currentDocument` is the text of docs/configuration.md: what is written by hand around the generated part stays. */
export function generateConfigurationFiles(currentDocument: string): GeneratedFile[] {
  return [
    { path: `schema/${SCHEMA_FILE_NAME}`, content: `${formatJson(switchboardFile.createSchema())}\n` },
    { path: CONFIGURATION_DOCUMENT, content: replaceGeneratedPart(currentDocument, switchboardFile.createDocs()) },
  ]
}

function replaceGeneratedPart(document: string, table: string): string {
  const begin = document.indexOf(BEGIN)
  const end = document.indexOf(END, begin)
  if (begin < 0 || end < 0) throw new Error(`${CONFIGURATION_DOCUMENT} needs the lines "${BEGIN}" and "${END}".`)
  return `${document.slice(0, begin + BEGIN.length)}\n\n${table}\n\n${document.slice(end)}`
}
