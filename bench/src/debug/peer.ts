/** The debugger for agents that does most, from npm, in exactly this version; installed where git does not look. */
import { execFile } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, symlink } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const DEBUG_PEER = { name: 'mcp-debugger', package: '@debugmcp/mcp-debugger', version: '0.24.2' } as const

const FOLDER = fileURLToPath(new URL('../../.peers/debug', import.meta.url))

export const PEER_PROGRAM = join(FOLDER, 'node_modules', DEBUG_PEER.package, 'dist', 'cli.mjs')

/** Rejects when npm does. */
export async function installDebugPeer(say: (line: string) => void): Promise<void> {
  if ((await readInstalledVersion()) === DEBUG_PEER.version) return
  const wanted = `${DEBUG_PEER.package}@${DEBUG_PEER.version}`
  say(`installing ${wanted} into bench/.peers`)
  await mkdir(FOLDER, { recursive: true })
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts']
  const isWindows = process.platform === 'win32'
  await promisify(execFile)('npm', ['install', '--prefix', FOLDER, ...options, wanted], { shell: isWindows })
}

/**
 * It looks for a program `rdbg`, and some systems have the version in the name. A link in a folder of its own, which only
 * the peer has on its PATH, says what it would be told by whoever installed the gem.
 */
export async function lendRubyDebugger(folder: string): Promise<Record<string, string>> {
  const path = process.env.PATH ?? ''
  const found = path.split(delimiter).flatMap((place) => listDebuggers(place).map((name) => ({ place, name })))
  const [versioned] = found
  if (versioned === undefined || found.some(({ name }) => name === 'rdbg')) return {}
  await symlink(join(versioned.place, versioned.name), join(folder, 'rdbg'))
  return { PATH: `${folder}${delimiter}${path}` }
}

function listDebuggers(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^rdbg[\d.]*$/.test(name))
  } catch {
    return []
  }
}

async function readInstalledVersion(): Promise<string | undefined> {
  try {
    const text = await readFile(join(FOLDER, 'node_modules', DEBUG_PEER.package, 'package.json'), 'utf8')
    const { version } = JSON.parse(text) as { version: string }
    return version
  } catch {
    return undefined
  }
}
