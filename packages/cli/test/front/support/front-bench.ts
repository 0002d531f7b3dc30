/** Real fronts of the bundled program on a home of their own, and the daemons that they start; nothing of it outlives its test. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { SwitchboardInput } from '@switchboard/daemon/configuration'
import type { ServerInput } from '@switchboard/pool'
import type { DaemonInfo } from '@switchboard/protocol/ipc'
import {
  expectNoProcessLeft,
  type FixtureScript,
  findByMarker,
  fixtureCommand,
  LineAgent,
  PROGRAM,
  PROGRAM_ENV,
  type ProcessInfo,
} from '@switchboard/testkit'
import { afterEach, beforeEach } from 'vitest'
import { TestHome } from '../../run-main.ts'

/** The machine may be busy with anything. */
export const PATIENCE = { timeout: 40_000 }

export class FrontBench {
  marker = ''
  #home: TestHome | undefined
  readonly #agents: FrontAgent[] = []
  readonly #cleanups: (() => unknown)[] = []

  get home(): TestHome {
    if (this.#home === undefined) throw new Error('There is a home only while a test runs')
    return this.#home
  }

  async begin(): Promise<void> {
    this.#home = await TestHome.create()
    this.marker = `front-test-${process.pid}-${Math.random().toString(36).slice(2)}`
  }

  async end(): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup()
    await Promise.all(this.#agents.splice(0).map((agent) => agent.end()))
    for (const { pid } of await this.daemons()) process.kill(pid, 'SIGTERM')
    await expectNoProcessLeft(this.home.path, 20_000)
    await expectNoProcessLeft(this.marker, 20_000)
    await this.home[Symbol.asyncDispose]()
  }

  defer(cleanup: () => unknown): void {
    this.#cleanups.push(cleanup)
  }

  journal(name: string): string {
    return this.home.file(`${name}.journal`)
  }

  fixture(name: string, script: FixtureScript = {}): ServerInput {
    return fixtureCommand({ marker: this.marker, journal: this.journal(name), ...script })
  }

  async configure(config: SwitchboardInput | string): Promise<void> {
    await this.home.configure(config)
  }

  env(more: Readonly<Record<string, string | undefined>> = {}): Record<string, string> {
    const { SWITCHBOARD_INSTANCE_ID: _window, ...inherited } = process.env
    const all = { ...inherited, SWITCHBOARD_HOME: this.home.path, SWITCHBOARD_HTTP_PORT: '0', ...PROGRAM_ENV, ...more }
    return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
  }

  /** For those who spawn it themselves: the SDKs' clients. */
  command(argv: readonly string[] = []): { command: string; args: string[]; env: Record<string, string>; cwd: string } {
    return { command: process.execPath, args: [PROGRAM, 'mcp', ...argv], env: this.env(), cwd: this.home.path }
  }

  start(argv: readonly string[] = [], env: Readonly<Record<string, string | undefined>> = {}): FrontAgent {
    const { command, args, cwd } = this.command(argv)
    const agent = new FrontAgent(spawn(command, args, { cwd, env: this.env(env) }))
    this.#agents.push(agent)
    return agent
  }

  /** Living daemons of this home, those that are about to find out that they are one too many included. */
  async daemons(): Promise<ProcessInfo[]> {
    return (await findByMarker(`daemon --home ${this.home.path}`)).filter(({ command }) =>
      command.includes('switchboard'),
    )
  }

  async daemonInfo(): Promise<DaemonInfo> {
    return JSON.parse(await readFile(this.home.file('run', 'daemon.json'), 'utf8')) as DaemonInfo
  }

  /** What fronts have logged. */
  async frontLogs(): Promise<string[]> {
    const names = (await readdir(this.home.file('logs'))).filter((name) => name.startsWith('mcp-'))
    return Promise.all(names.map((name) => readFile(this.home.file('logs', name), 'utf8')))
  }
}

/** Call it at the top of a suite. */
export function useFrontBench(): FrontBench {
  const bench = new FrontBench()
  beforeEach(() => bench.begin())
  afterEach(() => bench.end())
  return bench
}

/** The agent of one front, at the other end of its pipes. */
export class FrontAgent extends LineAgent {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<number | string>
  #err = ''

  constructor(child: ChildProcessWithoutNullStreams) {
    super(child.stdout, child.stdin, { describe: () => this.#err })
    this.child = child
    this.ended = once(child, 'close').then(([code, signal]) => code ?? signal)
    child.stderr.on('data', (chunk) => {
      this.#err += chunk
    })
  }

  get err(): string {
    return this.#err
  }

  async end(): Promise<number | string> {
    this.child.stdin.end()
    return this.ended
  }
}
