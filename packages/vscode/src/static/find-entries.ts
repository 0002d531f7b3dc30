/** Static entries of this editor that lead to Switchboard a second time. */
import { join } from 'node:path'
import { type ClientPlaces, judgeEntries, readStaticEntries, type StaticEntry } from '@switchboard/cli/static-entries'

export interface FindEntriesOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly userHome: string
  /** Where this editor keeps the settings of its user, whatever it is called: VS Code, Insiders, VSCodium, a remote one. */
  readonly userFolder: string
  readonly editorName: string
  readonly folders: readonly string[]
  /** Where Switchboard listens over HTTP. */
  readonly port: number
}

export async function findEntries(options: FindEntriesOptions): Promise<StaticEntry[]> {
  const { env, userHome, folders, port } = options
  const machine = { env, platform: process.platform, home: userHome }
  const editor = createPlaces(options)
  const found = new Map<string, StaticEntry>()
  for (const folder of folders.length === 0 ? [userHome] : folders) {
    const { entries } = await readStaticEntries(machine, folder, [editor])
    for (const { entry } of judgeEntries(entries, { servers: [], port, extended: new Set([editor.id]) })) {
      found.set(`${entry.file}\n${entry.path.join('\n')}`, entry)
    }
  }
  return [...found.values()]
}

function createPlaces({ userFolder, editorName }: FindEntriesOptions): ClientPlaces {
  const settings = join(userFolder, 'settings.json')
  return {
    id: 'vscode',
    name: editorName,
    signs: [],
    programs: [],
    user: [
      { file: join(userFolder, 'mcp.json'), path: ['servers'], format: 'json' },
      { file: settings, path: ['mcp', 'servers'], format: 'json' },
      { file: settings, path: ['mcp.servers'], format: 'json' },
    ],
    project: [
      { file: join('.vscode', 'mcp.json'), path: ['servers'], format: 'json' },
      { file: join('.vscode', 'settings.json'), path: ['mcp', 'servers'], format: 'json' },
      { file: join('.vscode', 'settings.json'), path: ['mcp.servers'], format: 'json' },
    ],
  }
}
