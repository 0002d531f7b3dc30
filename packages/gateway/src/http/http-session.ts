/** One legacy session over Streamable HTTP: which message leaves by which stream. */
import type { ServerResponse } from 'node:http'
import type { Clock } from '@switchboard/base'
import type { JsonRpcMessage, RequestId } from '@switchboard/protocol'
import type { SwitchboardError } from '@switchboard/protocol/errors'
import type { Gateway } from '../gateway.ts'
import type { Identity } from '../identity.ts'
import type { Channel } from '../legacy/channel.ts'
import type { LegacySession } from '../legacy/legacy-session.ts'
import { EventStore } from './event-store.ts'
import { EventStream } from './event-stream.ts'
import type { Heartbeat } from './heartbeat.ts'
import { RequestStream, replay, SessionStream, type StreamOwner } from './legacy-streams.ts'
import type { Accepts } from './negotiation.ts'
import { type ResponseHeaders, writeEmpty } from './write-response.ts'

export interface HttpSessionHost {
  readonly gateway: Gateway
  readonly clock: Clock
  readonly heartbeat: Heartbeat
  readonly resumeGrace: number
}

/** The first revision whose clients know an event that holds an id and no message. */
const PRIMING_SINCE = '2025-11-25'

export class HttpSession implements Channel, StreamOwner {
  readonly legacy: LegacySession
  readonly #host: HttpSessionHost
  readonly #requests = new Map<RequestId, RequestStream>()
  #resumable: Map<number, RequestStream> | undefined
  #store: EventStore | undefined
  #sessionStream: SessionStream | undefined
  #streams = 0
  #lastActive: number

  constructor(id: string, identity: Identity, host: HttpSessionHost) {
    this.#host = host
    this.#lastActive = host.clock.now()
    this.legacy = host.gateway.openLegacySession(identity, this, id)
  }

  get id(): string {
    return this.legacy.id
  }

  get clock(): Clock {
    return this.#host.clock
  }

  get heartbeat(): Heartbeat {
    return this.#host.heartbeat
  }

  get resumeGrace(): number {
    return this.#host.resumeGrace
  }

  get primes(): boolean {
    const { version } = this.legacy
    return version !== undefined && version >= PRIMING_SINCE
  }

  get store(): EventStore {
    this.#store ??= new EventStore()
    return this.#store
  }

  get inFlight(): number {
    return this.#requests.size
  }

  get streaming(): boolean {
    return this.#sessionStream?.open === true
  }

  /** Undefined while something is under way or somebody listens. */
  get idleSince(): number | undefined {
    return this.#requests.size > 0 || this.streaming ? undefined : this.#lastActive
  }

  isUsed(id: RequestId): boolean {
    return this.#requests.has(id)
  }

  touch(): void {
    this.#lastActive = this.#host.clock.now()
  }

  openStream(
    response: ServerResponse,
    accepts: Accepts,
    ids: RequestId[],
    isBatch: boolean,
    headers?: ResponseHeaders,
  ): RequestStream {
    const stream = new RequestStream(this, response, accepts, ids, isBatch, headers)
    for (const id of ids) this.#requests.set(id, stream)
    return stream
  }

  send(message: JsonRpcMessage, relatedTo: RequestId | undefined): void {
    const stream = relatedTo === undefined ? undefined : this.#requests.get(relatedTo)
    if (stream === undefined || relatedTo === undefined) {
      // An answer that nobody waits for any more is nothing for the session's stream.
      if ('method' in message) this.#openSessionStream().send(message)
    } else if ('method' in message) {
      if (stream.takesEvents) stream.event(message)
      else this.#openSessionStream().send(message)
    } else {
      this.#requests.delete(relatedTo)
      stream.answer(relatedTo, message)
    }
  }

  drop(relatedTo: RequestId): void {
    const stream = this.#requests.get(relatedTo)
    this.#requests.delete(relatedTo)
    stream?.drop(relatedTo)
  }

  /** False: there is a stream already. */
  listen(response: ServerResponse): boolean {
    if (this.streaming) return false
    this.#openSessionStream().attach(response, undefined)
    this.touch()
    return true
  }

  /** A stream goes on after the last event that the client has seen. */
  resume(response: ServerResponse, stream: number, sequence: number): void {
    this.touch()
    if (stream === SessionStream.NUMBER) {
      this.#openSessionStream().attach(response, sequence)
      return
    }
    const live = this.#resumable?.get(stream)
    if (live !== undefined) {
      live.resume(response, sequence)
      return
    }
    if ((this.#store?.after(stream, sequence).length ?? 0) === 0) {
      // Nothing is left to say: 204 is how an event source is told not to come again.
      writeEmpty(response, 204)
      return
    }
    const events = new EventStream(response)
    replay(this.store, events, stream, sequence)
    events.end()
  }

  /** Called from time to time. */
  expireEvents(now: number): void {
    this.#store?.expire(now)
  }

  /** Whatever is under way is answered with the error. */
  close(error: SwitchboardError): void {
    this.legacy.shutDown(error)
    // What was answered in this very turn, and is not on its way yet.
    for (const stream of new Set(this.#requests.values())) stream.fail(error)
    this.#requests.clear()
    this.#sessionStream?.end()
  }

  nextStreamNumber(): number {
    this.#streams++
    return this.#streams
  }

  onStreaming(stream: RequestStream): void {
    this.#resumable ??= new Map()
    this.#resumable.set(stream.number, stream)
  }

  onFinished(stream: RequestStream): void {
    if (stream.number > 0) this.#resumable?.delete(stream.number)
    this.touch()
  }

  cancelRequest(id: RequestId, reason: string): void {
    this.#requests.delete(id)
    this.legacy.cancel(id, reason)
  }

  #openSessionStream(): SessionStream {
    this.#sessionStream ??= new SessionStream(this)
    return this.#sessionStream
  }
}
