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
]
