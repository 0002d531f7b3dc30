/** The keys of the process in the background: who else may talk to it, and when it ends by itself. */
import {
  choiceType,
  durationOrOffType,
  durationType,
  type FieldTable,
  type FieldType,
  field,
  type InputOf,
  integerType,
  objectType,
  readFallbacks,
  refuse,
  section,
  textType,
  type ValuesOf,
} from '@switchboard/config'
import { modesField } from '../modes/mode-fields.ts'

/** The one that `true` stands for. */
const DEFAULT_TCP_PORT = 19_876

const TCP_FIELDS = {
  port: field(integerType(0, 65_535), {
    fallback: DEFAULT_TCP_PORT,
    written: DEFAULT_TCP_PORT,
    doc: 'The port on 127.0.0.1; 0: any free one.',
  }),
} satisfies FieldTable

const TCP_TABLE = { name: 'tcp', owner: 'daemon.tcp', title: 'TCP', fields: TCP_FIELDS }

const TCP_EXPECTED = 'false, true, or an object such as {"port": 19876}'

const tcpObject = objectType(TCP_TABLE)

/** undefined when it is switched off. */
const tcpType: FieldType<ValuesOf<typeof TCP_FIELDS> | undefined, boolean | InputOf<typeof TCP_FIELDS>> = {
  ...tcpObject,
  expected: TCP_EXPECTED,
  short: 'boolean or object',
  schema: { anyOf: [{ type: 'boolean' }, tcpObject.schema] },
  read: (node, path, context) => {
    if (node.scalar === false) return { value: undefined }
    if (node.scalar === true) return { value: { port: DEFAULT_TCP_PORT } }
    return node.type === 'object' ? tcpObject.read(node, path, context) : refuse(context, node, path, TCP_EXPECTED)
  },
}

const STORE_EXAMPLE = `postgres://user:\${PGPASSWORD}@localhost:5432/switchboard`

/** It holds a password: of a wrong one nothing is told but what it should be. */
const storeType: FieldType<string | undefined, string> = textType({
  expected: `a connection string such as "${STORE_EXAMPLE}"`,
  short: 'postgres:// string',
  expands: true,
  secret: true,
  check: (text) =>
    /^(?:postgres(?:ql)?:\/\/|\$\{)\S+$/.test(text) ? undefined : 'does not begin with postgres://, or holds a blank',
})

const DAEMON_FIELDS = {
  tcp: field(tcpType, {
    fallback: undefined,
    written: false,
    doc: 'Also listen on 127.0.0.1 (`true`: port 19876), for programs that can open no local socket. They show the token of `run/ipc-token` first. Holds from the next start.',
    examples: [true, { port: 19_900 }],
  }),
  idleTimeout: field(durationOrOffType, {
    fallback: undefined,
    written: false,
    unit: 'ms',
    doc: 'Stop when no agent is attached, no HTTP session is open and nothing was called for so long.',
    examples: ['2h'],
  }),
  keychain: field(choiceType(['auto', 'off']), {
    fallback: 'auto',
    written: 'auto',
    doc: '`auto`: what is kept secret (logins) is sealed with a key in the keychain of the system, where there is one. `off`: it lies in files that only you may read. Holds from the next start. See [logins.md](logins.md).',
  }),
  store: field(storeType, {
    fallback: undefined,
    doc: 'A PostgreSQL (15 or later; pgvector for vectors) that keeps what packs remember, in place of the file `data/store.db`: for several machines. Keep the password in a variable. Holds from the next start. See [postgresql.md](postgresql.md).',
    examples: [STORE_EXAMPLE],
  }),
  backup: field(durationOrOffType, {
    fallback: 24 * 60 * 60_000,
    written: '24h',
    unit: 'ms',
    doc: 'How often the store of the home is copied to `data/backups`, where the last two copies stay: only when something has changed since, and while nobody uses it. `false`: never.',
    examples: [false, '12h'],
  }),
  drain: field(durationType, {
    fallback: 5_000,
    written: '5s',
    unit: 'ms',
    doc: 'How long calls under way may finish when the daemon stops; then they fail with `shutting_down`.',
  }),
} satisfies FieldTable

const DAEMON_TABLE = { name: 'daemon', owner: 'the daemon', fields: DAEMON_FIELDS }

const daemonField = field(objectType(DAEMON_TABLE), {
  fallback: readFallbacks(DAEMON_FIELDS),
  written: {},
  doc: 'The process in the background that agents share; see below.',
})

export const daemonSection = section({ fields: { modes: modesField, daemon: daemonField } })

/** How the process in the background behaves. Durations are ms; undefined is off. */
export type DaemonConfig = ValuesOf<typeof DAEMON_FIELDS>
