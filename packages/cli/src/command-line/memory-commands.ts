/** What agents remember, for the person whose memory it is. */
import { EXIT } from '../program/exit-code.ts'
import type { ArgumentSpec, CommandSpec, OptionSpec } from './command-spec.ts'

const EXIT_CODES = [EXIT.failed, EXIT.configuration, EXIT.unavailable, EXIT.tryAgain, EXIT.interrupted] as const

const ALL: OptionSpec = { name: 'all', type: 'flag', summary: 'Of every project.' }
const PROJECT: OptionSpec = {
  name: 'project',
  type: 'text',
  value: '<folder>',
  summary: 'Of this project. Default: the one of the current folder.',
}
const KIND: OptionSpec = {
  name: 'kind',
  short: 'k',
  type: 'list',
  value: '<kind>',
  choices: ['checkpoint', 'remediation', 'skill'],
  summary: 'Only this kind. Repeatable.',
}
const TAG: OptionSpec = {
  name: 'tag',
  type: 'list',
  value: '<tag>',
  summary: 'Only what has this tag; all of them, where it is given again.',
}
const LIMIT: OptionSpec = { name: 'limit', short: 'n', type: 'text', value: '<n>', summary: 'At most so many.' }
const YES: OptionSpec = { name: 'yes', short: 'y', type: 'flag', summary: 'Do not ask.' }
const FORCE: OptionSpec = { name: 'force', type: 'flag', summary: 'Replace the file if it is there.' }
const FILE: OptionSpec = {
  name: 'file',
  short: 'f',
  type: 'text',
  value: '<file>',
  summary: 'Take it from this file (- is stdin), without an editor.',
}
const FILTERS = [PROJECT, ALL, KIND, TAG] as const

const ID: ArgumentSpec = {
  name: 'id',
  required: true,
  summary: 'an id, or as much of its beginning as no other has',
}
const SKILL: ArgumentSpec = { name: 'skill', required: true, summary: 'its name or its id' }

const TARGET: ArgumentSpec = { name: 'file', required: false, summary: 'a new file; - or none: stdout' }
const SOURCE: ArgumentSpec = { name: 'file', required: true, summary: 'the file; - is stdin' }

const common = { exitCodes: EXIT_CODES, needs: 'home' } as const

export const MEMORY_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'memory list',
    aliases: ['memory ls'],
    summary: 'List what is remembered of this project, the newest first.',
    description: [
      'What all projects share (skills, most remediations) is listed as well. docs/memory.md tells what is kept.',
    ],
    arguments: [],
    options: [...FILTERS, LIMIT],
    examples: [
      { command: 'switchboard memory list', what: 'of the project of this folder' },
      { command: 'switchboard memory list --all --kind remediation', what: 'every fix that was kept' },
    ],
    ...common,
    load: () => import('../commands/memory-list.ts'),
  },
  {
    name: 'memory search',
    summary: 'Search what is remembered, as an agent would.',
    arguments: [{ name: 'query', required: true, repeats: true, summary: 'what to look for' }],
    options: [...FILTERS, LIMIT],
    examples: [{ command: 'switchboard memory search connection refused', what: 'what is known of it here' }],
    ...common,
    load: () => import('../commands/memory-search.ts'),
  },
  {
    name: 'memory show',
    summary: 'Show one of them in full.',
    arguments: [ID],
    options: [],
    examples: [{ command: 'switchboard memory show 3f2a91c0', what: 'the one that list shows by this id' }],
    ...common,
    load: () => import('../commands/memory-show.ts'),
  },
  {
    name: 'memory delete',
    aliases: ['memory rm'],
    summary: 'Forget what has these ids, for good.',
    description: ['It shows what would go and asks first. A skill goes with its history.'],
    arguments: [{ ...ID, repeats: true }],
    options: [YES],
    examples: [{ command: 'switchboard memory delete 3f2a91c0', what: 'asks, then forgets it' }],
    ...common,
    load: () => import('../commands/memory-delete.ts'),
  },
  {
    name: 'memory export',
    summary: 'Write what is remembered as lines of JSON.',
    description: [
      'To stdout, or into a file that only you can read. `switchboard export` writes the whole store, with the history of skills.',
    ],
    arguments: [TARGET],
    options: [...FILTERS, FORCE],
    examples: [{ command: 'switchboard memory export notes.jsonl --all', what: 'everything, into a file' }],
    ...common,
    load: () => import('../commands/memory-export.ts'),
  },
  {
    name: 'memory import',
    summary: 'Take in what `memory export` wrote.',
    description: [
      'What has the id of something that is there replaces it. Lines that are wrong are told with their numbers, and the others are taken.',
    ],
    arguments: [SOURCE],
    options: [{ ...PROJECT, summary: 'What belongs to a project belongs to this one from then on.' }],
    examples: [
      { command: 'switchboard memory import notes.jsonl', what: 'as it was' },
      { command: 'switchboard memory import notes.jsonl --project .', what: 'of a clone in another place' },
    ],
    ...common,
    load: () => import('../commands/memory-import.ts'),
  },
  {
    name: 'memory eval',
    summary: 'Measure on what is stored whether search by meaning helps.',
    description: [
      'Needs an encoder (`packs.memory.encoder`, docs/memory-encoders.md). What is found out is kept: search goes by meaning where it helps, and nowhere else. Nothing that is stored is touched.',
    ],
    arguments: [{ name: 'what', required: false, repeats: true, summary: 'checkpoints, remediations …; default: all' }],
    options: [],
    examples: [{ command: 'switchboard memory eval', what: 'words, meaning, and both, side by side' }],
    ...common,
    load: () => import('../commands/memory-eval.ts'),
  },
  {
    name: 'memory backup',
    summary: 'Copy the whole store to data/backups in the home, now.',
    description: [
      'The daemon does so by itself once a day (`daemon.backup`). The last two copies stay. Works while agents read and write.',
    ],
    arguments: [],
    options: [{ name: 'list', type: 'flag', summary: 'Only list the copies that there are.' }],
    examples: [{ command: 'switchboard memory backup', what: 'before something daring' }],
    ...common,
    load: () => import('../commands/memory-backup.ts'),
  },
  {
    name: 'export',
    summary: 'Write the whole store as lines of JSON.',
    description: [
      'Everything that packs keep, of every project, whatever engine keeps it: `switchboard import` takes it in elsewhere, also from SQLite into PostgreSQL and back. To stdout, or into a file that only you can read.',
    ],
    arguments: [TARGET],
    options: [
      {
        name: 'vectors',
        type: 'flag',
        summary: 'Also what an encoder made of the texts. It is large, and can be made again.',
      },
      FORCE,
    ],
    examples: [{ command: 'switchboard export everything.jsonl', what: 'the whole store' }],
    ...common,
    load: () => import('../commands/export.ts'),
  },
  {
    name: 'import',
    summary: 'Take in what `export` wrote.',
    description: [
      'Of two with the same id, the one that was changed later stays. Done twice it changes nothing. Lines that are wrong are told with their numbers, and the others are taken.',
    ],
    arguments: [SOURCE],
    options: [],
    examples: [{ command: 'switchboard import everything.jsonl', what: 'into the store of this home' }],
    ...common,
    load: () => import('../commands/import.ts'),
  },
  {
    name: 'skill list',
    aliases: ['skill ls'],
    summary: 'List the skills.',
    description: ['How something is done, kept by agents or by you; every window has them, also as prompts.'],
    arguments: [],
    options: [TAG],
    examples: [{ command: 'switchboard skill list', what: 'with how often each was used, and worked' }],
    ...common,
    load: () => import('../commands/skill-list.ts'),
  },
  {
    name: 'skill show',
    summary: 'Show a skill with its content.',
    arguments: [SKILL],
    options: [],
    examples: [{ command: 'switchboard skill show deploy-to-staging', what: 'as an agent reads it' }],
    ...common,
    load: () => import('../commands/skill-show.ts'),
  },
  {
    name: 'skill new',
    summary: 'Write a skill in your editor.',
    description: [
      'Opens $VISUAL, $EDITOR, or what this system has. What you wrote is never lost: where it cannot be taken, you are asked to edit it again, and its file is named.',
    ],
    arguments: [{ name: 'name', required: true, summary: 'such as "Deploy to staging"' }],
    options: [FILE],
    examples: [{ command: 'switchboard skill new "Deploy to staging"', what: 'opens the editor' }],
    ...common,
    load: () => import('../commands/skill-new.ts'),
  },
  {
    name: 'skill edit',
    summary: 'Change a skill in your editor.',
    description: ['Another content is another version: the next one, unless you write a higher. The old one is kept.'],
    arguments: [SKILL],
    options: [FILE],
    examples: [
      { command: 'EDITOR=nano switchboard skill edit deploy-to-staging', what: 'in the editor of your choice' },
    ],
    ...common,
    load: () => import('../commands/skill-edit.ts'),
  },
  {
    name: 'skill delete',
    aliases: ['skill rm'],
    summary: 'Delete a skill with its history, for good.',
    arguments: [SKILL],
    options: [YES],
    examples: [{ command: 'switchboard skill delete deploy-to-staging --yes', what: 'without being asked' }],
    ...common,
    load: () => import('../commands/skill-delete.ts'),
  },
  {
    name: 'skill history',
    summary: 'List the versions of a skill.',
    arguments: [SKILL],
    options: [],
    examples: [{ command: 'switchboard skill history deploy-to-staging', what: 'what it was before' }],
    ...common,
    load: () => import('../commands/skill-history.ts'),
  },
]
