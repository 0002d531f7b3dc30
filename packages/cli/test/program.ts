/** The program as people start it: bin/switchboard.mjs on the bundle, in a process of its own. */
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const root = fileURLToPath(new URL('../../..', import.meta.url))
export const PROGRAM = fileURLToPath(new URL('../bin/switchboard.mjs', import.meta.url))

/** `npm test` has built it; somebody who runs one test file must not test yesterday's. */
export async function buildProgram(): Promise<void> {
  const code = `
    import { buildBundle, isBundleCurrent } from './scripts/run/bundle.mjs'
    if (!isBundleCurrent(process.cwd())) await buildBundle(process.cwd())`
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code], { cwd: root })
}

export interface Program {
  readonly child: ChildProcessWithoutNullStreams
  readonly pid: number
  readonly out: () => string
  readonly err: () => string
  readonly ended: Promise<number | string>
}

export function startProgram(argv: readonly string[], home: string, env: Record<string, string> = {}): Program {
  const child = spawn(process.execPath, [PROGRAM, ...argv], {
    cwd: home,
    env: { ...process.env, ...env, SWITCHBOARD_HOME: home, NO_COLOR: '1' },
  })
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  child.stdin.end()
  const ended = once(child, 'close').then(([code, signal]) => code ?? signal)
  return { child, pid: child.pid ?? 0, out: () => out, err: () => err, ended }
}
