/** A home with so many servers, and the fronts and the daemon that live in it. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectIpc, type IpcClient } from '@switchboard/daemon/client'
import type { DaemonInfo } from '@switchboard/protocol/ipc'
import { isAlive } from '@switchboard/testkit'
import type { Programs } from '../build-programs.ts'
import { BareClient } from '../drivers/bare-client.ts'
import type { ServerCommand } from '../drivers/driver-protocol.ts'
import { createServers } from '../gateway/contender.ts'
import { findFreePort } from '../gateway/running-program.ts'

const STOPPED_WITHIN_MS = 20_000

export class DaemonHome implements AsyncDisposable {
  readonly #directory: string
  readonly #front: string
  readonly #port: number

  private constructor(directory: string, front: string, port: number) {
    this.#directory = directory
    this.#front = front
    this.#port = port
  }

  static async create(programs: Programs, front: string, servers: number, more: object = {}): Promise<DaemonHome> {
    const directory = join(await programs.createFolder(), 'home')
    const port = await findFreePort()
    await mkdir(directory, { recursive: true })
    const config = { ...createServers(programs, servers), gateway: { port }, ...more }
    await writeFile(join(directory, 'config.json'), JSON.stringify(config))
    return new DaemonHome(directory, front, port)
  }

  /** What an agent's window starts. */
  get command(): ServerCommand {
    return { command: process.execPath, args: [this.#front, '--home', this.#directory, 'mcp'] }
  }

  get directory(): string {
    return this.#directory
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/mcp`
  }

  openFront(): BareClient {
    return new BareClient(this.command)
  }

  async daemonPid(): Promise<number | undefined> {
    return (await this.#readInfo())?.pid
  }

  /** To the daemon's own socket, as a command has it. */
  async connect(): Promise<IpcClient> {
    const info = await this.#readInfo()
    if (info === undefined) throw new Error('No daemon runs in this home.')
    return connectIpc(info.endpoint)
  }

  async #readInfo(): Promise<DaemonInfo | undefined> {
    try {
      const text = await readFile(join(this.#directory, 'run', 'daemon.json'), 'utf8')
      // Written by our own daemon.
      return JSON.parse(text) as DaemonInfo
    } catch {
      return undefined
    }
  }

  /** Its servers end with it. */
  async stopDaemon(): Promise<void> {
    const pid = await this.daemonPid()
    if (pid === undefined || !(await isAlive(pid))) return
    process.kill(pid, 'SIGTERM')
    const end = performance.now() + STOPPED_WITHIN_MS
    while (await isAlive(pid)) {
      if (performance.now() > end) process.kill(pid, 'SIGKILL')
      await delay(5)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stopDaemon()
  }
}
