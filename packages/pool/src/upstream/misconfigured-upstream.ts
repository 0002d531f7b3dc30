/** A server whose entry is wrong, as the router sees it: it offers nothing, and says why. */
import type { Disposable } from '@switchboard/base'
import { type Catalog, EMPTY_CATALOG, type JsonObject, type Provider } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { MisconfiguredServer } from '../config/pool-section.ts'
import type { ServerStatus } from './server-status.ts'

const NOTHING: Disposable = { dispose: () => undefined }

export class MisconfiguredUpstream implements Provider {
  readonly name: string
  readonly #reason: string

  constructor({ name, reason }: MisconfiguredServer) {
    this.name = name
    this.#reason = reason
  }

  catalog(): Catalog {
    return EMPTY_CATALOG
  }

  onCatalogChange(): Disposable {
    return NOTHING
  }

  onResourceUpdated(): Disposable {
    return NOTHING
  }

  async request(): Promise<JsonObject> {
    throw this.createError()
  }

  createError(): SwitchboardError {
    return new SwitchboardError('server_misconfigured', `The server ${this.name} is misconfigured: ${this.#reason}`, {
      details: { server: this.name },
    })
  }

  status(): ServerStatus {
    return {
      name: this.name,
      state: 'misconfigured',
      reason: this.#reason,
      stale: true,
      shared: true,
      restarts: 0,
      attempt: 0,
      inFlight: 0,
      queued: 0,
      calls: 0,
      failures: 0,
      tools: 0,
      resources: 0,
      prompts: 0,
      serialised: false,
      lastStderr: [],
    }
  }
}
