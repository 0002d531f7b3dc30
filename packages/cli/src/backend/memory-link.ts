/** To a Switchboard in this process, which lives for as long as the command does. */
import type { Duplex } from 'node:stream'
import type { Disposable } from '@switchboard/base'
import { type ControlMethod, createControlMethods, openMemoryLine, type SwitchboardControl } from '@switchboard/daemon'
import type { JsonObject } from '@switchboard/protocol'
import type { AttachParams } from '@switchboard/protocol/ipc'
import type { LinkRequestOptions, SwitchboardLink } from './switchboard-link.ts'

export class MemoryLink implements SwitchboardLink {
  /** Who runs the servers is ourselves. */
  readonly lost = new Promise<never>(() => undefined)
  readonly #control: SwitchboardControl
  readonly #methods: ReturnType<typeof createControlMethods>
  readonly #gone = new AbortController()
  #closing: Promise<void> | undefined

  /** The Switchboard is the link's from here on. */
  constructor(control: SwitchboardControl) {
    this.#control = control
    this.#methods = createControlMethods(control)
  }

  start(): void {
    this.#control.switchboard.start({ isForAgents: false })
  }

  async request<T extends object>(
    method: ControlMethod,
    params: JsonObject,
    { signal, onProgress }: LinkRequestOptions,
  ): Promise<T> {
    const gone = this.#gone.signal
    const context = {
      signal: signal === undefined ? gone : AbortSignal.any([signal, gone]),
      ...(onProgress === undefined ? {} : { progress: onProgress }),
    }
    // The shape of each answer is that of the daemon's `ipc-results.ts`, as on the socket.
    return (await this.#methods[method](params, context)) as T
  }

  onEvent(listener: (event: unknown) => void): Disposable {
    return this.#control.onEvent(listener)
  }

  attach(params: AttachParams): Promise<Duplex> {
    return openMemoryLine(this.#control, params)
  }

  close({ force }: { force: boolean }): Promise<void> {
    this.#gone.abort()
    this.#closing ??= this.#control.close()
    if (force) void this.#control.switchboard.close({ force: true })
    return this.#closing
  }
}
