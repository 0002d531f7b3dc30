/** What a person lets in, and what waits to be looked at. */
import { EXIT } from '../program/exit-code.ts'
import type { CommandSpec, OptionSpec } from './command-spec.ts'

const YES: OptionSpec = { name: 'yes', short: 'y', type: 'flag', summary: 'Do not ask.' }

const common = {
  exitCodes: [EXIT.failed, EXIT.configuration, EXIT.unavailable, EXIT.interrupted],
  needs: 'home',
} as const

export const TRUST_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'trust',
    summary: 'Show what a project would run, and let it.',
    description: [
      'The servers of .mcp.json and .switchboard/config.json in a project run for windows of that project, once a person has looked at them here. What is changed later waits to be looked at again. docs/projects.md tells more.',
    ],
    arguments: [{ name: 'folder', required: false, summary: 'of the project; default: the one you are in' }],
    options: [YES],
    examples: [
      { command: 'switchboard trust', what: 'what does this repository want to run?' },
      { command: 'switchboard trust ~/projects/site --yes', what: 'let all of it run, without being asked' },
    ],
    ...common,
    load: () => import('../commands/trust.ts'),
  },
  {
    name: 'trust list',
    aliases: ['trust ls'],
    summary: 'Show what of each server is accepted, and what is held back.',
    description: [
      'The tools, prompts and instructions of a server are accepted as they are first seen. What changes later is held back: agents do not get it until it is accepted. With a server, what changed is shown as a difference. docs/trust.md tells more.',
    ],
    arguments: [
      { name: 'server', required: false, completes: 'servers', summary: 'only this server, with what changed' },
    ],
    options: [],
    examples: [
      { command: 'switchboard trust list', what: 'does anything wait for me?' },
      { command: 'switchboard trust list everything', what: 'what changed in this server' },
    ],
    ...common,
    load: () => import('../commands/trust-list.ts'),
  },
  {
    name: 'trust accept',
    summary: 'Accept what a server changed, or one tool of it.',
    description: ['It shows what changed and asks first. What changes once more while you read goes on waiting.'],
    arguments: [
      {
        name: 'what',
        required: true,
        completes: 'servers',
        summary: 'a server, or one tool or prompt of it: files, files/read_file; or the folder of a project',
      },
    ],
    options: [YES],
    examples: [
      { command: 'switchboard trust accept everything', what: 'all that waits of this server' },
      { command: 'switchboard trust accept everything/echo --yes', what: 'this tool, without being asked' },
    ],
    ...common,
    load: () => import('../commands/trust-accept.ts'),
  },
  {
    name: 'trust revoke',
    summary: 'Take a server back: all of it is held back until it is accepted again.',
    description: ['Of a server that is not configured any more, what was kept of it is removed.'],
    arguments: [
      { name: 'server', required: true, completes: 'servers', summary: 'the server; or the folder of a project' },
    ],
    options: [],
    examples: [
      { command: 'switchboard trust revoke everything', what: 'agents get none of its tools from now on' },
      { command: 'switchboard trust revoke .', what: 'the servers of this project end' },
    ],
    ...common,
    load: () => import('../commands/trust-revoke.ts'),
  },
]
