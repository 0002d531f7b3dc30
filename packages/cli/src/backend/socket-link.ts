/** To the daemon: a connection for what is asked and heard, and one more for each line. It stops nothing of the daemon's. */
import type { Duplex } from 'node:stream'
import type { Disposable } from '@switchboard/base'
import { type ControlMethod, connectIpc, type IpcClient } from '@switchboard/daemon/client'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { AttachParams } from '@switchboard/protocol/ipc'
import type { LinkRequestOptions, SwitchboardLink } from './switchboard-link.ts'

export interface SocketLinkOptions {
  /** It is the link's from here on. */
  readonly client: IpcClient
  readonly endpoint: string
  readonly pid: number
  /** Who asks, for the daemon's log. */
  readonly inst: string
}

export class SocketLink implements SwitchboardLink {
  readonly lost: Promise<SwitchboardError>
  readonly #options: SocketLinkOptions
  #isClosed = false

  constructor(options: SocketLinkOptions) {
    this.#options = options
    this.lost = new Promise((resolve) => {
      void options.client.closed.then(() => {
        if (!this.#isClosed) resolve(createGoneError(options.pid))
      })
    })
  }

  /** They run already. */
  start(): void {}

  request<T extends object>(method: ControlMethod, params: JsonObject, options: LinkRequestOptions): Promise<T> {
    const { client, inst } = this.#options
    return client.request<T>(method, params, { ...options, inst })
  }

  onEvent(listener: (event: unknown) => void): Disposable {
    const { client } = this.#options
    const subscription = client.onEvent(listener)
    // A daemon that is gone is told by `lost`.
    client.subscribe().catch(() => undefined)
    return subscription
  }

  async attach(params: AttachParams, options: LinkRequestOptions): Promise<Duplex> {
    const { signal } = options
    const client = await connectIpc(this.#options.endpoint, signal === undefined ? {} : { signal })
    try {
      return (await client.attach(params, options)).stream
    } catch (error) {
      client.close()
      throw error
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#options.client.close()
  }
}

function createGoneError(pid: number): SwitchboardError {
  return new SwitchboardError('daemon_unavailable', `The daemon (pid ${pid}) is gone.`, {
    hint: 'switchboard logs --source daemon shows its last words; switchboard up starts it again.',
  })
}
