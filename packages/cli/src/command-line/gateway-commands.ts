/** What agents connect to: the HTTP gateway, the stdio front, and the tokens that open the first. */
import { EXIT } from '../program/exit-code.ts'
import type { CommandSpec, OptionSpec } from './command-spec.ts'

const PROFILE: OptionSpec = {
  name: 'profile',
  type: 'text',
  value: '<name>',
  summary: 'Which profile of the configuration is shown. Default: default.',
}
const SERVING = [EXIT.failed, EXIT.configuration, EXIT.interrupted] as const
const EDITING = [EXIT.failed, EXIT.configuration] as const

export const GATEWAY_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'serve',
    summary: 'Run the servers behind one HTTP endpoint that agents connect to.',
    description: [
      'Serves every MCP revision on one address: Streamable HTTP at /mcp and /mcp/<profile>, HTTP+SSE at /sse, WebSocket at /ws; /healthz, /readyz and /metrics for whoever watches it.',
      'On Linux your own programs need the address alone; every other caller, and every one where the system cannot tell, needs a token. One is made, and printed where it is needed. Ctrl-C lets calls under way finish, then stops everything.',
    ],
    arguments: [],
    options: [
      {
        name: 'port',
        short: 'p',
        type: 'text',
        value: '<port>',
        summary: 'The port; 0: any free one. Default: 19877.',
      },
      { name: 'host', type: 'text', value: '<address>', summary: 'Where to listen. Default: 127.0.0.1.' },
      {
        name: 'drain',
        type: 'text',
        value: '<duration>',
        summary: 'How long calls may finish at the end. Default: 5s.',
      },
    ],
    examples: [
      { command: 'switchboard serve', what: 'then connect a client to http://127.0.0.1:19877/mcp' },
      { command: 'switchboard serve --port 0 --json', what: 'any free port, told as JSON' },
    ],
    exitCodes: SERVING,
    needs: 'home',
    load: () => import('../commands/serve.ts'),
  },
  {
    name: 'mcp',
    summary: 'Speak MCP on stdin and stdout: what an agent starts.',
    description: [
      'A thin line between one agent and the daemon, which is started if none runs. It ends when its input does or its parent is gone, and goes on when the daemon is restarted.',
      'With --standalone there is no daemon: the configured servers run in this process, for this agent alone.',
      'A window is known by SWITCHBOARD_INSTANCE_ID; without one it gets a fresh id.',
    ],
    arguments: [],
    options: [
      {
        name: 'standalone',
        type: 'flag',
        summary: 'Run everything in this process, for CI and containers.',
      },
      PROFILE,
      {
        name: 'workspace',
        type: 'text',
        value: '<dir>',
        summary: 'The folder that the window is about. Default: the current one, unless that is the home.',
      },
      { name: 'no-project', type: 'flag', summary: 'Read no configuration of that folder, trusted or not.' },
      {
        name: 'timeout',
        type: 'text',
        value: '<duration>',
        summary: 'The budget of a call where its server sets none.',
      },
    ],
    examples: [
      { command: 'switchboard mcp', what: 'the command of an entry in your client’s configuration' },
      { command: 'switchboard mcp --profile small', what: 'with fewer tools' },
      { command: 'switchboard mcp --standalone', what: 'without a daemon' },
    ],
    exitCodes: SERVING,
    needs: 'home',
    load: () => import('../commands/mcp.ts'),
  },
  {
    name: 'token create',
    summary: 'Create a token that lets a client in over HTTP.',
    description: ['The token is shown once and kept only as a hash.'],
    arguments: [{ name: 'name', required: true, summary: 'what the token is for' }],
    options: [
      { ...PROFILE, summary: 'The only profile it may use. Default: any.' },
      {
        name: 'expires',
        type: 'text',
        value: '<duration>',
        summary: 'How long it is good: 12h, 168h. Default: for ever.',
      },
    ],
    examples: [{ command: 'switchboard token create laptop', what: 'send it as "Authorization: Bearer …"' }],
    exitCodes: EDITING,
    needs: 'home',
    load: () => import('../commands/token-create.ts'),
  },
  {
    name: 'token list',
    summary: 'List the tokens: what they are for and when they were used.',
    arguments: [],
    options: [],
    examples: [{ command: 'switchboard token list', what: 'who may come in' }],
    exitCodes: EDITING,
    needs: 'home',
    load: () => import('../commands/token-list.ts'),
  },
  {
    name: 'token revoke',
    summary: 'Revoke a token; it is refused from the next request on.',
    arguments: [{ name: 'token', required: true, summary: 'its id or its name' }],
    options: [],
    examples: [{ command: 'switchboard token revoke laptop', what: 'by its name' }],
    exitCodes: EDITING,
    needs: 'home',
    load: () => import('../commands/token-revoke.ts'),
  },
]
