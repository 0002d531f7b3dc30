/** The mode of this window: blank at its activation, set by a click, read from its file as the daemon reads it. */
import { type Disposable, Listeners } from '@switchboard/base'
import { ModeFiles, type ModeRecord } from '@switchboard/daemon/mode-files'
import type { Logger } from '@switchboard/telemetry'
import { watchFolder } from '../watch-folder.ts'

export interface WindowModeOptions {
  /** `<home>/modes`. */
  readonly directory: string
  readonly instance: string
  readonly log: Logger
}

export class WindowMode {
  readonly #files: ModeFiles
  readonly #instance: string
  readonly #log: Logger
  readonly #listeners = new Listeners<[mode: string | undefined]>()
  #watch: Disposable | undefined
  #seen: string | undefined

  constructor({ directory, instance, log }: WindowModeOptions) {
    this.#files = new ModeFiles({ directory, log })
    this.#instance = instance
    this.#log = log
  }

  /** A mode never survives a reload, and nobody's file stays for longer than a day. */
  async activate(): Promise<void> {
    await this.#files.clear(this.#instance, 'activation')
    const swept = await this.#files.sweep((instance) => instance === this.#instance)
    this.#log.info('ext.activate', 'mode file blanked', { file: this.#files.fileOf(this.#instance), swept })
    this.#watch = watchFolder(this.#files.directory, () => this.#look())
  }

  /** Undefined: none. */
  get mode(): string | undefined {
    return this.#files.read(this.#instance)?.mode ?? undefined
  }

  onDidChange(listener: (mode: string | undefined) => void): Disposable {
    return this.#listeners.add(listener)
  }

  /** By the person at this window; undefined: none any more. It holds from the next call on. */
  async choose(mode: string | undefined, traceId: string): Promise<ModeRecord> {
    const record =
      mode === undefined
        ? await this.#files.clear(this.#instance, 'person')
        : await this.#files.set(this.#instance, mode, 'person')
    const text = mode === undefined ? 'mode cleared' : `mode set to ${mode}`
    this.#log.child({ traceId }).info('policy.mode', text, { set_by: 'person' })
    this.#look()
    return record
  }

  dispose(): void {
    this.#watch?.dispose()
  }

  #look(): void {
    const { mode } = this
    if (mode === this.#seen) return
    this.#seen = mode
    this.#listeners.notify(mode)
  }
}
