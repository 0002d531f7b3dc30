/**
 * Looks at the configuration file and tells when it says something else. By polling its time and size: editors
 * replace files, and watches of replaced files or of network disks are lost silently.
 */
import { unwatchFile, watchFile } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { SwitchboardError, toSwitchboardError } from '@switchboard/protocol/errors'
import type { SwitchboardConfig } from './switchboard-file.ts'

const POLL_MS = 250
/** A file that is just being written is looked at once more before it is called wrong. */
const SECOND_LOOK_MS = 200

export interface ConfigurationWatchOptions {
  readonly file: string
  readonly load: () => Promise<SwitchboardConfig>
  readonly apply: (config: SwitchboardConfig) => Promise<void>
  readonly refuse: (error: SwitchboardError) => void
}

export class ConfigurationWatch {
  readonly #options: ConfigurationWatchOptions
  readonly #onChange = (): void => this.#noteChange()
  #running: Promise<void> | undefined
  #isStale = false
  #closed = false

  constructor(options: ConfigurationWatchOptions) {
    this.#options = options
    watchFile(options.file, { interval: POLL_MS }, this.#onChange)
  }

  /** Looks at the file as it is now, for somebody who waits for what becomes of it. */
  async look(): Promise<void> {
    this.#noteChange()
    await this.#running
  }

  async close(): Promise<void> {
    this.#closed = true
    unwatchFile(this.#options.file, this.#onChange)
    await this.#running
  }

  /** One at a time; what changes meanwhile is looked at afterwards. */
  #noteChange(): void {
    this.#isStale = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    while (this.#isStale && !this.#closed) {
      this.#isStale = false
      const config = await this.#load()
      if (this.#closed) return
      try {
        if (config instanceof SwitchboardError) this.#options.refuse(config)
        else await this.#options.apply(config)
      } catch (error) {
        this.#options.refuse(toSwitchboardError(error))
      }
    }
  }

  async #load(): Promise<SwitchboardConfig | SwitchboardError> {
    const { load } = this.#options
    try {
      return await load()
    } catch {
      await wait(SECOND_LOOK_MS)
      return load().catch(toSwitchboardError)
    }
  }
}
