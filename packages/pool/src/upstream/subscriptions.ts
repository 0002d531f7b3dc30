/**
 * Who wants to hear of changes of which resource. The server is asked once for each, however many callers want it, and
 * asked again after every restart. A legacy server is told by `resources/subscribe`; a modern one by a
 * `subscriptions/listen` stream that names them all, which is also how it announces changed lists.
 */
import type { Clock, Timer } from '@switchboard/base'
import { isJsonObject, type JsonObject, ownerOf } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'
import type { Connection } from '../connection/connection.ts'
import type { Run } from './run.ts'

const REOPEN_FIRST_MS = 1000
const REOPEN_MOST_MS = 60_000

export class Subscriptions {
  readonly #server: string
  readonly #log: Logger
  readonly #clock: Clock
  readonly #onListenLost: () => void
  readonly #byUri = new Map<string, Set<string>>()
  /** Resources that the server is just being asked for. */
  readonly #asking = new Map<string, Promise<unknown>>()
  #connection: Connection | undefined
  #capabilities: JsonObject = {}
  #listening: AbortController | undefined
  #reopen: Timer | undefined
  #reopenWait = REOPEN_FIRST_MS
  #listeningSince = 0
  #isToListen = false

  constructor(server: string, log: Logger, clock: Clock, onListenLost: () => void) {
    this.#server = server
    this.#log = log
    this.#clock = clock
    this.#onListenLost = onListenLost
  }

  get uris(): string[] {
    return [...this.#byUri.keys()]
  }

  /** The server is up, perhaps anew: tell it everything. */
  restore(connection: Connection, capabilities: JsonObject, timeout: number): void {
    this.detach()
    this.#connection = connection
    this.#capabilities = capabilities
    if (connection.era === 'modern') {
      this.#listen()
      return
    }
    for (const uri of this.#byUri.keys()) {
      connection.request('resources/subscribe', { uri }, { timeout }).catch((error: Error) => {
        this.#log.warn('pool.subscribe', `${this.#server}: could not subscribe to ${uri} again: ${error.message}`)
      })
    }
  }

  /** As an agent asks for it. The server hears of the first who wants a resource, and of the last who gives it up. */
  request(
    connection: Connection,
    { method, params, call }: Omit<Run, 'tool' | 'deadline'>,
    timeout: number,
  ): Promise<JsonObject> {
    const uri = String(params.uri)
    const caller = ownerOf(call.caller) ?? ''
    const send = (): Promise<JsonObject> => connection.request(method, params, { timeout, signal: call.signal, call })
    return method === 'resources/subscribe' ? this.subscribe(uri, caller, send) : this.unsubscribe(uri, caller, send)
  }

  detach(): void {
    this.#reopen?.cancel()
    this.#listening?.abort()
    this.#listening = undefined
    this.#connection = undefined
  }

  async subscribe(uri: string, caller: string, send: () => Promise<JsonObject>): Promise<JsonObject> {
    // Whoever comes meanwhile waits for that answer, and asks for itself when it was a refusal.
    for (let asking = this.#asking.get(uri); asking !== undefined; asking = this.#asking.get(uri)) {
      await asking.catch(() => {})
      if (this.#byUri.has(uri)) break
    }
    const callers = this.#byUri.get(uri)
    if (callers !== undefined) {
      callers.add(caller)
      return {}
    }
    if (this.#connection?.era === 'modern') {
      this.#byUri.set(uri, new Set([caller]))
      this.#listenSoon()
      return {}
    }
    const asking = send().then((result) => {
      this.#byUri.set(uri, new Set([caller]))
      return result
    })
    this.#asking.set(uri, asking)
    try {
      return await asking
    } finally {
      this.#asking.delete(uri)
    }
  }

  async unsubscribe(uri: string, caller: string, send: () => Promise<JsonObject>): Promise<JsonObject> {
    const callers = this.#byUri.get(uri)
    if (callers === undefined) return this.#connection?.era === 'modern' ? {} : send()
    callers.delete(caller)
    if (callers.size > 0) return {}
    this.#byUri.delete(uri)
    if (this.#connection?.era !== 'modern') return send()
    this.#listenSoon()
    return {}
  }

  /** A caller is gone: what only it wanted is wanted no more. */
  release(caller: string, timeout: number): void {
    for (const [uri, callers] of this.#byUri) {
      if (!callers.has(caller)) continue
      const connection = this.#connection
      this.unsubscribe(
        uri,
        caller,
        () => connection?.request('resources/unsubscribe', { uri }, { timeout }) ?? Promise.resolve({}),
      ).catch(() => {})
    }
  }

  /** Once for all that comes and goes together: the stream names every one of them. */
  #listenSoon(): void {
    if (this.#isToListen) return
    this.#isToListen = true
    queueMicrotask(() => {
      this.#isToListen = false
      this.#listen()
    })
  }

  /** Opens the stream anew with all that is wanted now; the old one is closed. */
  #listen(): void {
    const connection = this.#connection
    if (connection === undefined) return
    this.#reopen?.cancel()
    this.#listening?.abort()
    const filter = this.#createFilter()
    if (filter === undefined) return
    const listening = new AbortController()
    this.#listening = listening
    this.#listeningSince = this.#clock.now()
    connection
      .request(
        'subscriptions/listen',
        { notifications: filter },
        { timeout: Number.POSITIVE_INFINITY, signal: listening.signal },
      )
      .then(
        () => this.#onListenEnded(listening, undefined),
        (error: unknown) => this.#onListenEnded(listening, error),
      )
  }

  #createFilter(): JsonObject | undefined {
    const filter: JsonObject = {}
    const { tools, prompts, resources } = this.#capabilities
    if (isJsonObject(tools) && tools.listChanged === true) filter.toolsListChanged = true
    if (isJsonObject(prompts) && prompts.listChanged === true) filter.promptsListChanged = true
    if (isJsonObject(resources) && resources.listChanged === true) filter.resourcesListChanged = true
    if (this.#byUri.size > 0) filter.resourceSubscriptions = this.uris
    return Object.keys(filter).length === 0 ? undefined : filter
  }

  #onListenEnded(listening: AbortController, error: unknown): void {
    if (this.#listening !== listening || listening.signal.aborted) return
    this.#listening = undefined
    // A server that does not know the method will not learn it.
    if (error instanceof SwitchboardError && error.code === 'upstream_error') {
      this.#log.info('pool.subscribe', `${this.#server}: does not offer a listen stream: ${error.message}`)
      return
    }
    this.#onListenLost()
    // A stream that had lived is not one of a server that keeps refusing it.
    if (this.#clock.now() - this.#listeningSince >= REOPEN_MOST_MS) this.#reopenWait = REOPEN_FIRST_MS
    this.#reopen = this.#clock.setTimer(this.#reopenWait, () => this.#listen())
    this.#reopenWait = Math.min(this.#reopenWait * 2, REOPEN_MOST_MS)
  }
}
