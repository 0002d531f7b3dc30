/** Finding out what happened, and what is wrong. */
import { EXIT } from '../exit-code.ts'
import type { CommandSpec } from './command-spec.ts'

export const DIAGNOSIS_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'trace',
    summary: 'Show the whole way of one call: every step of every process, with its time.',
    description: [
      'Merges the audit trail with the logs of all processes. What is between the start and the end of a call is logged at the level debug (SWITCHBOARD_LOG_LEVEL=debug).',
    ],
    arguments: [
      { name: 'id', required: false, summary: 'a trace id or its beginning; with --last: how many calls to list' },
    ],
    options: [{ name: 'last', short: 'l', type: 'flag', summary: 'List the last calls and their ids. Default: 20.' }],
    examples: [
      { command: 'switchboard trace --last 5', what: 'the last five calls' },
      { command: 'switchboard trace 4bf92f35', what: 'one of them, step by step' },
    ],
    exitCodes: [EXIT.failed],
    needs: 'home',
    load: () => import('../commands/trace.ts'),
  },
]
