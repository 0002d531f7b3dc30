/**
 * Every key of the configuration: the one place. The checker, the JSON Schema and the table in
 * `docs/configuration.md` are made from it. Durations are read into milliseconds.
 */
import type { TransportKind } from '../transport/transport.ts'
import { createRecord, listType, recordType } from './collection-types.ts'
import { daemonField } from './daemon-fields.ts'
import { field } from './field.ts'
import {
  booleanType,
  choiceType,
  durationOrOffType,
  durationType,
  integerType,
  nodeType,
  textOrFalseType,
  textType,
} from './field-types.ts'
import { gatewayField, profilesField } from './gateway-fields.ts'
import { modesField } from './mode-fields.ts'
import { NAME_EXPECTED, NAME_PATTERN } from './names.ts'
import { packsField } from './pack-fields.ts'
import { type Field, type FieldTable, type ObjectTable, objectType, readFallbacks } from './read-fields.ts'
import { DEFAULT_CALL_TIMEOUT, type QueueConfig } from './server-config.ts'
import type { SourceNode } from './source-node.ts'
import { globType, headersType, renameType, withoutZero } from './special-types.ts'

const STDIO: readonly TransportKind[] = ['stdio']
const REMOTE: readonly TransportKind[] = ['http', 'sse', 'websocket']
export const PRESET_NAMES = ['dmn'] as const

const duration = (milliseconds: number, written: string, doc: string): Field<number> =>
  field(durationType, { fallback: milliseconds, written, unit: 'ms', doc, examples: [written, milliseconds] })

const TOOL_FIELDS = {
  allow: field(
    listType(globType, {
      expected: 'a list of globs over tool names',
      short: 'list of globs',
      refuseEmpty: 'at least one glob: leave the key out to allow every tool, or write "deny": ["*"] to allow none',
    }),
    {
      fallback: [],
      doc: 'Globs (`*`, `?`) over the server’s own tool names, whatever their case; absent: all.',
      examples: [['read_*']],
    },
  ),
  deny: field(listType(globType, { expected: 'a list of globs over tool names', short: 'list of globs' }), {
    fallback: [],
    written: [],
    doc: 'Globs of tools that are hidden and refused; wins over `allow`.',
    examples: [['delete_*', 'write_?']],
  }),
  rename: field(renameType, {
    fallback: createRecord<string>([]),
    written: {},
    doc: 'The server’s own tool name to the name that is shown, before the prefix.',
    examples: [{ run_command: 'run' }],
  }),
  prefix: field<string | false | undefined>(
    textOrFalseType(
      textType({ expected: 'a prefix of at most 32 letters, digits, "_" or "-"', pattern: '^[A-Za-z0-9_-]{1,32}$' }),
    ),
    {
      fallback: undefined,
      doc: 'Put before every name with an underscore; absent: the server’s name. `false`: names, URIs and prompts are shown unchanged, for one enabled server at most.',
      examples: ['fs', false],
    },
  ),
} satisfies FieldTable

export const TOOLS_TABLE: ObjectTable<typeof TOOL_FIELDS> = { owner: 'the tool rules of a server', fields: TOOL_FIELDS }

const SERVER_FIELDS = {
  type: field<ServerType | undefined>(
    choiceType(['stdio', 'http', 'sse', 'websocket'], ['local', 'remote', 'streamable-http', 'streamableHttp']),
    {
      fallback: undefined,
      doc: 'The transport; inferred from `command` (stdio) or the URL (`http:` is Streamable HTTP and falls back to SSE, `ws:` is WebSocket). What other clients write is understood: `local`, `remote`, `streamable-http`, `streamableHttp`.',
      examples: ['stdio', 'http'],
    },
  ),
  command: field<string | undefined>(
    textType({
      expected: 'the program to run as one string (its arguments go into "args")',
      pattern: '\\S',
      expands: true,
      check: withoutZero('is empty after its variables are expanded'),
    }),
    {
      fallback: undefined,
      transports: STDIO,
      doc: 'The program to run; `~` at its start is the home directory.',
      examples: ['npx', '~/bin/my-server'],
    },
  ),
  args: field(
    listType(textType({ expected: 'a string', expands: true, secret: true, check: withoutZero() }), {
      expected: 'a list of strings',
      short: 'list of strings',
      secret: true,
    }),
    {
      fallback: [],
      written: [],
      transports: STDIO,
      doc: 'Its arguments, one string each.',
      examples: [['-y', '@modelcontextprotocol/server-memory']],
    },
  ),
  cwd: field<string | undefined>(
    textType({
      expected: 'a directory',
      pattern: '\\S',
      expands: true,
      check: withoutZero('is empty after its variables are expanded'),
    }),
    {
      fallback: undefined,
      transports: STDIO,
      doc: 'Where it runs; relative to the folder of the configuration file, `~` is the home directory; absent: where Switchboard runs.',
      examples: ['~/projects/site'],
    },
  ),
  env: field(
    recordType(textType({ expected: 'a string', expands: true, secret: true, check: withoutZero() }), {
      expected: 'an object of strings',
      short: 'object of strings',
      secret: true,
      keyPattern: '^[^=\\u0000]+$',
      keyExpected: 'the name of an environment variable',
    }),
    {
      fallback: createRecord<string>([]),
      written: {},
      transports: STDIO,
      doc: 'Environment variables, merged over a safe set that is inherited.',
      examples: [{ API_KEY: `\${MY_API_KEY}` }],
    },
  ),
  inheritEnv: field(booleanType, {
    fallback: false,
    written: false,
    transports: STDIO,
    doc: 'Inherit the whole environment of Switchboard instead of the safe set.',
  }),
  install: field<string | undefined>(textType({ expected: 'the command that installs the program', pattern: '\\S' }), {
    fallback: undefined,
    transports: STDIO,
    doc: 'The command that installs the program; shown when it is missing, never run.',
    examples: ['pipx install uv'],
  }),
  url: field<string | undefined>(
    textType({
      expected: 'an http:, https:, ws: or wss: URL',
      schemaPattern: '^(https?|wss?)://|\\$\\{',
      expands: true,
      secret: true,
    }),
    {
      fallback: undefined,
      transports: REMOTE,
      doc: 'The address of a remote server.',
      examples: ['https://example.com/mcp'],
    },
  ),
  headers: field(headersType, {
    fallback: createRecord<string>([]),
    written: {},
    transports: REMOTE,
    doc: 'HTTP headers sent with every request.',
    examples: [{ Authorization: `Bearer \${TOKEN}` }],
  }),
  enabled: field(booleanType, {
    fallback: true,
    written: true,
    doc: '`false`: never started, listed as disabled. Its variables need not be set.',
  }),
  disabled: field<boolean | undefined>(booleanType, {
    fallback: undefined,
    deprecated: true,
    doc: 'The inverse of `enabled`, as other clients write it.',
  }),
  shared: field(booleanType, {
    fallback: true,
    written: true,
    doc: '`true`: one process or connection for everyone. `false`: one for each instance or session.',
  }),
  start: field(choiceType(['eager', 'lazy']), {
    fallback: 'eager',
    written: 'eager',
    doc: '`eager`: in the background when Switchboard starts. `lazy`: at its first use; the catalog comes from the cache on disk.',
  }),
  healthProbe: field(choiceType(['ping', 'listTools']), {
    fallback: 'ping',
    written: 'ping',
    doc: 'How a server is asked whether it is still alive after a call timed out.',
  }),
  timeout: duration(DEFAULT_CALL_TIMEOUT, '60s', 'The budget of one call.'),
  toolTimeouts: field(
    recordType(durationType, {
      expected: 'an object from tool name to duration',
      short: 'object of durations',
      keyPattern: '^.',
      keyExpected: 'the name of a tool',
    }),
    {
      fallback: createRecord<number>([]),
      written: {},
      unit: 'ms',
      doc: 'Budgets of single tools, by the server’s own tool names.',
      examples: [{ build: '10m' }],
    },
  ),
  initTimeout: duration(30_000, '30s', 'The budget of the handshake.'),
  idleTimeout: field<number | undefined>(durationOrOffType, {
    fallback: undefined,
    written: 'off',
    unit: 'ms',
    doc: 'Stop a `lazy` server that nobody has used for so long.',
    examples: ['15m', 'off'],
  }),
  restartWait: duration(5000, '5s', 'How long a call may wait for a server that is being restarted.'),
  concurrency: field(integerType(1, 1024), {
    fallback: 16,
    written: 16,
    unit: 'calls',
    doc: 'The most calls in flight at once.',
  }),
  queue: field<string | undefined>(textType({ expected: 'the name of a queue from "queues"', pattern: NAME_PATTERN }), {
    fallback: undefined,
    doc: 'A queue of `queues` that this server shares with others.',
    examples: ['heavy'],
  }),
  tools: field(objectType(TOOLS_TABLE, 'object', { $ref: '#/$defs/tools' }), {
    fallback: readFallbacks(TOOL_FIELDS),
    written: {},
    doc: 'Which tools are shown, and under which names; see below.',
  }),
  interactive: field(choiceType(['auto', true, false, 'private']), {
    fallback: 'auto',
    written: 'auto',
    doc: 'Whether the server asks back (sampling, elicitation, roots). `auto`: learned by watching. `true`: calls one by one. `"private"`: a process for each instance. `false`: it may never ask.',
  }),
  validate: field(booleanType, {
    fallback: true,
    written: true,
    doc: 'Check arguments against the tool’s schema before anything is sent.',
  }),
  retry: field(choiceType(['safe', 'never']), {
    fallback: 'safe',
    written: 'safe',
    doc: '`safe`: a call that was lost with its server is repeated once when the tool is read-only or idempotent.',
  }),
} satisfies FieldTable

export type ServerType =
  | 'stdio'
  | 'http'
  | 'sse'
  | 'websocket'
  | 'local'
  | 'remote'
  | 'streamable-http'
  | 'streamableHttp'

export const SERVER_TABLE: ObjectTable<typeof SERVER_FIELDS> = {
  owner: 'a server',
  fields: SERVER_FIELDS,
  foreign: {
    alwaysAllow: 'no such key: remove it, approving is left to your client',
    autoApprove: 'no such key: remove it, approving is left to your client',
    trust: 'no such key: remove it, approving is left to your client',
    description: 'no such key: remove it, or make it a comment',
    httpUrl: '"url" instead',
    serverUrl: '"url" instead',
    allowedTools: '"tools": { "allow": […] } instead',
    includeTools: '"tools": { "allow": […] } instead',
    disabledTools: '"tools": { "deny": […] } instead',
    excludeTools: '"tools": { "deny": […] } instead',
    envFile: 'its variables in "env", or in the environment of Switchboard',
  },
}

const QUEUE_FIELDS = {
  concurrent: field(integerType(1, 1024), {
    fallback: 1,
    required: true,
    unit: 'calls',
    doc: 'The most calls in flight at once over all servers of the queue.',
    examples: [2],
  }),
} satisfies FieldTable

export const QUEUE_TABLE: ObjectTable<typeof QUEUE_FIELDS> = { owner: 'a queue', fields: QUEUE_FIELDS }

const names = { keyPattern: NAME_PATTERN, keyExpected: NAME_EXPECTED }

const POOL_FIELDS = {
  $schema: field<string | undefined>(textType({ expected: 'the address of the JSON Schema' }), {
    fallback: undefined,
    doc: 'Where an editor finds the JSON Schema of this file.',
    examples: ['./switchboard.schema.json'],
  }),
  mcpServers: field(
    recordType(nodeType('a server', 'server', { $ref: '#/$defs/server' }), {
      ...names,
      expected: 'an object of servers',
      short: 'object of servers',
    }),
    {
      fallback: createRecord<SourceNode>([]),
      written: {},
      doc: 'The servers by name, in the shape that every MCP client knows.',
      examples: [{ memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] } }],
    },
  ),
  queues: field(
    recordType(objectType(QUEUE_TABLE, 'queue', { $ref: '#/$defs/queue' }), {
      ...names,
      expected: 'an object of queues',
      short: 'object of queues',
    }),
    {
      fallback: createRecord<QueueConfig>([]),
      written: {},
      doc: 'Named limits that several servers share.',
      examples: [{ heavy: { concurrent: 2 } }],
    },
  ),
  presets: field(
    listType(choiceType(PRESET_NAMES), {
      expected: 'a list of names of presets',
      short: 'list of "dmn"',
      unique: true,
    }),
    {
      fallback: [],
      written: [],
      doc: 'Ready-made sets of servers. `dmn`: shell, filesystem, text-editor, grep, memory and web. A server of yours with the same name wins.',
      examples: [['dmn']],
    },
  ),
  profiles: profilesField,
  gateway: gatewayField,
  modes: modesField,
  daemon: daemonField,
  packs: packsField,
  startParallelism: field(integerType(1, 256), {
    fallback: 8,
    written: 8,
    unit: 'servers',
    doc: 'How many servers may be busy with their handshake at once while starting.',
  }),
} satisfies FieldTable

export const POOL_TABLE: ObjectTable<typeof POOL_FIELDS> = {
  owner: 'the configuration',
  fields: POOL_FIELDS,
  foreign: {
    servers: '"mcpServers" instead',
    mcp_servers: '"mcpServers" instead',
    context_servers: '"mcpServers" instead',
  },
}
