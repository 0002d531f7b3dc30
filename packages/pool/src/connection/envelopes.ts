import { type Call, type Caller, isJsonObject } from '@switchboard/protocol'
import type { ClientCapabilities, Implementation } from '@switchboard/protocol/mcp'
import { createRequestEnvelope, type RequestEnvelopeMeta, TASKS_EXTENSION } from '@switchboard/protocol/modern'

/** A server may speak another version after its restart, and a caller may ask for another level. */
interface KnownEnvelope {
  readonly version: string
  readonly logLevel?: Call['logLevel']
  readonly envelope: RequestEnvelopeMeta
}

/**
 * Modern requests carry who asks and what they can do. Made once for a caller of the legacy era, whose conversation keeps it;
 * one of the modern era is somebody new with every request, and remembering it would cost more than it saves.
 */
export class EnvelopeFactory {
  readonly #clientInfo: Implementation
  readonly #capabilities: ClientCapabilities
  readonly #mayAsk: boolean
  readonly #byCaller = new WeakMap<Caller, KnownEnvelope>()
  #own: KnownEnvelope | undefined

  /** `mayAsk`: false offers the server nothing that it could ask a caller for. */
  constructor(clientInfo: Implementation, capabilities: ClientCapabilities, mayAsk = true) {
    this.#clientInfo = clientInfo
    this.#capabilities = mayAsk ? capabilities : {}
    this.#mayAsk = mayAsk
  }

  create(version: string, call: Call | undefined): RequestEnvelopeMeta {
    if (call === undefined) return this.#createOwn(version)
    const { caller, logLevel } = call
    if (caller.era === 'modern') return this.#make(version, caller, logLevel)
    const known = this.#byCaller.get(caller)
    if (known?.version === version && known.logLevel === logLevel) return known.envelope
    const envelope = this.#make(version, caller, logLevel)
    this.#byCaller.set(caller, { version, logLevel, envelope })
    return envelope
  }

  #createOwn(version: string): RequestEnvelopeMeta {
    if (this.#own?.version !== version) {
      const envelope = createRequestEnvelope({
        version,
        capabilities: this.#capabilities,
        clientInfo: this.#clientInfo,
      })
      this.#own = { version, envelope }
    }
    return this.#own.envelope
  }

  #make(version: string, caller: Caller, logLevel: Call['logLevel']): RequestEnvelopeMeta {
    return createRequestEnvelope({
      version,
      capabilities: this.#mayAsk ? offer(caller) : {},
      clientInfo: caller.clientInfo ?? this.#clientInfo,
      ...(logLevel === undefined ? {} : { logLevel }),
    })
  }
}

/** A legacy client cannot be given a task of the modern era, whatever it declares. */
function offer({ era, capabilities }: Caller): ClientCapabilities {
  const { extensions } = capabilities
  if (era === 'modern' || !isJsonObject(extensions) || extensions[TASKS_EXTENSION] === undefined) return capabilities
  const { [TASKS_EXTENSION]: _tasks, ...others } = extensions
  return { ...capabilities, extensions: others }
}
