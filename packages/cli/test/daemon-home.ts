/** A home whose daemon is started and ended by tests: the bundled program, in processes of its own. */
import { existsSync, readdirSync } from 'node:fs'
import { readDaemonInfo } from '@switchboard/daemon/client'
import { expectNoProcessLeft, isAlive, type PipedProgram, startProgram } from '@switchboard/testkit'
import { expect } from 'vitest'
import { TestHome } from './run-main.ts'

/** Any free port: tests run beside each other, and beside a person's own daemon. */
export const DAEMON_ENV = { SWITCHBOARD_HTTP_PORT: '0' }

export interface Ended {
  readonly code: number | string
  readonly out: string
  readonly err: string
}

export class DaemonHome {
  readonly home: TestHome

  private constructor(home: TestHome) {
    this.home = home
  }

  static async create(...config: Parameters<typeof TestHome.create>): Promise<DaemonHome> {
    return new DaemonHome(await TestHome.create(...config))
  }

  get path(): string {
    return this.home.path
  }

  start(argv: readonly string[], env: Record<string, string> = {}): PipedProgram {
    return startProgram(argv, { home: this.path, env: { ...DAEMON_ENV, ...env }, stdin: 'ended' })
  }

  async run(argv: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    const program = this.start(argv, env)
    const code = await program.ended
    return { code, out: program.out(), err: program.err() }
  }

  /** Rejects unless the command printed one object and ended well. */
  async json(argv: readonly string[]): Promise<Record<string, unknown>> {
    const { code, out, err } = await this.run([...argv, '--json'])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    return JSON.parse(out)
  }

  async up(): Promise<number> {
    return Number((await this.json(['up'])).pid)
  }

  async daemonPid(): Promise<number | undefined> {
    return (await readDaemonInfo(this.home.file('run', 'daemon.json')))?.pid
  }

  /** No process, socket, info or start file; the lock file stays, it holds nothing. */
  async expectNothingLeft(): Promise<void> {
    await expectNoProcessLeft(this.path, 10_000)
    const run = this.home.file('run')
    const left = existsSync(run) ? readdirSync(run) : []
    expect(left.filter((name) => !KEPT.test(name))).toEqual([])
  }

  /** For `afterEach`: whatever the test did, nothing outlives it. */
  async dispose(): Promise<void> {
    const pid = await this.daemonPid()
    if (pid !== undefined && (await isAlive(pid))) process.kill(pid, 'SIGKILL')
    await expectNoProcessLeft(this.path, 10_000)
    await this.home[Symbol.asyncDispose]()
  }
}

/** What a daemon leaves on purpose: the file that is locked, the number of the last daemon, what it said on stderr. */
const KEPT = /^(?:daemon\.lock|epoch\.db|daemon\.stderr)(?:-\w+)?$/
