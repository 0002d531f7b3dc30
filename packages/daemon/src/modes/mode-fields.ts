/** The keys of a mode: an instance's declared purpose, and what that purpose needs. */
import { isAbsolute, normalize } from 'node:path'
import {
  choiceType,
  createRecord,
  expandHome,
  type FieldTable,
  type FieldType,
  field,
  findEntry,
  globType,
  type KeyPath,
  listType,
  NAME_EXPECTED,
  NAME_PATTERN,
  objectType,
  pathType,
  type ReadContext,
  type RecordEntry,
  readFallbacks,
  recordType,
  refuse,
  textType,
  type ValuesOf,
  withoutZero,
} from '@switchboard/config'

/** Stands for the folder that the instance's window is about; known only when a call is made. */
export const WORKSPACE_REFERENCE = `\${workspace}`

const globs = listType(globType, { expected: 'a list of globs', short: 'list of globs' })

const MODE_TOOL_FIELDS = {
  allow: field(globs, {
    fallback: [],
    written: [],
    doc: 'Globs over exposed names (`*`, `?`). Empty: all tools.',
    examples: [['files_read*', 'ck3_*']],
  }),
  deny: field(globs, {
    fallback: [],
    written: [],
    doc: 'Globs over exposed names; deny wins.',
    examples: [['shell_*']],
  }),
} satisfies FieldTable

const MODE_TOOLS_TABLE = { name: 'modeTools', owner: 'the tools of a mode', fields: MODE_TOOL_FIELDS }

const rootText = textType({
  expected: `an absolute path, or one that begins with "~" or "${WORKSPACE_REFERENCE}"`,
  short: 'path',
  expands: true,
  check: withoutZero('is empty'),
})

/** Variables of the environment are put in here; `${workspace}` stays, for nobody knows it yet. */
const rootType: FieldType<string> = {
  ...rootText,
  read: (node, path, context) => {
    const env = { ...context.env, workspace: WORKSPACE_REFERENCE }
    const reading = rootText.read(node, path, { ...context, env })
    if (reading === undefined) return undefined
    const text = expandHome(reading.value, context.env)
    const [, below] = text.split(WORKSPACE_REFERENCE, 2)
    if (text.startsWith(WORKSPACE_REFERENCE) && /^(?:[/\\]|$)/.test(below ?? '')) return { value: text }
    if (isAbsolute(text) && !text.includes(WORKSPACE_REFERENCE)) return { value: normalize(text) }
    return refuse(context, node, path, rootText.expected)
  },
}

const MODE_FIELDS = {
  description: field(textType({ expected: 'one line that tells an agent when to choose it' }), {
    fallback: '',
    required: true,
    doc: 'What the mode is for, in one line. Agents choose by it.',
    examples: ['Changing mods: reads everything, writes only in the mod folders'],
  }),
  tools: field(objectType(MODE_TOOLS_TABLE), {
    fallback: readFallbacks(MODE_TOOL_FIELDS),
    written: {},
    doc: 'Which tools may be called; see below. Those of Switchboard itself always may.',
  }),
  writable: field(listType(rootType, { expected: 'a list of folders', short: 'list of paths', unique: true }), {
    doc: `Folders in which a tool that is not marked read-only may be pointed at a path: absolute, \`~\`, or \`${WORKSPACE_REFERENCE}\` for the folder of the caller's window. Empty: nowhere. Absent: paths are not checked. It checks arguments; it does not sandbox a server.`,
    examples: [[WORKSPACE_REFERENCE, '~/mods']],
  }),
  instructions: field(textType({ expected: 'text for the agent' }), {
    fallback: '',
    written: '',
    doc: 'What `mode_get_instructions` tells the agent.',
  }),
  instructionsFile: field(
    pathType({ expected: 'the path of a text file', expands: true, check: withoutZero('is empty') }),
    {
      doc: 'The same from a file (UTF-8, at most 256 KiB), relative to the folder of this file. Read when it is asked for.',
      examples: ['modes/review.md'],
    },
  ),
  approval: field(choiceType(['none', 'person']), {
    fallback: 'none',
    written: 'none',
    doc: '`person`: an agent that wants to change into this mode needs a yes of the person at its client.',
  }),
} satisfies FieldTable

const MODE_TABLE = { name: 'mode', owner: 'a mode', fields: MODE_FIELDS }

export const modesField = field(
  recordType(objectType(MODE_TABLE), {
    keyPattern: NAME_PATTERN,
    keyExpected: NAME_EXPECTED,
    expected: 'an object of modes',
    short: 'object of modes',
    check: (entries, path, context) => reportTwoInstructions(entries, path, context),
  }),
  {
    fallback: createRecord<ModeConfig>([]),
    written: {},
    doc: 'Purposes that an agent has to declare before it calls tools ([modes.md](modes.md)). Empty: nothing is asked.',
    examples: [{ review: { description: 'Reads, changes nothing', tools: { allow: ['files_read*'] } } }],
  },
)

function reportTwoInstructions(entries: readonly RecordEntry<ModeConfig>[], path: KeyPath, context: ReadContext): void {
  for (const { key, node, value } of entries) {
    if (value.instructions === '' || value.instructionsFile === undefined) continue
    context.problems.report({
      path: [...path, key, 'instructionsFile'],
      offset: findEntry(node, 'instructionsFile')?.keyOffset,
      problem: 'is there beside "instructions"',
      expected: 'one of the two',
    })
  }
}

/**
 * An instance's declared purpose. `tools` are globs over exposed names; `writable` are absolute paths, or such that
 * begin with `${workspace}` (undefined: paths are not looked at); the text of `instructionsFile` stands in place of
 * `instructions`.
 */
export type ModeConfig = ValuesOf<typeof MODE_FIELDS>
