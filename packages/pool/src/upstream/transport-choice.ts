import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'
import type { Learned } from '../cache/catalog-cache.ts'
import type { ServerConfig } from '../config/server-config.ts'

/** By which transport a server is reached: a URL alone does not say whether it speaks Streamable HTTP or the older HTTP+SSE. */
export class TransportChoice {
  readonly #config: ServerConfig
  readonly #log: Logger
  #learned: Learned['transport']
  /** HTTP+SSE is being tried and has not worked yet. */
  #isTryingSse = false

  constructor(config: ServerConfig, log: Logger, learned: Learned['transport']) {
    this.#config = config
    this.#log = log
    this.#learned = learned
  }

  get current(): ServerConfig['type'] {
    return this.#isTryingSse ? 'sse' : (this.#learned ?? this.#config.type)
  }

  /** It works. Returns what is worth remembering of that. */
  onReady(): Pick<Learned, 'transport'> {
    if (!this.#isTryingSse) return {}
    this.#isTryingSse = false
    this.#learned = 'sse'
    return { transport: 'sse' }
  }

  /** Returns whether another one is worth a try. */
  onFailed({ details: { status } }: SwitchboardError): boolean {
    const { type, name } = this.#config
    const wasTryingSse = this.#isTryingSse
    // It works no better: the next attempt begins with Streamable HTTP again.
    this.#isTryingSse = false
    if (wasTryingSse || this.#learned !== undefined) return false
    if (type !== 'http' || this.#config.typeIsExplicit) return false
    if (status !== 400 && status !== 404 && status !== 405) return false
    this.#log.info('pool.start', `${name}: answers ${status} to Streamable HTTP; trying HTTP+SSE`)
    this.#isTryingSse = true
    return true
  }
}
