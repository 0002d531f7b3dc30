/**
 * The streams of one legacy HTTP session. A POST with requests has one of its own, a response that starts as nothing and
 * becomes JSON when the answer comes first, or an event stream when something else does; the session has one more, for what
 * belongs to no request.
 *
 * Invariants
 * 1. Every event has an id, `<stream>-<sequence>`; what comes after an id can be replayed while the store keeps it.
 * 2. A stream has at most one connection. Whoever resumes it takes it over.
 * 3. A request whose connection is lost is cancelled: at once when the client never got an id to come back with, else
 *    when nobody resumed it within the grace.
 */
import type { ServerResponse } from 'node:http'
import type { Clock } from '@switchboard/base'
import type { JsonRpcMessage, RequestId } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import { encodeMessage } from '@switchboard/protocol/framing'
import { answerWithError } from '../answer-with-error.ts'
import type { EventStore, StoredEvent } from './event-store.ts'
import { EventStream } from './event-stream.ts'
import { BEATS_UNTIL_STREAMING, BEATS_UNTIL_UNREAD, type Beating, type Heartbeat } from './heartbeat.ts'
import type { Accepts } from './negotiation.ts'
import { type ResponseHeaders, writeEmpty, writeJson } from './write-response.ts'

/** How soon a client should come back after a lost connection; well within the grace. */
const RETRY_MS = 1_000

/** What streams need of their session. */
export interface StreamOwner {
  readonly clock: Clock
  readonly heartbeat: Heartbeat
  readonly resumeGrace: number
  /** Whether its protocol version knows events without a message. */
  readonly primes: boolean
  readonly store: EventStore
  nextStreamNumber(): number
  /** From now on it can be resumed by its number. */
  onStreaming(stream: RequestStream): void
  onFinished(stream: RequestStream): void
  cancelRequest(id: RequestId, reason: string): void
}

export class RequestStream implements Beating {
  readonly #owner: StreamOwner
  readonly #accepts: Accepts
  readonly #isBatch: boolean
  readonly #headers: ResponseHeaders | undefined
  readonly #pending: RequestId[]
  #response: ServerResponse | undefined
  #events: EventStream | undefined
  #collected: JsonRpcMessage[] | undefined
  #grace: { cancel(): void } | undefined
  #number = 0
  #sequence = 0
  /** Whether the client got an id that it can come back with. */
  #isResumable = false
  /** Its last message, too large to be stored, until all of it is sent. */
  #unsent: StoredEvent | undefined
  #beats = 0
  #finished = false

  constructor(
    owner: StreamOwner,
    response: ServerResponse,
    accepts: Accepts,
    pending: RequestId[],
    isBatch: boolean,
    headers?: ResponseHeaders,
  ) {
    this.#owner = owner
    this.#accepts = accepts
    this.#pending = pending
    this.#isBatch = isBatch
    this.#headers = headers
    this.#bind(response)
  }

  get number(): number {
    return this.#number
  }

  /** False: this client takes no events on its POST; what is not an answer has to go another way. */
  get takesEvents(): boolean {
    return this.#accepts.events
  }

  /** Progress, a log message, a question. */
  event(message: JsonRpcMessage): void {
    if (!this.#finished) this.#sendEvent(message)
  }

  answer(id: RequestId, message: JsonRpcMessage): void {
    if (this.#finished) return
    this.#forget(id)
    const isLast = this.#pending.length === 0
    if (this.#number > 0 || !this.#accepts.json || (this.#accepts.events && !isLast)) this.#sendEvent(message)
    else if (!this.#isBatch) this.#writeBody(encodeMessage(message))
    else {
      this.#collected ??= []
      this.#collected.push(message)
      if (isLast) this.#writeBody(encodeBatch(this.#collected))
    }
    if (isLast) this.#finish()
  }

  /** No answer will come for it. */
  drop(id: RequestId): void {
    if (this.#finished) return
    this.#forget(id)
    if (this.#pending.length > 0) return
    if (this.#collected !== undefined) this.#writeBody(encodeBatch(this.#collected))
    else if (this.#number === 0 && this.#response !== undefined) {
      // An event stream without an event says nothing, and neither does a status that promises no body.
      if (this.#accepts.events) new EventStream(this.#response).end()
      else writeEmpty(this.#response, 202)
    }
    this.#finish()
  }

  /** The server stops: everything that still waits is told so. */
  fail(error: SwitchboardError): void {
    for (const id of [...this.#pending]) this.answer(id, answerWithError(error, { id }))
  }

  /** The client is back, having seen everything up to `sequence`. */
  resume(response: ServerResponse, sequence: number): void {
    this.#grace?.cancel()
    this.#grace = undefined
    const old = this.#events
    this.#bind(response)
    this.#events = new EventStream(response)
    old?.end()
    replay(this.#owner.store, this.#events, this.#number, sequence)
  }

  onBeat(now: number): void {
    this.#beats++
    if (this.#events !== undefined) {
      if (!this.#finished) this.#events.comment('keep-alive')
      this.#events.checkReader(now)
    } else if (this.#finished) {
      if (this.#beats > BEATS_UNTIL_UNREAD) this.#response?.destroy()
    } else if (this.#accepts.events && this.#beats >= BEATS_UNTIL_STREAMING) this.#startEvents()
  }

  #bind(response: ServerResponse): void {
    this.#response = response
    this.#owner.heartbeat.add(this)
    response.on('close', () => this.#onClose(response))
  }

  #onClose(response: ServerResponse): void {
    if (this.#response !== response) return
    this.#owner.heartbeat.delete(this)
    this.#response = undefined
    this.#events = undefined
    if (this.#finished) {
      // Cut off in the middle of it: the client has nothing of it, and comes back for it.
      if (this.#unsent !== undefined && !response.writableFinished)
        this.#owner.store.append(this.#unsent, this.#owner.clock.now(), true)
      this.#unsent = undefined
      return
    }
    if (!this.#isResumable) this.#abandon('The client closed the connection of the call')
    else {
      const { clock, resumeGrace } = this.#owner
      const reason = `The client lost the stream of the call and did not resume it within ${resumeGrace / 1000} s`
      this.#grace = clock.setTimer(resumeGrace, () => this.#abandon(reason))
    }
  }

  #abandon(reason: string): void {
    for (const id of [...this.#pending]) this.#owner.cancelRequest(id, reason)
    this.#finish()
  }

  #forget(id: RequestId): void {
    const index = this.#pending.indexOf(id)
    if (index >= 0) this.#pending.splice(index, 1)
  }

  #startEvents(): void {
    if (this.#response === undefined) return
    this.#number = this.#owner.nextStreamNumber()
    this.#events = new EventStream(this.#response)
    if (this.#owner.primes) {
      this.#events.prime(`${this.#number}-0`, RETRY_MS)
      this.#isResumable = true
    } else this.#events.comment('keep-alive')
    this.#owner.onStreaming(this)
  }

  #sendEvent(message: JsonRpcMessage): void {
    if (this.#number === 0) this.#startEvents()
    const data = encodeMessage(message)
    const sequence = ++this.#sequence
    const isConnected = this.#events?.open === true
    this.#isResumable = true
    const event = { stream: this.#number, sequence, data }
    const isStored = this.#owner.store.append(event, this.#owner.clock.now(), !isConnected)
    this.#unsent = isStored ? undefined : event
    this.#events?.send(data, `${this.#number}-${sequence}`)
  }

  #writeBody(body: string): void {
    if (this.#response !== undefined) writeJson(this.#response, 200, body, this.#headers)
  }

  #finish(): void {
    if (this.#finished) return
    this.#finished = true
    this.#grace?.cancel()
    this.#events?.end()
    this.#beats = 0
    this.#owner.onFinished(this)
  }
}

/** What belongs to no request. While nobody listens the latest are kept, each only once. */
export class SessionStream implements Beating {
  static readonly NUMBER = 0
  readonly #owner: StreamOwner
  #events: EventStream | undefined
  #sequence = 0
  #undelivered: string[] = []

  constructor(owner: StreamOwner) {
    this.#owner = owner
  }

  get open(): boolean {
    return this.#events?.open === true
  }

  send(message: JsonRpcMessage): void {
    const data = encodeMessage(message)
    if (this.open) {
      this.#deliver(data)
      return
    }
    // "The list changed" said twice says no more than once.
    if (this.#undelivered.includes(data)) return
    this.#undelivered.push(data)
    if (this.#undelivered.length > MAX_UNDELIVERED) this.#undelivered.shift()
  }

  /** `sequence`: the last one that the client has seen; undefined when it has seen none. */
  attach(response: ServerResponse, sequence: number | undefined): void {
    const old = this.#events
    const events = new EventStream(response)
    this.#events = events
    old?.end()
    this.#owner.heartbeat.add(this)
    response.on('close', () => {
      if (this.#events !== events) return
      this.#owner.heartbeat.delete(this)
      this.#events = undefined
    })
    if (this.#owner.primes) events.prime(`${SessionStream.NUMBER}-${sequence ?? this.#sequence}`, RETRY_MS)
    else events.comment('open')
    if (sequence !== undefined) replay(this.#owner.store, events, SessionStream.NUMBER, sequence)
    for (const data of this.#undelivered.splice(0)) this.#deliver(data)
  }

  end(): void {
    this.#events?.end()
  }

  onBeat(now: number): void {
    this.#events?.comment('keep-alive')
    this.#events?.checkReader(now)
  }

  #deliver(data: string): void {
    const sequence = ++this.#sequence
    this.#owner.store.append({ stream: SessionStream.NUMBER, sequence, data }, this.#owner.clock.now(), false)
    this.#events?.send(data, `${SessionStream.NUMBER}-${sequence}`)
  }
}

const MAX_UNDELIVERED = 256

function encodeBatch(messages: readonly JsonRpcMessage[]): string {
  return `[${messages.map(encodeMessage).join(',')}]`
}

export function replay(store: EventStore, events: EventStream, stream: number, sequence: number): number {
  const missed = store.after(stream, sequence)
  for (const event of missed) events.send(event.data, `${stream}-${event.sequence}`)
  return missed.length
}
