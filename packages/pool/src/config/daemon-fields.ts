/** The keys of the process in the background: who else may talk to it, and when it ends by itself. */
import type { DaemonConfig } from './daemon-config.ts'
import { field } from './field.ts'
import { durationOrOffType, durationType, type FieldType, integerType, refuse } from './field-types.ts'
import { type FieldTable, type ObjectTable, objectType, readFallbacks, readFields } from './read-fields.ts'

/** The one that `true` stands for. */
export const DEFAULT_TCP_PORT = 19_876

const TCP_FIELDS = {
  port: field(integerType(0, 65_535), {
    fallback: DEFAULT_TCP_PORT,
    written: DEFAULT_TCP_PORT,
    doc: 'The port on 127.0.0.1; 0: any free one.',
  }),
} satisfies FieldTable

export const TCP_TABLE: ObjectTable<typeof TCP_FIELDS> = { owner: 'daemon.tcp', fields: TCP_FIELDS }

const TCP_EXPECTED = 'false, true, or an object such as {"port": 19876}'

/** undefined when it is switched off. */
const tcpType: FieldType<{ readonly port: number } | undefined> = {
  expected: TCP_EXPECTED,
  short: 'boolean or object',
  schema: { anyOf: [{ type: 'boolean' }, { $ref: '#/$defs/tcp' }] },
  read: (node, path, context) => {
    if (node.scalar === false) return { value: undefined }
    if (node.scalar === true) return { value: { port: DEFAULT_TCP_PORT } }
    if (node.type !== 'object') return refuse(context, node, path, TCP_EXPECTED)
    const readings = readFields(node, path, TCP_TABLE, context)
    return readings === undefined ? undefined : { value: readings.values }
  },
}

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
  drain: field(durationType, {
    fallback: 5_000,
    written: '5s',
    unit: 'ms',
    doc: 'How long calls under way may finish when the daemon stops; then they fail with `shutting_down`.',
  }),
} satisfies FieldTable

export const DAEMON_TABLE: ObjectTable<typeof DAEMON_FIELDS> = { owner: 'the daemon', fields: DAEMON_FIELDS }

export const daemonField = field<DaemonConfig>(objectType(DAEMON_TABLE, 'object', { $ref: '#/$defs/daemon' }), {
  fallback: readFallbacks(DAEMON_FIELDS),
  written: {},
  doc: 'The process in the background that agents share; see below.',
})
