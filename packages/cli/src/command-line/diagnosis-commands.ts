/** Finding out what happened, and what is wrong. */
import { EXIT } from '../program/exit-code.ts'
import type { CommandSpec } from './command-spec.ts'

export const DIAGNOSIS_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'trace',
    summary: 'Show the whole way of one call: every step of every process, with its time.',
    description: [
      'When it came in, waited, was sent and was answered is kept of every call. The logs of all processes are merged with it; at the level debug (SWITCHBOARD_LOG_LEVEL=debug) they have every step.',
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
  {
    name: 'doctor',
    summary: 'Find out what is wrong, and how it is cured.',
    description: [
      'Looks at the version, the home folder and who may read it, the configuration, the daemon, the HTTP port, the servers, processes that were left behind, servers that clients start a second time from files of their own, old mode files, the logs and the disk. Nothing is changed and nothing is started.',
      'With --fix it cures what it can. A file of another program is copied first (<file>.switchboard-backup-<time>), and only the one entry is taken out of it.',
    ],
    arguments: [],
    options: [{ name: 'fix', type: 'flag', summary: 'Cure what can be cured, and say what was done.' }],
    examples: [
      { command: 'switchboard doctor', what: 'is everything all right?' },
      { command: 'switchboard doctor --fix', what: 'make it so' },
    ],
    exitCodes: [EXIT.failed, EXIT.interrupted],
    needs: 'nothing',
    load: () => import('../commands/doctor.ts'),
  },
]
