import {
  type Call,
  type Caller,
  type ClientCapabilities,
  createEnvelope,
  type EnvelopeMeta,
  type Implementation,
  isJsonObject,
  TASKS_EXTENSION,
} from '@switchboard/protocol'

/** A server may speak another version after its restart. */
interface VersionedEnvelope {
  readonly version: string
  readonly envelope: EnvelopeMeta
}

/** Modern requests carry who asks and what they can do. Made once per caller, not once per call. */
export class EnvelopeFactory {
  readonly #clientInfo: Implementation
  readonly #capabilities: ClientCapabilities
  readonly #mayAsk: boolean
  readonly #byCaller = new WeakMap<Caller, VersionedEnvelope>()
  #own: VersionedEnvelope | undefined

  /** `mayAsk`: false offers the server nothing that it could ask a caller for. */
  constructor(clientInfo: Implementation, capabilities: ClientCapabilities, mayAsk = true) {
    this.#clientInfo = clientInfo
    this.#capabilities = mayAsk ? capabilities : {}
    this.#mayAsk = mayAsk
  }

  create(version: string, call: Call | undefined): EnvelopeMeta {
    if (call === undefined) return this.#createOwn(version)
    const { caller, logLevel } = call
    if (logLevel !== undefined) return this.#make(version, caller, logLevel)
    const known = this.#byCaller.get(caller)
    if (known?.version === version) return known.envelope
    const envelope = this.#make(version, caller)
    this.#byCaller.set(caller, { version, envelope })
    return envelope
  }

  #createOwn(version: string): EnvelopeMeta {
    if (this.#own?.version !== version) {
      const envelope = createEnvelope({ version, capabilities: this.#capabilities, clientInfo: this.#clientInfo })
      this.#own = { version, envelope }
    }
    return this.#own.envelope
  }

  #make(version: string, caller: Caller, logLevel?: NonNullable<Call['logLevel']>): EnvelopeMeta {
    return createEnvelope({
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
