/** Modes from a terminal: what is configured, what each window has declared, and a person's word on it. */
import { EXIT } from '../program/exit-code.ts'
import type { ArgumentSpec, CommandSpec } from './command-spec.ts'

const EXIT_CODES = [EXIT.failed, EXIT.configuration] as const
const INSTANCE: ArgumentSpec = { name: 'instance', required: true, summary: 'the id of a window, such as tt79-6f854d' }

export const MODE_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'mode list',
    summary: 'List the modes of the configuration.',
    description: ['A mode is what an agent declares that it is about; docs/modes.md tells what it allows.'],
    arguments: [],
    options: [],
    examples: [{ command: 'switchboard mode list', what: 'what an agent may choose from' }],
    exitCodes: EXIT_CODES,
    needs: 'home',
    load: () => import('../commands/mode-list.ts'),
  },
  {
    name: 'mode show',
    summary: 'Show the mode of each window, or of one.',
    arguments: [{ ...INSTANCE, required: false }],
    options: [],
    examples: [{ command: 'switchboard mode show', what: 'who has declared what, and who set it' }],
    exitCodes: EXIT_CODES,
    needs: 'home',
    load: () => import('../commands/mode-show.ts'),
  },
  {
    name: 'mode set',
    summary: 'Set the mode of a window; it holds from its next call on.',
    description: [
      'A person may set any mode, also one whose approval an agent would have to ask for. Needs no daemon.',
    ],
    arguments: [INSTANCE, { name: 'mode', required: true, summary: 'a mode of the configuration' }],
    options: [],
    examples: [{ command: 'switchboard mode set tt79-6f854d review', what: 'that window may do what review allows' }],
    exitCodes: EXIT_CODES,
    needs: 'home',
    load: () => import('../commands/mode-set.ts'),
  },
  {
    name: 'mode clear',
    summary: 'Take the mode of a window away; its agent has to declare one again.',
    arguments: [INSTANCE],
    options: [],
    examples: [{ command: 'switchboard mode clear tt79-6f854d', what: 'its next call fails with mode_required' }],
    exitCodes: EXIT_CODES,
    needs: 'home',
    load: () => import('../commands/mode-clear.ts'),
  },
]
