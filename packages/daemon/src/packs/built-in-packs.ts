/** The packs that are switched on, as providers beside the servers. A pack whose settings change is built anew. */
import { join } from 'node:path'
import { createDebugPack, type DebugPack } from '@switchboard/pack-debug'
import type { PacksConfig } from '@switchboard/pool'
import type { Disposable, Provider } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'

export class BuiltInPacks {
  readonly #log: Logger
  readonly #cacheDirectory: string
  readonly #listeners = new Set<() => void>()
  #config: PacksConfig
  #debug: DebugPack | undefined

  constructor(config: PacksConfig, { log, cacheDirectory }: { log: Logger; cacheDirectory: string }) {
    this.#log = log
    this.#cacheDirectory = cacheDirectory
    this.#config = config
    this.#debug = this.#createDebug()
  }

  providers(): readonly Provider[] {
    return this.#debug === undefined ? [] : [this.#debug]
  }

  /** Names of the tools of the debugger; empty when it is switched off. */
  debugTools(): readonly string[] {
    return this.#debug?.catalog().tools.map(({ name }) => name) ?? []
  }

  onDidChange(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  /** The agent is gone: what it had is ended. */
  release(owner: string): void {
    this.#debug?.release(owner)
  }

  async reconfigure(config: PacksConfig): Promise<void> {
    if (JSON.stringify(config) === JSON.stringify(this.#config)) return
    this.#config = config
    const before = this.#debug
    this.#debug = this.#createDebug()
    for (const listener of [...this.#listeners]) listener()
    await before?.close()
  }

  async close(): Promise<void> {
    await this.#debug?.close()
  }

  #createDebug(): DebugPack | undefined {
    const { enabled, ...options } = this.#config.debug
    const cacheFolder = join(this.#cacheDirectory, 'debug')
    return enabled ? createDebugPack({ log: this.#log, cacheFolder, ...options }) : undefined
  }
}
