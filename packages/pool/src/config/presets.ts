/**
 * Ready-made servers, off unless `presets` asks for them. They are written as a user would write them and go through
 * the same checker. A missing program is a state of the server, so each says how to install what it needs.
 */
import type { ServerInput } from './server-fields.ts'

export const PRESET_NAMES = ['dmn'] as const

export interface PresetServer {
  readonly entry: ServerInput
  /**
   * It works on files, so it needs the folder of `presetRoot`: as the folder that it runs in, or as its last argument too.
   * Without one it is listed as disabled: no folder is a safe guess.
   */
  readonly root?: 'folder' | 'argument'
  /** Without this variable the server is listed as disabled. */
  readonly needs?: { readonly variable: string; readonly cure: string }
}

const NODE = 'install Node.js with npm from https://nodejs.org, which brings npx'
const UV = 'pipx install uv'

function npx(...args: string[]): ServerInput {
  return { command: 'npx', args: ['-y', ...args], install: NODE }
}

function uvx(...args: string[]): ServerInput {
  return { command: 'uvx', args, install: UV }
}

export const PRESETS: Readonly<Record<(typeof PRESET_NAMES)[number], ReadonlyMap<string, PresetServer>>> = {
  dmn: new Map<string, PresetServer>([
    ['shell', { entry: uvx('mcp-server-shell'), root: 'folder' }],
    ['filesystem', { entry: npx('@modelcontextprotocol/server-filesystem'), root: 'argument' }],
    ['text-editor', { entry: uvx('mcp-text-editor'), root: 'folder' }],
    ['grep', { entry: npx('mcp-ripgrep'), root: 'folder' }],
    ['memory', { entry: npx('@modelcontextprotocol/server-memory') }],
    [
      'web',
      {
        entry: {
          ...npx('@brave/brave-search-mcp-server', '--transport', 'stdio'),
          env: { BRAVE_API_KEY: `\${BRAVE_API_KEY}` },
        },
        needs: { variable: 'BRAVE_API_KEY', cure: 'get a key from https://brave.com/search/api and set the variable' },
      },
    ],
  ]),
}
