/**
 * Every key of a server: the one place. The checker, the JSON Schema, the table in `docs/configuration.md` and the
 * TypeScript types are made from it; a new key is one entry here. Durations are read into milliseconds.
 */
import {
  booleanType,
  choiceType,
  createRecord,
  durationOrOffType,
  durationType,
  type FieldTable,
  field,
  globType,
  type InputOf,
  integerType,
  listType,
  NAME_PATTERN,
  objectType,
  pathType,
  readFallbacks,
  recordType,
  textOrFalseType,
  textType,
  type ValuesOf,
  withoutZero,
} from '@switchboard/config'
import { headersType, renameType } from './server-types.ts'

const STDIO = ['stdio'] as const
const REMOTE = ['http', 'sse', 'websocket'] as const
/** A WebSocket says nothing of a login that could be followed. */
const LOGIN = ['http', 'sse'] as const

/** The budget of a call to a server that sets none. */
export const DEFAULT_CALL_TIMEOUT = 60_000

/** Where `${workspace}` may stand. */
const PER_WINDOW = { expands: true, takesWorkspace: true } as const

/** How definitions of tools are trusted. */
export const definitionsType = choiceType(['pin', 'strict', 'warn', 'off'])

const duration = (milliseconds: number, written: string, doc: string) =>
  field(durationType, { fallback: milliseconds, written, unit: 'ms', doc, examples: [written, milliseconds] })

export const TOOL_FIELDS = {
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
  prefix: field(
    textOrFalseType(
      textType({ expected: 'a prefix of at most 32 letters, digits, "_" or "-"', pattern: '^[A-Za-z0-9_-]{1,32}$' }),
    ),
    {
      doc: 'Put before every name with an underscore; absent: the server’s name. `false`: names, URIs and prompts are shown unchanged, for one enabled server at most.',
      examples: ['fs', false],
    },
  ),
} satisfies FieldTable

const TOOLS_TABLE = { name: 'tools', owner: 'the tool rules of a server', fields: TOOL_FIELDS }

const OAUTH_FIELDS = {
  enabled: field(booleanType, {
    fallback: true,
    written: true,
    doc: '`false`: a server that asks for a login gets none.',
  }),
  clientId: field(
    textType({ expected: 'the id of a client that was registered by hand', pattern: '\\S', expands: true }),
    {
      doc: 'The client that was registered at the authorization server by hand. Absent: Switchboard registers itself, where it may.',
      examples: ['switchboard-at-example'],
    },
  ),
  clientSecret: field(
    textType({
      expected: 'a string',
      expands: true,
      secret: true,
      check: withoutZero('is empty after its variables are expanded'),
    }),
    {
      doc: 'Its secret, if it has one.',
      examples: [`\${CLIENT_SECRET}`],
    },
  ),
  clientMetadataUrl: field(textType({ expected: 'an https: URL', pattern: '^https://[^/]+/.' }), {
    doc: 'The address of a document of yours that says who Switchboard is (a client id metadata document), for authorization servers that take one.',
    examples: ['https://example.com/switchboard.json'],
  }),
  scopes: field(
    listType(textType({ expected: 'a scope', pattern: '^[^\\s"\\\\]+$' }), {
      expected: 'a list of scopes',
      short: 'list of strings',
    }),
    {
      doc: 'What a login asks for. Absent: what the server says that it needs.',
      examples: [['files:read']],
    },
  ),
  issuer: field(textType({ expected: 'an http: or https: URL', pattern: '^https?://' }), {
    doc: 'The authorization server, where the server names several, or none.',
    examples: ['https://login.example.com'],
  }),
  redirectPort: field(integerType(1, 65_535), {
    doc: 'The port of the redirect address on this machine, for an authorization server that holds to the one that was registered. Absent: any that is free.',
    examples: [8976],
  }),
  redirectHost: field(choiceType(['127.0.0.1', 'localhost']), {
    doc: 'How the redirect address calls this machine, for a client that was registered with the other name. Absent: 127.0.0.1.',
    examples: ['localhost'],
  }),
} satisfies FieldTable

/** What a login may hold. */
export const OAUTH_KEYS: readonly string[] = Object.keys(OAUTH_FIELDS)

/** As Claude Code calls it. */
export const RENAMED_OAUTH_KEYS = { callbackPort: 'redirectPort' } as const

const OAUTH_TABLE = {
  name: 'login',
  owner: 'the login of a server',
  fields: OAUTH_FIELDS,
  renamed: RENAMED_OAUTH_KEYS,
}

export const SERVER_FIELDS = {
  type: field(
    choiceType(['stdio', 'http', 'sse', 'websocket'], ['local', 'remote', 'streamable-http', 'streamableHttp']),
    {
      doc: 'The transport; inferred from `command` (stdio) or the URL (`http:` is Streamable HTTP and falls back to SSE, `ws:` is WebSocket). What other clients write is understood: `local`, `remote`, `streamable-http`, `streamableHttp`.',
      examples: ['stdio', 'http'],
    },
  ),
  command: field(
    textType({
      expected: 'the program to run as one string (its arguments go into "args")',
      pattern: '\\S',
      expands: true,
      home: true,
      check: withoutZero('is empty after its variables are expanded'),
    }),
    {
      kinds: STDIO,
      doc: 'The program to run; `~` at its start is the home directory.',
      examples: ['npx', '~/bin/my-server'],
    },
  ),
  args: field(
    listType(textType({ expected: 'a string', ...PER_WINDOW, secret: true, check: withoutZero() }), {
      expected: 'a list of strings',
      short: 'list of strings',
      secret: true,
    }),
    {
      fallback: [],
      written: [],
      kinds: STDIO,
      doc: 'Its arguments, one string each.',
      examples: [['-y', '@modelcontextprotocol/server-memory']],
    },
  ),
  cwd: field(
    pathType({
      expected: 'a directory',
      pattern: '\\S',
      ...PER_WINDOW,
      check: withoutZero('is empty after its variables are expanded'),
    }),
    {
      kinds: STDIO,
      doc: 'Where it runs; relative to the folder of the configuration file, `~` is the home directory; absent: a folder of its own, `servers/<name>` in the home of Switchboard, or the folder of the project whose configuration it is.',
      examples: ['~/projects/site', `\${workspace}`],
    },
  ),
  env: field(
    recordType(textType({ expected: 'a string', ...PER_WINDOW, secret: true, check: withoutZero() }), {
      expected: 'an object of strings',
      short: 'object of strings',
      secret: true,
      keyPattern: '^[^=\\u0000]+$',
      keyExpected: 'the name of an environment variable',
    }),
    {
      fallback: createRecord<string>([]),
      written: {},
      kinds: STDIO,
      doc: 'Environment variables, merged over a safe set that is inherited.',
      examples: [{ API_KEY: `\${MY_API_KEY}` }],
    },
  ),
  envFile: field(
    pathType({
      expected: 'the path of a file of variables',
      pattern: '\\S',
      expands: true,
      check: withoutZero('is empty after its variables are expanded'),
    }),
    {
      doc: 'A file of `NAME=value` lines, relative to the folder of the configuration file. Its variables may be named in this entry, and go before those of the environment; a local server gets them all, below those of `env`.',
      examples: ['.env'],
    },
  ),
  inheritEnv: field(booleanType, {
    fallback: false,
    written: false,
    kinds: STDIO,
    doc: 'Inherit the whole environment of Switchboard instead of the safe set.',
  }),
  install: field(textType({ expected: 'the command that installs the program', pattern: '\\S' }), {
    kinds: STDIO,
    doc: 'The command that installs the program; shown when it is missing, never run.',
    examples: ['pipx install uv'],
  }),
  url: field(
    textType({
      expected: 'an http:, https:, ws: or wss: URL',
      schemaPattern: '^(https?|wss?)://|\\$\\{',
      expands: true,
      secret: true,
    }),
    {
      kinds: REMOTE,
      doc: 'The address of a remote server.',
      examples: ['https://example.com/mcp'],
    },
  ),
  headers: field(headersType, {
    fallback: createRecord<string>([]),
    written: {},
    kinds: REMOTE,
    doc: 'HTTP headers sent with every request.',
    examples: [{ Authorization: `Bearer \${TOKEN}` }],
  }),
  oauth: field(objectType(OAUTH_TABLE), {
    fallback: readFallbacks(OAUTH_FIELDS),
    written: {},
    kinds: LOGIN,
    doc: 'The login that a server may ask for (OAuth 2.1); needed only where it takes something of yours. See below.',
  }),
  enabled: field(booleanType, {
    fallback: true,
    written: true,
    doc: '`false`: never started, listed as disabled. Its variables need not be set.',
  }),
  disabled: field(booleanType, {
    deprecated: true,
    doc: 'The inverse of `enabled`, as other clients write it.',
  }),
  era: field(choiceType(['auto', 'legacy', 'modern']), {
    fallback: 'auto',
    written: 'auto',
    doc: 'Which era of MCP it is spoken to in: `legacy` (an `initialize` handshake, up to 2025-11-25), `modern` (2026-07-28), or `auto`: the modern one where it speaks it; over HTTP one that speaks both is spoken to in the era of the agent that calls.',
  }),
  shared: field(booleanType, {
    doc: '`true`: one process or connection for everyone. `false`: one for each instance or session. Absent: `true`, but `false` for well-known servers that keep state for one client, such as a browser or a chain of thoughts.',
    examples: [true, false],
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
  idleTimeout: field(durationOrOffType, {
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
  queue: field(textType({ expected: 'the name of a queue from "queues"', pattern: NAME_PATTERN }), {
    doc: 'A queue of `queues` that this server shares with others.',
    examples: ['heavy'],
  }),
  tools: field(objectType(TOOLS_TABLE), {
    fallback: readFallbacks(TOOL_FIELDS),
    written: {},
    doc: 'Which tools are shown, and under which names; see below.',
  }),
  interactive: field(choiceType(['auto', true, false, 'private']), {
    fallback: 'auto',
    written: 'auto',
    doc: 'Whether the server asks back (sampling, elicitation, roots). `auto`: learned by watching. `true`: one agent after the other calls it. `"private"`: a process for each instance. `false`: it may never ask.',
  }),
  definitions: field(definitionsType, {
    doc: 'What becomes of a tool whose definition changes; absent: what `definitions` says of all servers.',
    examples: ['warn'],
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

/** What only other clients read, each with what it is to them: an entry that is pasted from one is not refused for it. */
export const IGNORED_KEYS = {
  alwaysAllow: 'Of other clients: tools that need no approval.',
  autoApprove: 'Of other clients: tools that need no approval.',
  trust: 'Of other clients: whether calls need an approval.',
  description: 'Of other clients: what the server is for.',
  icon: 'Of other clients: its picture.',
  tags: 'Of other clients: what it is found by.',
  gallery: 'Of other clients: where it was installed from.',
  version: 'Of other clients: what was installed.',
  source: 'Of other clients: who has added it.',
  watchPaths: 'Of other clients: files whose change restarts it.',
} as const

/** What an entry of ours may hold. */
export const SERVER_KEYS: readonly string[] = Object.keys(SERVER_FIELDS)

/** The transport as it may be written, also by other clients. */
export type ServerType = NonNullable<ValuesOf<typeof SERVER_FIELDS>['type']>

/** What a person writes. */
export type ServerInput = InputOf<typeof SERVER_FIELDS>
export type ToolRulesInput = InputOf<typeof TOOL_FIELDS>
