/**
 * What the attackers of this suite attack: the bundled daemon in a process of its own, with a home of its own and a watchdog
 * inside. A test ends with `expectCalm`: the daemon lives, its event loop never stood still, its memory is bounded.
 */
import { spawn } from 'node:child_process'
import { chmod, writeFile } from 'node:fs/promises'
import { sep } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { connectIpc, type DaemonStatus, findEndpoint, type IpcClient } from '@switchboard/daemon/client'
import { createInstanceId, type JsonObject } from '@switchboard/protocol'
import { type AttachParams, homePaths, IPC_VERSION } from '@switchboard/protocol/ipc'
import {
  createTemporaryDirectory,
  expectNoProcessLeft,
  LineAgent,
  type PipedProgram,
  programCommand,
  readObjectWith,
  startProgram,
  type TemporaryDirectory,
  waitFor,
  watchProgram,
} from '@switchboard/testkit'
import { WITHOUT_PACKS } from '@switchboard/testkit/suite'
import { afterEach, expect } from 'vitest'

const WATCHDOG = fileURLToPath(new URL('watchdog.mjs', import.meta.url))
/** A person feels it, and so does every other agent. */
const MOST_RUN_MS = 200
/** In a system call. Starting a program is one, and lasts until that program has had its turn on a busy machine. */
const MOST_HELD_MS = 1_000
/** Of a daemon that is attacked; an idle one takes about 90. */
const MOST_MEMORY_MB = 400
const PATIENCE_MS = 60_000

export interface TargetOptions {
  readonly env?: Readonly<Record<string, string>>
  /** At most so many open files. */
  readonly files?: number
  /** Of the home and its configuration, before the daemon starts. */
  readonly modes?: { readonly home: number; readonly config: number }
}

export interface Calm {
  /** Megabytes. Default: 400. */
  readonly memory?: number
}

export interface CommandEnd {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

interface Beat {
  readonly at: number
  readonly ran: number
  readonly held: number
  readonly rss: number
}

export interface Targets {
  /** Default: no packs but our own; a configuration that names `packs` has those it names. */
  start(config: JsonObject, options?: TargetOptions): Promise<Target>
}

/** Call it at the top of a file. What a test leaves behind is ended, also when it failed in the middle. */
export function useTargets(): Targets {
  const targets: Target[] = []
  afterEach(async () => {
    for (const target of targets.splice(0)) await target.dispose()
  })
  return {
    async start(config, options = {}) {
      const home = await createTemporaryDirectory('switchboard-hostile-')
      const text = JSON.stringify({ packs: WITHOUT_PACKS, ...config })
      await writeFile(home.file('config.json'), text, { mode: 0o600 })
      if (options.modes !== undefined) {
        await chmod(home.path, options.modes.home)
        await chmod(home.file('config.json'), options.modes.config)
      }
      const target = new Target(home, options)
      targets.push(target)
      await target.started()
      return target
    },
  }
}

export class Target {
  readonly home: TemporaryDirectory
  readonly program: PipedProgram
  readonly #env: Readonly<Record<string, string>>
  readonly #beats: Beat[] = []
  /** So many beats tell of what does not count. */
  #unwatched = 0
  #url = ''

  constructor(home: TemporaryDirectory, { env = {}, files }: TargetOptions) {
    this.home = home
    this.#env = { SWITCHBOARD_HTTP_PORT: '0', ...env }
    const start = programCommand(['daemon', '--json'], { home: home.path, env: this.#env })
    const daemon = [start.command, '--import', WATCHDOG, ...start.args]
    const [command = '', ...args] =
      files === undefined ? daemon : ['/bin/sh', '-c', `ulimit -n ${files}; exec "$@"`, 'sh', ...daemon]
    const child = spawn(command, args, { cwd: home.path, env: start.env, stdio: ['pipe', 'pipe', 'pipe', 'pipe'] })
    this.program = watchProgram(child)
    this.#readBeats(child.stdio[3] as Readable)
  }

  get pid(): number {
    return this.program.pid
  }

  /** Of the HTTP door, without a path. */
  get url(): string {
    return this.#url
  }

  get mcp(): string {
    return `${this.#url}/mcp`
  }

  /** Resolves when every door is open. What the start itself cost does not count. */
  async started(): Promise<void> {
    await this.program.waitForLine(readObjectWith('pid', 'epoch', 'endpoint'), { what: 'the daemon to start' })
    await waitFor(
      async () => {
        const { http } = (await this.status()).daemon
        this.#url = http !== null && 'url' in http ? http.url : ''
        return this.#url
      },
      { what: 'the HTTP door', timeout: PATIENCE_MS },
    )
    await this.watchFromNow()
  }

  /**
   * What stood still before does not count. Resolves with the beat that ends what came before: the next one tells of nothing
   * but what follows, however late the loop was just then.
   */
  async watchFromNow(): Promise<void> {
    await this.#beatAfter(Date.now())
    this.#unwatched = this.#beats.length
  }

  async status(): Promise<DaemonStatus> {
    const client = await this.connect()
    try {
      return await client.request<DaemonStatus>('status', {}, { timeout: PATIENCE_MS })
    } finally {
      client.close()
    }
  }

  async waitForState(server: string, state: string): Promise<void> {
    await waitFor(async () => (await this.status()).servers.find(({ name }) => name === server)?.state === state, {
      what: `${server} to be ${state}`,
      timeout: PATIENCE_MS,
      interval: 50,
    })
  }

  /** The daemon's own socket. */
  connect(): Promise<IpcClient> {
    return connectIpc(findEndpoint(homePaths(this.home.path, sep)))
  }

  /** An agent of a window, as a front attaches it. */
  async attach(more: Partial<AttachParams> = {}): Promise<LineAgent> {
    const client = await this.connect()
    const { stream } = await client.attach({
      protocol: IPC_VERSION,
      role: 'front',
      instance: createInstanceId(),
      profile: 'default',
      pid: process.pid,
      version: '0.1.0-test',
      ...more,
    })
    const agent = new LineAgent(stream, stream)
    stream.resume()
    await agent.initialize()
    return agent
  }

  /** The command as a person runs it, in this home; `cwd`: the folder it is typed in. */
  async run(
    argv: readonly string[],
    env: Readonly<Record<string, string>> = {},
    cwd: string = this.home.path,
  ): Promise<CommandEnd> {
    const program = startProgram(argv, { home: this.home.path, env: { ...this.#env, ...env }, stdin: 'ended', cwd })
    const code = await program.ended
    return { code, out: program.out(), err: program.err() }
  }

  /** The verdict: fails on a daemon that ended, stood still or takes too much, with what it said last. */
  async expectCalm({ memory = MOST_MEMORY_MB }: Calm = {}): Promise<void> {
    const asked = Date.now()
    // Whatever goes on now ends before this is answered, and is told with the next beat.
    const { daemon } = await this.status().catch((error: unknown) => {
      throw new Error(`The daemon does not answer: ${String(error)}\n${this.#lastWords()}`)
    })
    expect(daemon.bugs, `errors that nobody caught\n${this.#lastWords()}`).toBe(0)
    await this.#beatAfter(asked)
    const beats = this.#beats.slice(this.#unwatched)
    const ran = Math.max(...beats.map((beat) => beat.ran))
    const held = Math.max(...beats.map((beat) => beat.held))
    const peak = Math.max(...beats.map(({ rss }) => rss)) / 1024 / 1024
    const stoodStill = `milliseconds that the event loop stood still\n${this.#lastWords()}`
    expect(ran, stoodStill).toBeLessThanOrEqual(MOST_RUN_MS)
    expect(held, stoodStill).toBeLessThanOrEqual(MOST_HELD_MS)
    expect(peak, 'megabytes of memory').toBeLessThanOrEqual(memory)
  }

  async dispose(): Promise<void> {
    this.program.child.kill('SIGKILL')
    await this.program.ended
    await expectNoProcessLeft(this.home.path, PATIENCE_MS)
    await this.home.remove()
  }

  async #beatAfter(time: number): Promise<void> {
    await waitFor(() => this.#beats.some(({ at }) => at > time), {
      what: 'a beat of the watchdog',
      timeout: PATIENCE_MS,
    })
  }

  #readBeats(source: Readable): void {
    let rest = ''
    source.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      // Written by watchdog.mjs.
      for (const line of lines) this.#beats.push(JSON.parse(line) as Beat)
    })
  }

  #lastWords(): string {
    return `${this.program.out()}${this.program.err()}`.slice(-2_000)
  }
}
