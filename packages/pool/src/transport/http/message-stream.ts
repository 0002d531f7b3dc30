import type { JsonObject, RequestId } from '@switchboard/protocol'
import { recoverId } from '@switchboard/protocol/framing'
import { deliverText, isResponseTo } from '../decode-messages.ts'
import type { HandlerGate } from '../handler-gate.ts'
import { type OversizedEvent, type SseEvent, SseParser } from '../sse-parser.ts'

const DEFAULT_RETRY_MS = 1000
/** A server that asks for no wait at all must not make us spin. */
const MIN_RETRY_MS = 20

export interface MessageStreamOptions {
  readonly gate: HandlerGate
  readonly maxMessageBytes: number
  /** The request of ours on whose response stream the messages come. */
  readonly origin?: RequestId
  /** The answer of `origin` has come (or was too large). */
  onSettled?(): void
  /** Any complete event has come: the stream is of use. */
  onEvent?(): void
  /** An event of another type than the protocol's messages. */
  onOtherEvent?(event: SseEvent): void
}

/** Messages out of an event stream that may be taken up again on another connection, after the last event seen. */
export class MessageStream {
  readonly #options: MessageStreamOptions
  #parser: SseParser
  #lastEventId: string | undefined
  #retryMs: number | undefined
  #settled = false

  constructor(options: MessageStreamOptions) {
    this.#options = options
    this.#parser = this.#createParser()
  }

  get lastEventId(): string | undefined {
    // An empty id is the format's way of saying that there is none.
    return (this.#parser.lastEventId ?? this.#lastEventId) || undefined
  }

  /** How long to wait before connecting again; `asked` when the server said so itself. */
  get retry(): { readonly ms: number; readonly asked: boolean } {
    const asked = this.#retryMs !== undefined
    return { ms: Math.max(MIN_RETRY_MS, this.#retryMs ?? DEFAULT_RETRY_MS), asked }
  }

  get settled(): boolean {
    return this.#settled
  }

  push(chunk: Buffer): void {
    this.#parser.push(chunk)
  }

  stop(): void {
    this.#parser.stop()
  }

  /** Another connection goes on: half an event of the old one counts for nothing. */
  restart(): void {
    this.#lastEventId = this.lastEventId
    this.#parser.stop()
    this.#parser = this.#createParser()
  }

  #createParser(): SseParser {
    const { gate, origin, maxMessageBytes } = this.#options
    const onDelivered = (message: JsonObject): void => {
      if (isResponseTo(message, origin)) this.#settle()
    }
    return new SseParser({
      maxEventBytes: maxMessageBytes,
      onEvent: (event) => {
        this.#options.onEvent?.()
        // An event without data only sets the id to resume from.
        if (event.type !== 'message') this.#options.onOtherEvent?.(event)
        else if (event.data !== '') deliverText(gate, event.data, origin, onDelivered)
      },
      onOversized: (event) => this.#onOversized(event),
      onRetry: (ms) => {
        this.#retryMs = ms
      },
    })
  }

  #onOversized({ head, tail, bytes }: OversizedEvent): void {
    const { gate, origin } = this.#options
    this.#options.onEvent?.()
    const told = recoverId(head, tail)
    const id = told === undefined ? origin : told
    gate.onOversized(id, bytes)
    if (id !== undefined && id === origin) this.#settle()
  }

  #settle(): void {
    if (this.#settled) return
    this.#settled = true
    this.#options.onSettled?.()
  }
}
