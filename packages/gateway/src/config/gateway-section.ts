/** The keys that say how agents reach Switchboard: the address, who may come in, what each profile shows. */
import {
  booleanType,
  choiceType,
  createRecord,
  durationType,
  type FieldTable,
  field,
  globType,
  integerType,
  listType,
  NAME_EXPECTED,
  NAME_PATTERN,
  objectType,
  readFallbacks,
  recordType,
  section,
  textType,
  type ValuesOf,
} from '@switchboard/config'

const texts = (expected: string, short: string) =>
  listType(textType({ expected }), { expected: `a list: ${expected}`, short, unique: true })

const PROFILE_TOOL_FIELDS = {
  allow: field(listType(globType, { expected: 'a list of globs', short: 'list of globs' }), {
    fallback: [],
    written: [],
    doc: 'Globs over exposed names (`*`, `?`). Empty: all tools.',
    examples: [['files_*']],
  }),
  deny: field(listType(globType, { expected: 'a list of globs', short: 'list of globs' }), {
    fallback: [],
    written: [],
    doc: 'Globs over exposed names; deny wins.',
    examples: [['*_delete*']],
  }),
} satisfies FieldTable

const PROFILE_TOOLS_TABLE = { name: 'profileTools', owner: 'the tools of a profile', fields: PROFILE_TOOL_FIELDS }

const PROFILE_FIELDS = {
  providers: field(texts('the name of a server', 'list of names'), {
    doc: 'The servers that the profile shows. Absent: all.',
    examples: [['files', 'memory']],
  }),
  tools: field(objectType(PROFILE_TOOLS_TABLE), {
    fallback: readFallbacks(PROFILE_TOOL_FIELDS),
    written: {},
    doc: 'Which of their tools; see below.',
  }),
  search: field(booleanType, {
    fallback: false,
    written: false,
    doc: 'List `tool_search`, `tool_describe` and `tool_call` in place of all tools.',
  }),
  pinned: field(texts('the exposed name of a tool', 'list of names'), {
    fallback: [],
    written: [],
    doc: 'Tools that stay listed with `search`.',
  }),
} satisfies FieldTable

const PROFILE_TABLE = { name: 'profile', owner: 'a profile', fields: PROFILE_FIELDS }

const RATE_FIELDS = {
  perSecond: field(integerType(1, 100_000), {
    fallback: 10,
    required: true,
    unit: 'calls',
    doc: 'Calls a second of one caller.',
  }),
  burst: field(integerType(1, 100_000), {
    fallback: 20,
    written: 20,
    unit: 'calls',
    doc: 'How many may come at once.',
  }),
} satisfies FieldTable

const RATE_TABLE = { name: 'rate', owner: 'a rate', fields: RATE_FIELDS }

const OAUTH_FIELDS = {
  issuer: field(textType({ expected: 'the URL of the authorization server' }), {
    fallback: '',
    required: true,
    doc: 'The authorization server whose tokens are accepted.',
    examples: ['https://login.example.com'],
  }),
  audience: field(textType({ expected: 'the audience of the tokens' }), {
    fallback: '',
    required: true,
    doc: 'The audience that a token must be made for.',
    examples: ['https://switchboard.example.com/mcp'],
  }),
  jwksUri: field(textType({ expected: 'a URL' }), {
    doc: 'Where its keys are. Absent: found by its metadata.',
  }),
  scopes: field(texts('a scope', 'list of scopes'), {
    fallback: [],
    written: [],
    doc: 'Scopes that a token must have.',
  }),
} satisfies FieldTable

const OAUTH_TABLE = { name: 'oauth', owner: 'oauth', title: 'OAuth', fields: OAUTH_FIELDS }

const GATEWAY_FIELDS = {
  host: field(textType({ expected: 'an address to listen on' }), {
    fallback: '127.0.0.1',
    written: '127.0.0.1',
    doc: 'Where agents connect. Anything but loopback needs authentication. `SWITCHBOARD_HTTP_HOST` overrides it.',
  }),
  port: field(integerType(0, 65_535), {
    fallback: 19_877,
    written: 19_877,
    doc: 'The port; 0: any free one. `SWITCHBOARD_HTTP_PORT` overrides it.',
  }),
  auth: field(choiceType(['user', 'token', 'none']), {
    fallback: 'user',
    written: 'user',
    doc: 'Who may come in without a credential. `user`: the user that Switchboard runs as, where the system proves it (Linux); elsewhere nobody. `token`: nobody. `none`: every user of this machine, who can then run programs as you. Beyond loopback and with `oauth` it is `token`.',
  }),
  requireAuth: field(booleanType, {
    fallback: false,
    written: false,
    doc: 'The older way to say `auth: token`; wins over `auth`.',
  }),
  oauth: field(objectType(OAUTH_TABLE), {
    doc: 'Accept access tokens of an OAuth 2.1 authorization server.',
  }),
  allowedHosts: field(texts('a host name', 'list of hosts'), {
    fallback: [],
    written: [],
    doc: 'Further values of the Host header that are served.',
  }),
  allowedOrigins: field(texts('an origin', 'list of origins'), {
    fallback: [],
    written: [],
    doc: 'Web origins whose pages may connect, by WebSocket too, and read the answers (CORS). Pages of no other origin may, whatever machine they come from.',
  }),
  maxBodyBytes: field(integerType(1024, 256 * 1024 * 1024), {
    fallback: 4 * 1024 * 1024,
    written: 4 * 1024 * 1024,
    unit: 'bytes',
    doc: 'The largest request.',
  }),
  maxInFlight: field(integerType(1, 100_000), {
    fallback: 1024,
    written: 1024,
    unit: 'calls',
    doc: 'The most calls of one caller that are under way or wait.',
  }),
  sessionIdleTimeout: field(durationType, {
    fallback: 30 * 60_000,
    written: '30m',
    unit: 'ms',
    doc: 'A legacy session that nobody uses for so long is ended.',
  }),
  resumeGrace: field(durationType, {
    fallback: 10_000,
    written: '10s',
    unit: 'ms',
    doc: 'How long a call goes on when its stream broke, for a client that may take it up again.',
  }),
  questionTimeout: field(durationType, {
    fallback: 10 * 60_000,
    written: '10m',
    unit: 'ms',
    doc: 'How long a call waits for the answer to a question before it is cancelled.',
  }),
  modeForHttp: field(textType({ expected: 'the name of a mode' }), {
    doc: 'The mode that binds callers over HTTP, who have no instance and so cannot choose one. Absent: where `modes` are configured they may call no server.',
    examples: ['review'],
  }),
  rates: field(
    recordType(objectType(RATE_TABLE), {
      keyName: 'glob',
      keyPattern: '^\\S{1,256}$',
      keyExpected: 'a glob over exposed names of tools',
      expected: 'an object of rates',
      short: 'object of rates',
    }),
    {
      fallback: createRecord<RateConfig>([]),
      written: {},
      doc: 'How often one caller may call each of the tools that a glob names. The first that fits holds; none: no limit for servers, 10 a second and 20 at once for packs.',
      examples: [{ 'web_*': { perSecond: 5, burst: 10 } }],
    },
  ),
} satisfies FieldTable

const GATEWAY_TABLE = { name: 'gateway', owner: 'the gateway', fields: GATEWAY_FIELDS }

/** What holds where nobody says otherwise. */
export const GATEWAY_DEFAULTS: GatewayConfig = readFallbacks(GATEWAY_FIELDS)

const gatewayField = field(objectType(GATEWAY_TABLE), {
  fallback: GATEWAY_DEFAULTS,
  written: {},
  doc: 'How agents reach Switchboard over HTTP; see below.',
})

const profilesField = field(
  recordType(objectType(PROFILE_TABLE), {
    keyPattern: NAME_PATTERN,
    keyExpected: NAME_EXPECTED,
    expected: 'an object of profiles',
    short: 'object of profiles',
  }),
  {
    fallback: createRecord<ProfileConfig>([]),
    written: {},
    doc: 'Named views of the tools, for `/mcp/<profile>`, a token or `--profile`. `default` holds where none is named.',
    examples: [{ small: { providers: ['files'], search: true } }],
  },
)

export const gatewaySection = section({ fields: { profiles: profilesField, gateway: gatewayField } })

/** Durations are ms. */
export type GatewayConfig = ValuesOf<typeof GATEWAY_FIELDS>
export type ProfileConfig = ValuesOf<typeof PROFILE_FIELDS>
export type RateConfig = ValuesOf<typeof RATE_FIELDS>
