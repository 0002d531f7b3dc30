/** The JSON Schema (2020-12) of the configuration file, made from the field table, for editors. */
import type { JsonObject } from '@switchboard/protocol'
import type { TransportKind } from '../transport/transport.ts'
import { DAEMON_TABLE, TCP_TABLE } from './daemon-fields.ts'
import { POOL_TABLE, QUEUE_TABLE, SERVER_TABLE, type ServerType, TOOLS_TABLE } from './fields.ts'
import { GATEWAY_TABLE, OAUTH_TABLE, PROFILE_TABLE, PROFILE_TOOLS_TABLE, RATE_TABLE } from './gateway-fields.ts'
import { MODE_TABLE, MODE_TOOLS_TABLE } from './mode-fields.ts'
import { DEBUG_TABLE, PACKS_TABLE } from './pack-fields.ts'
import type { Field, FieldTable } from './read-fields.ts'

export const SCHEMA_FILE_NAME = 'switchboard.schema.json'

export function createJsonSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Switchboard configuration',
    description: 'The MCP servers that Switchboard runs. Comments and trailing commas are allowed.',
    ...createObjectSchema(POOL_TABLE.fields),
    $defs: {
      server: { ...createObjectSchema(SERVER_TABLE.fields), ...SERVER_RULES },
      tools: createObjectSchema(TOOLS_TABLE.fields),
      queue: createObjectSchema(QUEUE_TABLE.fields),
      profile: createObjectSchema(PROFILE_TABLE.fields),
      profileTools: createObjectSchema(PROFILE_TOOLS_TABLE.fields),
      gateway: createObjectSchema(GATEWAY_TABLE.fields),
      oauth: createObjectSchema(OAUTH_TABLE.fields),
      rate: createObjectSchema(RATE_TABLE.fields),
      mode: createObjectSchema(MODE_TABLE.fields),
      modeTools: createObjectSchema(MODE_TOOLS_TABLE.fields),
      daemon: createObjectSchema(DAEMON_TABLE.fields),
      tcp: createObjectSchema(TCP_TABLE.fields),
      packs: createObjectSchema(PACKS_TABLE.fields),
      debugPack: createObjectSchema(DEBUG_TABLE.fields),
    },
  }
}

const STDIO_TYPES: readonly ServerType[] = ['stdio', 'local']
const REMOTE_TYPES: readonly ServerType[] = ['http', 'sse', 'websocket', 'remote', 'streamable-http', 'streamableHttp']

/** A server is local or remote, and has no key of the other kind. */
const SERVER_RULES: JsonObject = {
  anyOf: [{ required: ['command'] }, { required: ['url'] }],
  dependentSchemas: {
    command: { properties: { type: { enum: [...STDIO_TYPES] }, ...forbidKeysWithout('stdio') } },
    url: { properties: { type: { enum: [...REMOTE_TYPES] }, ...forbidKeysWithout('http') } },
  },
}

function forbidKeysWithout(transport: TransportKind): JsonObject {
  const fields: FieldTable = SERVER_TABLE.fields
  const foreign = Object.entries(fields).filter(([, { transports }]) => transports?.includes(transport) === false)
  return Object.fromEntries(foreign.map(([key]) => [key, false]))
}

function createObjectSchema(fields: FieldTable): JsonObject {
  const entries = Object.entries(fields)
  const required = entries.filter(([, field]) => field.required === true).map(([key]) => key)
  return {
    type: 'object',
    additionalProperties: false,
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(entries.map(([key, field]) => [key, createFieldSchema(field)])),
  }
}

function createFieldSchema({ type, doc, written, deprecated, examples }: Field<unknown>): JsonObject {
  return {
    description: doc,
    ...type.schema,
    ...(written === undefined ? {} : { default: written }),
    ...(deprecated === true ? { deprecated } : {}),
    ...(examples === undefined ? {} : { examples: [...examples] }),
  }
}
