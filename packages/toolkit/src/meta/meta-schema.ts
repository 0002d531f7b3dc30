/** JSON Schemas for editors, which check and complete a `*.meta.yaml` or a `pack.yaml` while it is written. */
import type { ObjectTable } from '@switchboard/config'
import { createTableSchema } from '@switchboard/config/file'
import type { JsonObject } from '@switchboard/protocol'
import { PACK_TABLE, TOOL_TABLE } from './tool-fields.ts'

export function createMetaSchema(): JsonObject {
  return createSchema(TOOL_TABLE, 'A tool of a Switchboard pack (*.meta.yaml)')
}

export function createPackMetaSchema(): JsonObject {
  return createSchema(PACK_TABLE, 'What the tools of a Switchboard pack have in common (pack.yaml)')
}

/** Draft 7 is what the usual YAML extension of editors knows. */
function createSchema(table: ObjectTable, title: string): JsonObject {
  return { $schema: 'http://json-schema.org/draft-07/schema#', title, ...createTableSchema(table) }
}
