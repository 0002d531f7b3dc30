/** The daemon's own commands, and the option of all those that would rather use it. */
import { EXIT } from '../program/exit-code.ts'
import type { CommandSpec, OptionSpec } from './command-spec.ts'

export const NO_DAEMON: OptionSpec = {
  name: 'no-daemon',
  type: 'flag',
  summary: 'Run the servers for this command only, also when a daemon runs.',
}

const DRAIN: OptionSpec = {
  name: 'drain',
  type: 'text',
  value: '<duration>',
  summary: 'How long calls under way may finish; 0: not at all. Default: as configured (5s).',
}
const FORCE: OptionSpec = {
  name: 'force',
  type: 'flag',
  summary: 'End a daemon that does not answer: SIGTERM, then SIGKILL.',
}

export const DAEMON_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'up',
    summary: 'Start the daemon: the one process that runs the servers for all your agents.',
    description: [
      'Does nothing when it runs already. Agents need no up: the command they start (mcp) starts the daemon when there is none.',
      'Prints where agents connect over HTTP and, where the address alone is not enough, the header with a token.',
      'With --foreground it runs here, with a live view of servers and windows, until Ctrl-C; that is what npm start does. When a daemon runs already, its view is shown, and Ctrl-C leaves it running.',
    ],
    arguments: [],
    options: [{ name: 'foreground', short: 'f', type: 'flag', summary: 'Run here and show what happens.' }],
    examples: [
      { command: 'switchboard up', what: 'in the background' },
      { command: 'switchboard up --foreground', what: 'here; Ctrl-C stops it and everything it started' },
    ],
    exitCodes: [EXIT.failed, EXIT.configuration, EXIT.unavailable, EXIT.interrupted],
    needs: 'home',
    load: () => import('../commands/up.ts'),
  },
  {
    name: 'dashboard',
    summary: 'Open the dashboard: servers, windows, calls, logs, tools and memory, in your browser.',
    description: [
      'The daemon serves it, on this machine only, and is started when none runs. The link is good once and for an hour; what it opens ends with the daemon.',
      'Where there is no browser to be opened, the link is printed.',
    ],
    arguments: [],
    options: [{ name: 'print', short: 'p', type: 'flag', summary: 'Only print the link.' }],
    examples: [
      { command: 'switchboard dashboard', what: 'in your browser' },
      { command: 'switchboard dashboard --print', what: 'to open it elsewhere, such as through ssh -L' },
    ],
    exitCodes: [EXIT.failed, EXIT.configuration, EXIT.unavailable, EXIT.interrupted],
    needs: 'home',
    load: () => import('../commands/dashboard.ts'),
  },
  {
    name: 'down',
    summary: 'Stop the daemon, and every server with it.',
    description: [
      'Calls under way may finish first, new ones are refused; what is left after --drain is cancelled with shutting_down. Does nothing when no daemon runs. Ctrl-C only ends the waiting.',
      'A window that is open starts the daemon again with its next request.',
    ],
    arguments: [],
    options: [DRAIN, FORCE],
    examples: [
      { command: 'switchboard down', what: 'in good order' },
      { command: 'switchboard down --drain 0', what: 'at once; calls under way are cancelled' },
    ],
    exitCodes: [EXIT.failed, EXIT.unavailable, EXIT.interrupted],
    needs: 'home',
    load: () => import('../commands/down.ts'),
  },
  {
    name: 'restart',
    summary: 'Stop the daemon in good order and start it again.',
    description: ['Windows that are open are served by the new one; calls under way may finish first.'],
    arguments: [],
    options: [DRAIN, FORCE],
    examples: [{ command: 'switchboard restart', what: 'after an update, or for a new environment' }],
    exitCodes: [EXIT.failed, EXIT.configuration, EXIT.unavailable, EXIT.interrupted],
    needs: 'home',
    load: () => import('../commands/restart.ts'),
  },
]
