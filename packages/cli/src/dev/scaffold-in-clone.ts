/**
 * What `dev` writes it writes in a clone of Switchboard, by a script of that clone in a process of its own: the clone's toolkit,
 * not ours, knows what a pack is there.
 */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isJsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { UsageError } from '../command-line/usage-error.ts'

const SCRIPT = join('scripts', 'scaffold.mjs')

export interface Scaffold {
  readonly kind: 'tool' | 'pack'
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly signal: AbortSignal
}

export interface Scaffolded {
  readonly root: string
  /** What the script says beside `ok`. */
  readonly outcome: Readonly<Record<string, unknown>>
}

/** Throws UsageError for what the script refuses, and where there is no clone. */
export async function scaffoldInClone({ kind, command, args, cwd, signal }: Scaffold): Promise<Scaffolded> {
  const root = findClone(cwd)
  if (root === undefined) {
    throw new UsageError(`${cwd} is not in a clone of Switchboard, and only there a ${kind} can be added.`, {
      hint: 'Clone the repository and run this inside of it.',
      command,
    })
  }
  const outcome = await runScript(root, [kind, ...args], signal)
  if (outcome.ok === true) return { root, outcome }
  const { message, hint } = outcome
  throw new UsageError(String(message), { hint: typeof hint === 'string' ? hint : '', command })
}

export function readPaths(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : []
}

/** The nearest folder upwards that is the root of Switchboard's own repository. */
function findClone(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (isClone(folder)) return folder
    if (dirname(folder) === folder) return undefined
  }
}

function isClone(folder: string): boolean {
  const manifest = join(folder, 'package.json')
  if (!existsSync(manifest) || !existsSync(join(folder, SCRIPT))) return false
  try {
    const value: unknown = JSON.parse(readFileSync(manifest, 'utf8'))
    return isJsonObject(value) && value.name === 'switchboard'
  } catch {
    return false
  }
}

async function runScript(root: string, args: readonly string[], signal: AbortSignal): Promise<Record<string, unknown>> {
  const argv = ['--conditions=switchboard-source', join(root, SCRIPT), root, ...args]
  const { error, stdout, stderr } = await new Promise<{ error: Error | null; stdout: string; stderr: string }>(
    (resolve) => {
      execFile(process.execPath, argv, { cwd: root, signal, windowsHide: true }, (failure, output, errors) =>
        resolve({ error: failure, stdout: output, stderr: errors }),
      )
    },
  )
  signal.throwIfAborted()
  if (error === null) {
    const outcome: unknown = JSON.parse(stdout)
    if (isJsonObject(outcome)) return outcome
  }
  const reason = stderr.split('\n').find((line) => /^\w*Error\b/.test(line)) ?? error?.message ?? 'it said nothing'
  throw new SwitchboardError('internal', `${SCRIPT} failed: ${reason}`, {
    hint: 'Is the clone set up? Run npm run build in it, which installs what is missing.',
    cause: error,
  })
}
