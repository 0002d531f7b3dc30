/**
 * What runs the command that the extension brings along: the Node that a person named, else one on the PATH that is new enough,
 * else VS Code's own. A desktop VS Code is an Electron, which is a Node when it is told so.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { resolveCommand } from '@switchboard/process'
import { SwitchboardError } from '@switchboard/protocol/errors'

export interface NodeProgram {
  readonly file: string
  /** What it needs in its environment to be a Node. */
  readonly env: Readonly<Record<string, string>>
  readonly version: string
  readonly origin: 'setting' | 'path' | 'editor'
}

/** The process that VS Code runs us in, as far as it matters here. */
export interface EditorProcess {
  readonly execPath: string
  readonly versions: { readonly node: string; readonly electron?: string | undefined }
  readonly hasSqlite: boolean
}

export interface FindNodeOptions {
  /** Of the settings; empty: none. */
  readonly named: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly editor: EditorProcess
}

const LEAST_NODE = '22.18'
const ANSWER_MS = 10_000
const run = promisify(execFile)

/** Rejects with what was tried when none of them will do. */
export async function findNode({ named, env, editor }: FindNodeOptions): Promise<NodeProgram> {
  if (named !== '') {
    const version = await askVersion(named)
    if (version !== undefined && isNewEnough(version)) return { file: named, env: {}, version, origin: 'setting' }
    throw createUnfit(`switchboard.nodePath is ${named}, which ${describe(version)}.`)
  }
  const found = resolveCommand('node', { cwd: undefined, environment: withoutGaps(env) })
  const version = found.found && !found.isBatch ? await askVersion(found.path) : undefined
  if (found.found && version !== undefined && isNewEnough(version)) {
    return { file: found.path, env: {}, version, origin: 'path' }
  }
  const own = editor.versions.node
  if (isNewEnough(own) && editor.hasSqlite) {
    const isElectron = editor.versions.electron !== undefined
    return {
      file: editor.execPath,
      env: isElectron ? { ELECTRON_RUN_AS_NODE: '1' } : {},
      version: own,
      origin: 'editor',
    }
  }
  const onPath = found.found ? `${found.path} ${describe(version)}` : found.message
  const lack = isNewEnough(own) ? 'and has no SQLite' : 'which is too old'
  throw createUnfit(`${onPath}; VS Code's own Node is ${own}, ${lack}.`)
}

/** 23.0 to 23.5 are older than 22.18 in all but name. */
function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  return major === 23 ? minor >= 6 : major > 22 || (major === 22 && minor >= 18)
}

/** Undefined: it does not run, or is no Node. */
async function askVersion(file: string): Promise<string | undefined> {
  try {
    const { stdout } = await run(file, ['--version'], { timeout: ANSWER_MS, windowsHide: true })
    return /^v(\d+\.\d+\.\d+)/.exec(stdout)?.[1]
  } catch {
    return undefined
  }
}

function describe(version: string | undefined): string {
  return version === undefined ? 'does not run as a Node' : `is Node ${version}`
}

function createUnfit(tried: string): SwitchboardError {
  return new SwitchboardError('invalid_configuration', `Switchboard needs Node ${LEAST_NODE} or later: ${tried}`, {
    hint: 'Install Node 24, or name one by the setting switchboard.nodePath, and reload the window.',
  })
}

function withoutGaps(env: FindNodeOptions['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined))
}
