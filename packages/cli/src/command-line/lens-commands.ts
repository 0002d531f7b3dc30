/** The index of a folder, and playsets, for people. */
import { EXIT } from '../program/exit-code.ts'
import type { CommandSpec, OptionSpec } from './command-spec.ts'

const EXIT_CODES = [EXIT.failed, EXIT.configuration, EXIT.unavailable, EXIT.tryAgain, EXIT.interrupted] as const

const FOLDER: OptionSpec = {
  name: 'in',
  type: 'text',
  value: '<folder>',
  summary: 'Of this folder. Default: the current one.',
}
const LIMIT: OptionSpec = { name: 'limit', short: 'n', type: 'text', value: '<n>', summary: 'At most so many.' }
const KIND: OptionSpec = { name: 'kind', short: 'k', type: 'text', value: '<kind>', summary: 'Only this kind.' }
const PATH: OptionSpec = { name: 'path', type: 'text', value: '<text>', summary: 'Only paths that have this in them.' }

const common = { exitCodes: EXIT_CODES, needs: 'home' } as const

export const LENS_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'lens status',
    summary: 'Show what of this folder is indexed, and how current that is.',
    description: ['It indexes nothing by itself: `switchboard lens build` does. docs/lens.md tells how it works.'],
    arguments: [],
    options: [FOLDER],
    examples: [{ command: 'switchboard lens status', what: 'files, symbols, problems, what waits' }],
    ...common,
    load: () => import('../commands/lens-status.ts'),
  },
  {
    name: 'lens build',
    summary: 'Bring the index of this folder up to date, and wait for it.',
    description: [
      'A build that is interrupted goes on by itself in the daemon, and where none runs at the next start.',
    ],
    arguments: [],
    options: [FOLDER, { name: 'fresh', type: 'flag', summary: 'Read every file again.' }],
    examples: [{ command: 'switchboard lens build', what: 'shows a bar while it lasts' }],
    ...common,
    load: () => import('../commands/lens-build.ts'),
  },
  {
    name: 'lens search',
    summary: 'Find symbols, text and files, as an agent would.',
    arguments: [
      { name: 'query', required: true, repeats: true, summary: 'words that must all be there; word* is a beginning' },
    ],
    options: [FOLDER, KIND, PATH, LIMIT],
    examples: [{ command: 'switchboard lens search readConfig', what: 'definitions first, then lines, then files' }],
    ...common,
    load: () => import('../commands/lens-search.ts'),
  },
  {
    name: 'lens diagnostics',
    summary: 'List what is wrong in the files of this folder.',
    arguments: [],
    options: [
      FOLDER,
      { name: 'code', type: 'text', value: '<code>', summary: 'Only this code, or all that begin with it: syntax.' },
      {
        name: 'severity',
        type: 'text',
        value: '<severity>',
        choices: ['error', 'warning', 'information'],
        summary: 'Only these.',
      },
      PATH,
      LIMIT,
    ],
    examples: [{ command: 'switchboard lens diagnostics --severity error', what: 'what a parser stumbles over' }],
    ...common,
    load: () => import('../commands/lens-diagnostics.ts'),
  },
  {
    name: 'lens conflicts',
    summary: 'Show what the mods of a playset override of each other, the harmful first.',
    description: [
      'Of the active playset, or of the mod in the current folder. What is meant so (of the game by a mod, of a mod by its compatch) is left out unless you ask.',
    ],
    arguments: [],
    options: [
      { name: 'playset', type: 'text', value: '<name>', summary: 'Of this one. Default: the active one.' },
      { name: 'class', type: 'text', value: '<class>', summary: 'Only this class: file_shadow, key_override …' },
      { name: 'mod', type: 'text', value: '<text>', summary: 'Only where a mod of this name takes part.' },
      { name: 'folder', type: 'text', value: '<folder>', summary: 'Only below this folder: common/traits.' },
      KIND,
      { name: 'key', type: 'text', value: '<name>', summary: 'Only of what is defined under this name.' },
      { name: 'intended', type: 'flag', summary: 'Also what is meant so.' },
      LIMIT,
    ],
    examples: [
      { command: 'switchboard lens conflicts', what: 'lost keys first' },
      { command: 'switchboard lens conflicts --kind trait --key brave', what: 'all about one' },
    ],
    ...common,
    load: () => import('../commands/lens-conflicts.ts'),
  },
  {
    name: 'playset list',
    aliases: ['playset ls'],
    summary: 'List the playsets that were added.',
    arguments: [],
    options: [],
    examples: [{ command: 'switchboard playset list', what: 'the active one is marked' }],
    ...common,
    load: () => import('../commands/playset-list.ts'),
  },
  {
    name: 'playset show',
    summary: 'Show the mods of a playset in their order.',
    arguments: [
      { name: 'name', required: false, summary: 'default: the active one, or the mod of the current folder' },
    ],
    options: [],
    examples: [{ command: 'switchboard playset show', what: 'layers, lowest first, and what is missing' }],
    ...common,
    load: () => import('../commands/playset-show.ts'),
  },
  {
    name: 'playset add',
    summary: 'Let agents see a playset: the folders of its mods, and the game.',
    description: [
      "A list of mods: the launcher's database (launcher-v2.sqlite), dlc_load.json, its export, our own JSON, one .mod file or the folder of a mod. Only you can add one: an agent chooses among those that are there. docs/lens.md tells more.",
    ],
    arguments: [{ name: 'file', required: true, summary: 'the list of mods' }],
    options: [
      { name: 'name', type: 'text', value: '<name>', summary: 'What it is called. Default: as the file.' },
      { name: 'within', type: 'text', value: '<name>', summary: "Which of the launcher's. Default: its active one." },
      { name: 'game', type: 'text', value: '<folder>', summary: 'Where the game is installed.' },
      {
        name: 'user-folder',
        type: 'text',
        value: '<folder>',
        summary: "The game's folder in Documents: mod/ and logs/ are in it. Default: the folder of the list.",
      },
      { name: 'workshop', type: 'text', value: '<folder>', summary: 'Where Steam keeps the mods by their numbers.' },
    ],
    examples: [
      {
        command: 'switchboard playset add ~/Documents/…/launcher-v2.sqlite --game ~/Steam/…/ck3',
        what: 'the active one of the launcher',
      },
    ],
    ...common,
    load: () => import('../commands/playset-add.ts'),
  },
  {
    name: 'playset use',
    summary: 'Make a playset the active one, for every window that has chosen none itself.',
    arguments: [{ name: 'name', required: true, summary: 'as playset list shows it' }],
    options: [],
    examples: [{ command: 'switchboard playset use mine', what: 'takes effect with the next call' }],
    ...common,
    load: () => import('../commands/playset-use.ts'),
  },
  {
    name: 'playset remove',
    aliases: ['playset rm'],
    summary: 'Take a playset away again. Nothing on the disk is touched.',
    arguments: [{ name: 'name', required: true, summary: 'as playset list shows it' }],
    options: [],
    examples: [{ command: 'switchboard playset remove mine', what: 'agents no longer see it' }],
    ...common,
    load: () => import('../commands/playset-remove.ts'),
  },
]
