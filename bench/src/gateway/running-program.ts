/** A program under measurement: started with its output kept, ended with everything that it started. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { descendantsOf, isAlive } from '@switchboard/testkit'

export interface ProgramOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

/** Of output, for what went wrong. */
const KEPT_CHARACTERS = 8_000
const START_MS = 45_000
const STOP_MS = 8_000

export class RunningProgram implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #name: string
  #output = ''

  constructor({ command, args, env = {}, cwd }: ProgramOptions) {
    this.#name = args.at(0) ?? command
    this.#child = spawn(command, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
      windowsHide: true,
      ...(cwd === undefined ? {} : { cwd }),
    })
    this.#child.once('error', (error) => this.#keep(String(error)))
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => this.#keep(chunk))
    }
    this.#child.stdin?.on('error', () => {})
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  /** The first group of the pattern, once the output has it. */
  async waitForOutput(pattern: RegExp): Promise<string> {
    return await this.#waitFor(async () => pattern.exec(this.#output)?.[1], String(pattern))
  }

  async waitForPort(port: number): Promise<void> {
    await this.#waitFor(async () => (await canConnect(port)) || undefined, `a connection to port ${port}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const children = await descendantsOf(this.pid)
    if (this.#isRunning()) {
      const exited = once(this.#child, 'exit')
      this.#child.stdin?.end()
      this.#child.kill('SIGTERM')
      await Promise.race([exited, delay(STOP_MS, undefined, { ref: false })])
      if (this.#isRunning()) {
        this.#child.kill('SIGKILL')
        await exited
      }
    }
    // Not every peer ends what it started.
    for (const { pid } of children) if (await isAlive(pid)) process.kill(pid, 'SIGKILL')
  }

  #isRunning(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async #waitFor<T>(read: () => Promise<T | undefined>, what: string): Promise<T> {
    const end = performance.now() + START_MS
    for (;;) {
      const found = await read()
      if (found !== undefined) return found
      const problem = !this.#isRunning() ? 'ended' : performance.now() > end ? `took over ${START_MS / 1000} s` : ''
      if (problem !== '') {
        throw new Error(`${this.#name} ${problem} while waiting for ${what}: ${this.#output.trim().slice(-600)}`)
      }
      await delay(2)
    }
  }

  #keep(text: string): void {
    this.#output = (this.#output + text).slice(-KEPT_CHARACTERS)
  }
}

export async function findFreePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('A TCP server has no port.')
  return address.port
}

async function canConnect(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
