/**
 * The agents' own programs: where each keeps its list of MCP servers, on every system, and by what one can tell that it
 * is there. The one table of such places: `find-clients.ts` and the doctor read it. Nothing is looked at here.
 */
import { posix, win32 } from 'node:path'

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** The person's home folder. */
  readonly home: string
}

export const CLIENT_IDS = [
  'claude-code',
  'claude-desktop',
  'cursor',
  'vscode',
  'vscode-insiders',
  'windsurf',
  'codex',
  'gemini',
  'zed',
] as const

export type ClientId = (typeof CLIENT_IDS)[number]

/** A file that lists servers. */
export interface ServerList {
  readonly file: string
  /** Where in the file: the keys down to the object whose members are the servers. `*` stands for every key. */
  readonly path: readonly string[]
  readonly format: 'json' | 'toml'
  /** Where in the file lists say which of the servers are started at all, and which are not. */
  readonly allowed?: readonly (readonly string[])[]
  readonly excluded?: readonly (readonly string[])[]
}

export interface ClientPlaces {
  readonly id: ClientId
  readonly name: string
  /** Any of these folders or files tells that it was used here. */
  readonly signs: readonly string[]
  /** Its program's names on the PATH. */
  readonly programs: readonly string[]
  /** For all projects, the main one first. */
  readonly user: readonly ServerList[]
  /** Relative to a project's folder. */
  readonly project: readonly ServerList[]
  /** Folders of extensions that it may have loaded; absent: it has none. */
  readonly extensions?: readonly string[]
}

/** As it has them, and as it once had them. */
const GEMINI_LISTS: Pick<ServerList, 'allowed' | 'excluded'> = {
  allowed: [['mcp', 'allowed'], ['allowMCPServers']],
  excluded: [['mcp', 'excluded'], ['excludeMCPServers']],
}

export function listClientPlaces(machine: Machine): ClientPlaces[] {
  const { env, platform, home } = machine
  const { join } = pathOf(machine)
  const isWindows = platform === 'win32'
  const roaming = env.APPDATA || join(home, 'AppData', 'Roaming')
  const support = join(home, 'Library', 'Application Support')
  const config = env.XDG_CONFIG_HOME || join(home, '.config')
  /** Where programs with a window keep their data. */
  const data = isWindows ? roaming : platform === 'darwin' ? support : config
  const claude = env.CLAUDE_CONFIG_DIR
  const claudeFile = claude ? join(claude, '.claude.json') : join(home, '.claude.json')
  const codex = env.CODEX_HOME || join(home, '.codex')
  const gemini = join(home, '.gemini')
  const zed = isWindows ? join(roaming, 'Zed') : join(platform === 'darwin' ? join(home, '.config') : config, 'zed')
  const windsurf = join(home, '.codeium', 'windsurf')
  const cursor = join(home, '.cursor')
  const desktop = join(data, 'Claude')
  const json = (file: string, ...path: string[]): ServerList => ({ file, path, format: 'json' })
  const toml = (file: string, ...path: string[]): ServerList => ({ file, path, format: 'toml' })
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      signs: [claudeFile, claude || join(home, '.claude')],
      programs: ['claude'],
      user: [json(claudeFile, 'mcpServers'), json(claudeFile, 'projects', '*', 'mcpServers')],
      project: [json('.mcp.json', 'mcpServers')],
    },
    {
      id: 'claude-desktop',
      name: 'Claude Desktop',
      signs: [desktop],
      programs: [],
      user: [json(join(desktop, 'claude_desktop_config.json'), 'mcpServers')],
      project: [],
    },
    {
      id: 'cursor',
      name: 'Cursor',
      signs: [cursor],
      programs: ['cursor'],
      user: [json(join(cursor, 'mcp.json'), 'mcpServers')],
      project: [json(join('.cursor', 'mcp.json'), 'mcpServers')],
    },
    vsCode(
      'vscode',
      'VS Code',
      'code',
      join(env.VSCODE_PORTABLE ? join(env.VSCODE_PORTABLE, 'user-data') : join(data, 'Code'), 'User'),
      [
        ...(env.VSCODE_EXTENSIONS ? [env.VSCODE_EXTENSIONS] : []),
        ...(env.VSCODE_PORTABLE ? [join(env.VSCODE_PORTABLE, 'extensions')] : []),
        join(home, '.vscode', 'extensions'),
        join(home, '.vscode-server', 'extensions'),
      ],
    ),
    vsCode('vscode-insiders', 'VS Code Insiders', 'code-insiders', join(data, 'Code - Insiders', 'User'), [
      join(home, '.vscode-insiders', 'extensions'),
      join(home, '.vscode-server-insiders', 'extensions'),
    ]),
    {
      id: 'windsurf',
      name: 'Windsurf',
      signs: [windsurf],
      programs: ['windsurf'],
      user: [json(join(windsurf, 'mcp_config.json'), 'mcpServers')],
      project: [],
    },
    {
      id: 'codex',
      name: 'Codex',
      signs: [codex],
      programs: ['codex'],
      user: [toml(join(codex, 'config.toml'), 'mcp_servers')],
      project: [toml(join('.codex', 'config.toml'), 'mcp_servers')],
    },
    {
      id: 'gemini',
      name: 'Gemini CLI',
      signs: [gemini],
      programs: ['gemini'],
      user: [{ ...json(join(gemini, 'settings.json'), 'mcpServers'), ...GEMINI_LISTS }],
      project: [{ ...json(join('.gemini', 'settings.json'), 'mcpServers'), ...GEMINI_LISTS }],
    },
    {
      id: 'zed',
      name: 'Zed',
      signs: [zed],
      programs: ['zed', 'zeditor'],
      user: [json(join(zed, 'settings.json'), 'context_servers')],
      project: [json(join('.zed', 'settings.json'), 'context_servers')],
    },
  ]

  function vsCode(
    id: ClientId,
    name: string,
    program: string,
    folder: string,
    extensions: readonly string[],
  ): ClientPlaces {
    const settings = join(folder, 'settings.json')
    return {
      id,
      name,
      signs: [folder],
      programs: [program],
      user: [
        json(join(folder, 'mcp.json'), 'servers'),
        json(settings, 'mcp', 'servers'),
        json(settings, 'mcp.servers'),
      ],
      extensions,
      // Both read it; it is named once.
      project: id === 'vscode' ? [json(join('.vscode', 'mcp.json'), 'servers')] : [],
    }
  }
}

/** The rules of paths of that machine, which need not be this one's. */
export function pathOf({ platform }: Pick<Machine, 'platform'>): typeof posix {
  return platform === 'win32' ? win32 : posix
}
