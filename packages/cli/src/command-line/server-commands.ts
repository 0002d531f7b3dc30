/** The group `server`: everything that edits the configuration, or looks at one entry of it. */
import { REGISTRY_WAYS } from '../add/registry-ways.ts'
import { EXIT } from '../program/exit-code.ts'
import type { ArgumentSpec, CommandSpec } from './command-spec.ts'
import { LOG_FILTERS } from './log-options.ts'

const NEW_NAME: ArgumentSpec = { name: 'name', required: true, summary: 'the name of the server' }
const NAME: ArgumentSpec = { ...NEW_NAME, completes: 'servers' }
const EDITING = [EXIT.failed, EXIT.configuration] as const

export const SERVER_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'server add',
    summary: 'Add a server to the configuration.',
    description: [
      'A server that runs here is given as its command, behind a "--". A remote one is given as its address. What a README or another client has is pasted as it is: the JSON or TOML of any client as one word in quotes, or on stdin with "-", or by the file that holds it; several servers are added at once. So is a server.json of the public registry on the disk: npm, pypi, oci and nuget packages, and remotes.',
      'The file is changed in place: comments and everything else stay, and the text before is kept as config.json.bak. A daemon that runs starts the server at once, and what it makes of it is told. A well-known server that keeps state for one client, such as a browser, is private to every window unless --set shared=true.',
    ],
    arguments: [
      { name: 'name', required: false, summary: 'the name of the server; found from what is added, if it is left out' },
      {
        name: 'source',
        required: false,
        summary: 'an address, a pasted snippet, a file that holds one, or - for stdin',
      },
    ],
    rest: '-- <command> [args…]',
    options: [
      {
        name: 'env',
        short: 'e',
        type: 'list',
        value: '<K=V>',
        summary: `A variable of its environment; \${NAME} takes yours when it starts. Repeatable.`,
      },
      {
        name: 'cwd',
        type: 'text',
        value: '<dir>',
        summary: 'Where it runs. Default: a folder of its own in the home of Switchboard.',
      },
      { name: 'url', type: 'text', value: '<url>', summary: 'The address of a remote server.' },
      {
        name: 'header',
        short: 'H',
        type: 'list',
        value: '<Name: value>',
        summary: 'An HTTP header for a remote server. Repeatable.',
      },
      {
        name: 'type',
        type: 'text',
        value: '<type>',
        choices: ['stdio', 'http', 'sse', 'websocket'],
        summary: 'The transport. Default: found from the command or the address.',
      },
      {
        name: 'set',
        type: 'list',
        value: '<key=value>',
        summary: 'Any other key of docs/configuration.md: timeout=90s, tools.prefix=false. Repeatable.',
      },
      {
        name: 'way',
        type: 'text',
        value: '<way>',
        choices: [...REGISTRY_WAYS],
        summary: 'Of a server.json: which of its packages or remotes. Default: the first that can be run.',
      },
      {
        name: 'input',
        type: 'list',
        value: '<name=value>',
        summary: 'Of a server.json: an argument, variable or header that it asks for. Repeatable.',
      },
      { name: 'try', type: 'flag', summary: 'Start it once, here, and show its tools.' },
    ],
    examples: [
      {
        command: 'switchboard server add everything -- npx -y @modelcontextprotocol/server-everything',
        what: 'a server that npm has',
      },
      {
        command: `switchboard server add github --url https://example.com/mcp --header 'Authorization: Bearer \${GITHUB_TOKEN}'`,
        what: 'a remote one, its secret kept in your environment',
      },
      {
        command: `switchboard server add '{"mcpServers": {"memory": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-memory"]}}}'`,
        what: 'pasted from a README',
      },
      { command: 'switchboard server add ./server.json --input directory=/srv', what: 'as the registry describes it' },
      {
        command: 'switchboard server add db --set start=lazy --set timeout=5m -- uvx db-server',
        what: 'with settings of its own',
      },
    ],
    exitCodes: [...EDITING, EXIT.unavailable],
    needs: 'home',
    load: () => import('../commands/server-add.ts'),
  },
  {
    name: 'server edit',
    summary: 'Change the entry of a server in your editor, or one key of it.',
    description: [
      'Opens the entry as it is written, comments included, in $VISUAL or $EDITOR. What you save is checked before it is applied: where something is wrong you are told what, and may go on; the configuration is not touched until it is right. A daemon that runs restarts this server and no other.',
    ],
    arguments: [NAME],
    options: [
      {
        name: 'set',
        type: 'list',
        value: '<key=value>',
        summary: 'Set one key, without an editor: timeout=90s, tools.prefix=false. Repeatable.',
      },
      { name: 'file', type: 'text', value: '<file>', summary: 'Take the entry from this file; - is stdin.' },
    ],
    examples: [
      { command: 'switchboard server edit github', what: 'in your editor' },
      { command: 'switchboard server edit github --set timeout=5m', what: 'one key' },
    ],
    exitCodes: EDITING,
    needs: 'home',
    load: () => import('../commands/server-edit.ts'),
  },
  {
    name: 'server remove',
    aliases: ['rm', 'server rm'],
    summary: 'Remove a server from the configuration.',
    description: ['One that somebody is logged in to is logged out first, as by server logout.'],
    arguments: [NAME],
    options: [],
    examples: [
      { command: 'switchboard server remove everything', what: 'its entry goes; config.json.bak still has it' },
    ],
    exitCodes: EDITING,
    needs: 'home',
    load: () => import('../commands/server-remove.ts'),
  },
  {
    name: 'server enable',
    summary: 'Switch a server on.',
    arguments: [NAME],
    options: [],
    examples: [],
    exitCodes: EDITING,
    needs: 'home',
    load: () => import('../commands/server-enable.ts'),
  },
  {
    name: 'server disable',
    summary: 'Switch a server off without losing its entry.',
    arguments: [NAME],
    options: [],
    examples: [],
    exitCodes: EDITING,
    needs: 'home',
    load: () => import('../commands/server-disable.ts'),
  },
  {
    name: 'server list',
    aliases: ['ls', 'server ls'],
    summary: 'List the configured servers; nothing is started.',
    arguments: [],
    options: [],
    examples: [],
    exitCodes: EDITING,
    needs: 'home',
    load: () => import('../commands/server-list.ts'),
  },
  {
    name: 'server show',
    summary: 'Show the settings of a server, defaults included; secrets are masked.',
    arguments: [NAME],
    options: [],
    examples: [],
    exitCodes: EDITING,
    needs: 'home',
    load: () => import('../commands/server-show.ts'),
  },
  {
    name: 'server restart',
    summary: 'Restart a server of the daemon.',
    description: [
      'Calls to it that are under way fail with server_exited; other servers notice nothing. It is also what tries a server at once that waits for its next attempt.',
    ],
    arguments: [NAME],
    options: [],
    examples: [{ command: 'switchboard server restart everything', what: 'after an update of the server' }],
    exitCodes: [EXIT.configuration, EXIT.unavailable],
    needs: 'home',
    load: () => import('../commands/server-restart.ts'),
  },
  {
    name: 'server login',
    summary: 'Log in to a remote server, in your browser.',
    description: [
      'For a server that "needs login". It opens the page of its authorization server, waits until you are back, and says where the login is kept; the server is started again with it. Without a daemon the login is kept all the same. It is renewed by itself until you log out, or the server ends it.',
    ],
    arguments: [NAME],
    options: [
      { name: 'no-browser', type: 'flag', summary: 'Print the address only; open it on this machine, in any browser.' },
    ],
    examples: [{ command: 'switchboard server login github', what: 'in your browser' }],
    exitCodes: [EXIT.configuration, EXIT.unavailable, EXIT.interrupted],
    needs: 'home',
    load: () => import('../commands/server-login.ts'),
  },
  {
    name: 'server logout',
    summary: 'Forget the login to a remote server, here and at its authorization server.',
    arguments: [NAME],
    options: [],
    examples: [{ command: 'switchboard server logout github', what: 'its token is revoked where that is possible' }],
    exitCodes: [EXIT.configuration, EXIT.unavailable],
    needs: 'home',
    load: () => import('../commands/server-logout.ts'),
  },
  {
    name: 'server logs',
    summary: "Show a server's own output.",
    arguments: [NAME],
    options: LOG_FILTERS,
    examples: [{ command: 'switchboard server logs everything -f', what: 'follow it' }],
    exitCodes: [EXIT.failed, EXIT.interrupted],
    needs: 'home',
    load: () => import('../commands/server-logs.ts'),
  },
]
