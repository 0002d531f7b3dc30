/** The keys of the built-in packs of tools. */
import { field } from './field.ts'
import { booleanType, durationType, integerType } from './field-types.ts'
import type { PacksConfig } from './pack-config.ts'
import { type FieldTable, type ObjectTable, objectType, readFallbacks } from './read-fields.ts'

const DEBUG_FIELDS = {
  enabled: field(booleanType, {
    fallback: true,
    written: true,
    doc: 'Whether agents have the debugger. Until one of them debugs, it costs nothing but its place in the list.',
  }),
  showSecrets: field(booleanType, {
    fallback: false,
    written: false,
    doc: 'Show values of a program that look like passwords, tokens or keys. An agent cannot change it.',
  }),
  maxSessions: field(integerType(1, 64), {
    fallback: 8,
    written: 8,
    unit: 'sessions',
    doc: 'How many programs one agent may debug at once; what they start themselves is not counted.',
  }),
  idleTimeout: field(durationType, {
    fallback: 1_800_000,
    written: '30m',
    unit: 'ms',
    doc: 'A session that no call was about for so long is ended, with its program.',
  }),
} satisfies FieldTable

export const DEBUG_TABLE: ObjectTable<typeof DEBUG_FIELDS> = { owner: 'packs.debug', fields: DEBUG_FIELDS }

const PACKS_FIELDS = {
  debug: field(objectType(DEBUG_TABLE, 'object', { $ref: '#/$defs/debugPack' }), {
    fallback: readFallbacks(DEBUG_FIELDS),
    written: {},
    doc: 'The debugger ([debug-tools.md](debug-tools.md)); see below.',
  }),
} satisfies FieldTable

export const PACKS_TABLE: ObjectTable<typeof PACKS_FIELDS> = { owner: 'the packs', fields: PACKS_FIELDS }

export const packsField = field<PacksConfig>(objectType(PACKS_TABLE, 'object', { $ref: '#/$defs/packs' }), {
  fallback: readFallbacks(PACKS_FIELDS),
  written: {},
  doc: 'The packs of tools that are built in; see below.',
  examples: [{ debug: { enabled: false } }],
})
