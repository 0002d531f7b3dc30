/** The one table of commands. Keep it free of imports that cost: it is read before anything is run. */
import { EXIT } from '../program/exit-code.ts'
import type { CommandSpec, OptionSpec } from './command-spec.ts'
import { DAEMON_COMMANDS, NO_DAEMON } from './daemon-commands.ts'
import { DEV_COMMANDS } from './dev-commands.ts'
import { DIAGNOSIS_COMMANDS } from './diagnosis-commands.ts'
import { GATEWAY_COMMANDS } from './gateway-commands.ts'
import { LENS_COMMANDS } from './lens-commands.ts'
import { LOG_OPTIONS } from './log-options.ts'
import { MEMORY_COMMANDS } from './memory-commands.ts'
import { MODE_COMMANDS } from './mode-commands.ts'
import { SECRET_COMMANDS } from './secret-commands.ts'
import { SERVER_COMMANDS } from './server-commands.ts'
import { SET_UP_COMMANDS } from './set-up-commands.ts'
import { TRUST_COMMANDS } from './trust-commands.ts'

const WAIT_OPTION: OptionSpec = {
  name: 'wait',
  type: 'text',
  value: '<duration>',
  summary: 'How long to wait for servers that are still starting. Default: 10s.',
}

const RUNNING = [EXIT.failed, EXIT.configuration, EXIT.unavailable, EXIT.interrupted] as const

export const COMMANDS: readonly CommandSpec[] = [
  ...SET_UP_COMMANDS,
  ...DAEMON_COMMANDS,
  {
    name: 'status',
    aliases: ['ps'],
    summary: 'Show the daemon, its servers and the windows that use them.',
    description: [
      'Of each server: state, process, uptime, restarts, calls, tools and what they cost a model. Where no daemon runs it says so, shows what is configured and starts nothing; with --no-daemon it starts the configured servers, waits until each is ready or has failed, shows them and stops them again.',
      'With --watch it goes on: on a terminal as a live view (arrow keys select, r restarts, q quits), otherwise as one line for every change. Changes of the configuration file are applied as they are saved. A daemon is left running.',
    ],
    arguments: [{ name: 'server', required: false, completes: 'servers', summary: 'only this server' }],
    options: [
      { name: 'watch', short: 'w', type: 'flag', summary: 'Go on, and show every change.' },
      WAIT_OPTION,
      NO_DAEMON,
    ],
    examples: [
      { command: 'switchboard status', what: 'what runs' },
      { command: 'switchboard status --no-daemon', what: 'does every server start?' },
      { command: 'switchboard status --watch', what: 'watch them live' },
      {
        command: 'switchboard status --json | jq ".servers[] | select(.state != \\"ready\\")"',
        what: 'which are down?',
      },
    ],
    exitCodes: RUNNING,
    needs: 'home',
    load: () => import('../commands/status.ts'),
  },
  {
    name: 'tools',
    summary: 'List the tools of all servers, or of one.',
    description: [
      'The names are those that call takes. Switchboard\'s own tools come last; "tools switchboard" lists only them. At the end stands what the list costs a model, at four characters a token; where it is over 100 tools or 20,000 tokens, what searching would save.',
    ],
    arguments: [{ name: 'server', required: false, completes: 'servers', summary: 'only the tools of this server' }],
    options: [
      { name: 'long', short: 'l', type: 'flag', summary: 'Show whole descriptions and the arguments.' },
      {
        name: 'schema',
        type: 'text',
        value: '<tool>',
        completes: 'tools',
        summary: 'Show the definition of one tool as JSON.',
      },
      {
        name: 'search',
        type: 'text',
        value: '<on|off>',
        choices: ['on', 'off'],
        summary: 'Let agents find tools by searching, in place of a list of all; or list them again.',
      },
      WAIT_OPTION,
      NO_DAEMON,
    ],
    examples: [
      { command: 'switchboard tools', what: 'everything that can be called' },
      { command: 'switchboard tools --schema everything_echo', what: 'one tool in full' },
    ],
    exitCodes: RUNNING,
    needs: 'home',
    load: () => import('../commands/tools.ts'),
  },
  {
    name: 'call',
    summary: 'Call a tool and print its answer.',
    description: [
      'The arguments are key=value pairs, which are typed by the input schema of the tool, one JSON object, or "-" to read that from stdin. A tool is named as "switchboard tools" shows it, or by its server and its own name. The daemon makes the call; where none runs, only the server of the tool is started, for this call.',
      'Progress and questions of the server go to stderr. Ctrl-C cancels the call on the server; a second one does not wait for it.',
    ],
    arguments: [
      {
        name: 'tool',
        required: true,
        completes: 'tools',
        summary: 'the name of a tool, as "switchboard tools" shows it',
      },
      {
        name: 'arguments',
        required: false,
        repeats: true,
        summary: 'key=value, and a.b=1 reaches into an object; or all of them as a JSON object; or - for stdin',
      },
    ],
    options: [
      {
        name: 'arg',
        short: 'a',
        type: 'list',
        value: '<key=value>',
        summary: 'One argument, for values that would be taken for something else. Repeatable.',
      },
      {
        name: 'timeout',
        short: 't',
        type: 'text',
        value: '<duration>',
        summary: "The call's budget, such as 90s. Default: that of the server.",
      },
      {
        name: 'profile',
        type: 'text',
        value: '<name>',
        summary: 'Only what an agent of this profile may call. Default: everything.',
      },
      {
        name: 'output',
        short: 'o',
        type: 'text',
        value: '<file>',
        summary: 'Save the image, audio or file of the answer here.',
      },
      {
        name: 'raw',
        type: 'flag',
        summary: 'Write the content as it is: text without a line end added, binary data as bytes.',
      },
      NO_DAEMON,
    ],
    examples: [
      { command: 'switchboard call everything_get-sum a=2 b=3', what: 'arguments typed by the schema' },
      { command: `switchboard call everything_echo '{"message":"hello"}'`, what: 'arguments as JSON' },
      { command: 'switchboard call everything get-sum a=2 b=3', what: 'the server, and its own name of the tool' },
      { command: 'switchboard call everything_get-tiny-image -o tiny.png', what: 'save what is not text' },
      { command: 'switchboard call everything_echo --help', what: 'what the tool takes' },
    ],
    exitCodes: [EXIT.failed, EXIT.configuration, EXIT.unavailable, EXIT.tryAgain, EXIT.interrupted],
    needs: 'home',
    load: () => import('../commands/call.ts'),
  },
  {
    name: 'logs',
    summary: 'Show the logs of all processes and servers, merged by time.',
    description: ['Times are given as an age (10m, 2h, 1d), as today or yesterday, or as a timestamp (UTC).'],
    arguments: [],
    options: LOG_OPTIONS,
    examples: [
      { command: 'switchboard logs --since 10m --level warn', what: 'what went wrong just now' },
      { command: 'switchboard logs --source server -f', what: 'follow the output of all servers' },
    ],
    exitCodes: [EXIT.failed, EXIT.interrupted],
    needs: 'home',
    load: () => import('../commands/logs.ts'),
  },
  ...DIAGNOSIS_COMMANDS,
  ...SERVER_COMMANDS,
  ...GATEWAY_COMMANDS,
  ...MODE_COMMANDS,
  ...TRUST_COMMANDS,
  ...SECRET_COMMANDS,
  ...LENS_COMMANDS,
  ...MEMORY_COMMANDS,
  ...DEV_COMMANDS,
  {
    name: 'completion',
    summary: 'Print a completion script for your shell.',
    description: [
      'It completes commands, options, and the names of servers and tools. Those it asks of the daemon; where none runs, of the configuration and of what was last seen. Nothing is started while somebody types.',
    ],
    arguments: [
      {
        name: 'shell',
        required: true,
        summary: 'bash, zsh or fish; servers or tools prints the names, which is what the scripts ask for',
        choices: ['bash', 'zsh', 'fish', 'servers', 'tools'],
      },
    ],
    options: [],
    examples: [
      { command: 'source <(switchboard completion bash)', what: 'for this bash session' },
      {
        command: 'switchboard completion fish > ~/.config/fish/completions/switchboard.fish',
        what: 'for good, in fish',
      },
    ],
    exitCodes: [],
    needs: 'nothing',
    load: () => import('../commands/completion.ts'),
  },
  {
    name: 'help',
    summary: 'Show what a command or a tool does.',
    description: [
      'Of a tool: its parameters with their bounds and defaults, what it needs and may fail with, examples, and what usually comes next. A tool of a server is looked up in the daemon; where none runs, its server is started to ask it.',
    ],
    arguments: [
      { name: 'command', required: false, summary: 'the command, or the name of a tool' },
      { name: 'subcommand', required: false, summary: 'and its second word; the tool after "call"' },
    ],
    options: [],
    examples: [
      { command: 'switchboard help server add', what: 'the same as switchboard server add --help' },
      { command: 'switchboard help everything_echo', what: 'the same as switchboard call everything_echo --help' },
    ],
    exitCodes: [EXIT.failed, EXIT.configuration, EXIT.unavailable, EXIT.interrupted],
    needs: 'nothing',
    load: () => import('../commands/help.ts'),
  },
  {
    name: 'version',
    summary: 'Show the version of Switchboard and of Node.',
    arguments: [],
    options: [],
    examples: [],
    exitCodes: [],
    needs: 'nothing',
    load: () => import('../commands/version.ts'),
  },
  {
    name: 'daemon',
    summary: 'Run the daemon: what `up` and the front start in the background; you rarely need it.',
    description: [
      'One process for all agents of this home: it runs the servers, holds the lock and listens on a local socket. It ends with SIGTERM, SIGINT or SIGHUP, by `switchboard down`, or, when `daemon.idleTimeout` is set, after so long without use.',
      'What it does is in logs/daemon.log; see docs/daemon.md.',
    ],
    arguments: [],
    options: [],
    examples: [{ command: 'switchboard daemon', what: 'in the foreground; Ctrl-C stops it' }],
    exitCodes: [EXIT.failed, EXIT.configuration, EXIT.unavailable, EXIT.lockHeld],
    needs: 'nothing',
    load: () => import('../commands/daemon.ts'),
  },
]
