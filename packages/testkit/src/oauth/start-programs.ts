/** Both as processes of their own, on loopback. They end with us, since their stdin is ours to close. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readObjectWith, watchProgram } from '../program.ts'
import type { AuthorizationOptions, ProtectedOptions } from './options.ts'

export interface OAuthProgram extends AsyncDisposable {
  readonly url: string
  /** What it said of what it was asked, in order. */
  events(): readonly Readonly<Record<string, unknown>>[]
  stop(): Promise<void>
}

export function startAuthorizationServer(options: AuthorizationOptions = {}): Promise<OAuthProgram> {
  return start('authorization-program', options)
}

export function startProtectedServer(options: ProtectedOptions): Promise<OAuthProgram> {
  return start('protected-program', options)
}

async function start(name: string, options: object): Promise<OAuthProgram> {
  // Beside this file, whether it is run from the sources or as it is built.
  const file = fileURLToPath(new URL(`./${name}${import.meta.url.endsWith('.ts') ? '.ts' : '.js'}`, import.meta.url))
  const args = ['--conditions=switchboard-source', '--no-warnings', file, JSON.stringify(options)]
  const program = watchProgram(spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true }))
  const { url } = await program.waitForLine(readObjectWith('ready', 'url'), { what: `${name} to listen` })
  const stop = async (): Promise<void> => {
    program.child.kill('SIGKILL')
    await program.ended
  }
  return {
    url: String(url),
    events: () =>
      program
        .out()
        .split('\n')
        .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : [])),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
