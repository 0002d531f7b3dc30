/** How the servers that others publish are started: from node_modules, by this very node, without npx or a network. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findPackageProgram } from '@switchboard/testkit'

export interface Command {
  readonly command: string
  readonly args: string[]
  readonly env?: Record<string, string>
}

/** The program that a package installs, by its package.json. */
function findProgram(packageName: string): string {
  return findPackageProgram(packageName, import.meta.url)
}

function nodeCommand(program: string, ...args: string[]): Command {
  return { command: process.execPath, args: [program, ...args] }
}

export function everythingCommand(): Command {
  return nodeCommand(findProgram('@modelcontextprotocol/server-everything'), 'stdio')
}

export function filesystemCommand(...directories: string[]): Command {
  return nodeCommand(findProgram('@modelcontextprotocol/server-filesystem'), ...directories)
}

export function memoryCommand(file: string): Command {
  return { ...nodeCommand(findProgram('@modelcontextprotocol/server-memory')), env: { MEMORY_FILE_PATH: file } }
}

export interface RemoteServer extends AsyncDisposable {
  readonly url: string
  stop(): Promise<void>
}

const PATHS = { streamableHttp: '/mcp', sse: '/sse' } as const

/** Resolves when it listens, on a port of its own on 127.0.0.1. */
export async function startRemoteEverything(mode: keyof typeof PATHS): Promise<RemoteServer> {
  const preload = fileURLToPath(new URL('./listen-on-loopback.ts', import.meta.url))
  const program = findProgram('@modelcontextprotocol/server-everything')
  const args = ['--disable-warning=ExperimentalWarning', '--import', preload, program, mode]
  const child = spawn(process.execPath, args, { env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.resume()
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  try {
    const port = await readPort(child)
    return { url: `http://127.0.0.1:${port}${PATHS[mode]}`, stop, [Symbol.asyncDispose]: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function readPort(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('The server was started without a pipe for its stderr')
  const lines = createInterface({ input: child.stderr })
  const { promise, resolve: found, reject } = Promise.withResolvers<string>()
  const seen: string[] = []
  // The reader stays for as long as the server runs, so that its stderr is always drained.
  lines.on('line', (line) => {
    seen.push(line)
    const port = /^loopback port (\d+)$/.exec(line)?.[1]
    if (port !== undefined) found(port)
  })
  lines.on('close', () => reject(new Error(`The server ended before it listened. It said:\n${seen.join('\n')}`)))
  return promise
}
