/** Taking over what clients have, and giving it back. */
import { CLIENT_IDS } from '../clients/client-places.ts'
import { EXIT } from '../program/exit-code.ts'
import type { CommandSpec } from './command-spec.ts'

export const SET_UP_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'init',
    summary: 'Take over the servers of the clients on this machine, and connect them.',
    description: [
      'Finds Claude Code, Claude Desktop, Cursor, VS Code, Windsurf, Codex, Gemini CLI and Zed, and the servers in their files. It shows which it would take over and what it would write, asks, keeps what the files held, and writes: the servers into the configuration of Switchboard, and one entry that starts Switchboard into each client. The same server in two clients becomes one; different ones of one name are named apart.',
      'Only entries are changed: comments, order and layout of the files stay, and links stay links. A file that is read-only or cannot be read is named and left alone. VS Code gets no entry: its extension registers Switchboard by itself. With --undo every file gets back the bytes that it had; where its client has changed it since, only the entries are put back.',
    ],
    arguments: [],
    options: [
      { name: 'yes', short: 'y', type: 'flag', summary: 'Write without asking.' },
      { name: 'dry-run', short: 'n', type: 'flag', summary: 'Show what would be done, and change nothing.' },
      { name: 'undo', type: 'flag', summary: 'Put everything back as it was.' },
      {
        name: 'client',
        type: 'list',
        value: '<client>',
        choices: [...CLIENT_IDS],
        summary: 'Only this client. Repeatable.',
      },
      { name: 'skip', type: 'list', value: '<server>', summary: 'Leave this server where it is. Repeatable.' },
      {
        name: 'projects',
        type: 'flag',
        summary:
          'Also the servers in files of the project that you are in, such as .mcp.json; every window has them then.',
      },
      {
        name: 'remote',
        type: 'flag',
        summary:
          'Also remote servers without a key: those that a client has signed in to would have to be signed in to anew.',
      },
      {
        name: 'variables',
        type: 'flag',
        summary:
          'Write no secret into the configuration, but the name of a variable that you set. Default: secrets are taken along.',
      },
    ],
    examples: [
      { command: 'switchboard init --dry-run', what: 'what would happen?' },
      { command: 'switchboard init', what: 'look at it, and say yes' },
      { command: 'switchboard init --client cursor --client codex', what: 'only these two' },
      { command: 'switchboard init --undo', what: 'as if nothing had been' },
    ],
    exitCodes: [EXIT.failed, EXIT.configuration, EXIT.interrupted],
    needs: 'home',
    load: () => import('../commands/init.ts'),
  },
  {
    name: 'upgrade',
    summary: 'Put another version in place of this one, from a file.',
    description: [
      'The file is what `npm run release` or `npm pack` makes: switchboard-<version>.tgz. It is looked at first, and compared with the SHA256SUMS beside it where there are any. Then the daemon is stopped, npm installs the file where this command is installed, without a network, and the daemon is started again if it ran. Homes and configurations stay as they are.',
    ],
    arguments: [],
    options: [
      { name: 'from', type: 'text', value: '<file>', summary: 'The package.' },
      { name: 'yes', short: 'y', type: 'flag', summary: 'Also where it is older than this one.' },
    ],
    examples: [{ command: 'switchboard upgrade --from switchboard-0.2.0.tgz', what: 'a file that you have' }],
    exitCodes: [EXIT.failed, EXIT.unavailable],
    needs: 'home',
    load: () => import('../commands/upgrade.ts'),
  },
  {
    name: 'uninstall',
    summary: 'Undo init, stop the daemon, and say what is left.',
    description: [
      'Gives every file that init changed its bytes back, and stops the daemon with its servers. It removes neither your configuration, logs and memory nor the program: what is left, and how it is removed, is told.',
    ],
    arguments: [],
    options: [{ name: 'yes', short: 'y', type: 'flag', summary: 'Without asking.' }],
    examples: [{ command: 'switchboard uninstall', what: 'before npm rm -g switchboard' }],
    exitCodes: [EXIT.failed, EXIT.unavailable],
    needs: 'home',
    load: () => import('../commands/uninstall.ts'),
  },
  {
    name: 'demo',
    summary:
      'A real tour in a minute: windows, modes, a kill and the recovery, a debug session, a memory, a server from npm.',
    description: [
      'Everything in it happens, in a home of its own that is removed at the end: two windows share two small servers, one server is killed, a program is debugged, what one window has learned the other one finds, and a server that npm has is added while it all runs. It needs no account and touches nothing of yours; without a network only that last server is missing.',
    ],
    arguments: [],
    options: [
      {
        name: 'serve',
        type: 'text',
        value: '<server>',
        choices: ['clock', 'ledger'],
        summary: 'Be one of the servers of the tour, on stdio; the tour itself starts them.',
      },
    ],
    examples: [{ command: 'switchboard demo', what: 'what is it like?' }],
    exitCodes: [EXIT.failed, EXIT.interrupted],
    needs: 'nothing',
    load: () => import('../commands/demo.ts'),
  },
]
