/** The open `subscriptions/listen` streams: each hears what it asked for, marked with the id of its own request. */
import { Slices } from '@switchboard/base'
import { type Caller, createNotification, type JsonObject, type RequestId } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import {
  ACKNOWLEDGED_METHOD,
  createAcknowledgedParams,
  type ListenFilter,
  readListenFilter,
  withSubscriptionId,
} from '@switchboard/protocol/modern'
import type { Identity } from '../identity.ts'
import type { IncomingRequest } from '../incoming.ts'
import type { Router, RouterEvent } from '../router/router.ts'
import { MAX_SUBSCRIPTIONS, type SubscriptionHub } from '../subscription-hub.ts'
import type { ToldResources } from '../told-resources.ts'
import type { ModernExchange } from './exchange.ts'

interface Listener {
  readonly id: RequestId
  readonly key: string
  readonly identity: Identity
  readonly caller: Caller
  readonly filter: ListenFilter
  readonly exchange: ModernExchange
  end(): void
}

const FLAG_OF_PART = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const

export class ListenStreams {
  readonly #router: Router
  readonly #subscriptions: SubscriptionHub
  readonly #told: ToldResources
  readonly #listeners = new Set<Listener>()
  #nextKey = 1
  #closed = false

  constructor(router: Router, subscriptions: SubscriptionHub, told: ToldResources) {
    this.#router = router
    this.#subscriptions = subscriptions
    this.#told = told
  }

  get size(): number {
    return this.#listeners.size
  }

  /** Lives until the client closes the stream or the gateway stops. */
  async listen(
    request: IncomingRequest,
    exchange: ModernExchange,
    identity: Identity,
    caller: Caller,
  ): Promise<JsonObject> {
    const filter = readListenFilter(request.params)
    if (filter === undefined)
      throw new SwitchboardError('invalid_request', 'subscriptions/listen needs `notifications`')
    const ended = Promise.withResolvers<void>()
    const key = `listen:${this.#nextKey++}`
    const { id } = request
    const listener: Listener = { id, key, identity, caller, filter, exchange, end: () => ended.resolve() }
    const honoured = await this.#honour(filter, listener)
    this.#listeners.add(listener)
    exchange.signal.addEventListener('abort', listener.end)
    if (exchange.signal.aborted || this.#closed) listener.end()
    exchange.notify(
      createNotification(ACKNOWLEDGED_METHOD, createAcknowledgedParams(request.id, honoured) as unknown as JsonObject),
    )
    try {
      await ended.promise
    } finally {
      this.#listeners.delete(listener)
      exchange.signal.removeEventListener('abort', listener.end)
      this.#subscriptions.release(key, this.#router.providers())
    }
    return withSubscriptionId({}, request.id)
  }

  onRouterEvent(event: RouterEvent): void {
    for (const listener of this.#listeners) {
      if (event.type === 'catalog_changed') {
        if (!this.#router.concerns(event, listener.identity)) continue
        for (const part of event.parts) {
          if (listener.filter[FLAG_OF_PART[part]] === true)
            this.#send(listener, `notifications/${part}/list_changed`, {})
        }
      } else if (event.type === 'resource_updated') {
        const uri = this.#subscriptions.findSubscribed(event.provider, event.uri, listener.key)
        if (uri !== undefined && this.#router.hasViewFor(listener.identity))
          this.#send(listener, 'notifications/resources/updated', { ...event.params, uri })
      }
    }
  }

  end(isOver: (identity: Identity) => boolean): void {
    for (const listener of [...this.#listeners]) if (isOver(listener.identity)) listener.end()
  }

  close(): void {
    this.#closed = true
    for (const listener of [...this.#listeners]) listener.end()
  }

  /** URIs that nobody serves are left out of what is honoured, and those beyond the bound. */
  async #honour(filter: ListenFilter, listener: Listener): Promise<ListenFilter> {
    const { resourceSubscriptions, taskIds: _tasks, ...flags } = filter
    if (resourceSubscriptions === undefined) return flags
    const view = this.#router.viewFor(listener.identity)
    const slices = new Slices()
    const asked: Promise<string[]>[] = []
    for (const uri of resourceSubscriptions.slice(0, MAX_SUBSCRIPTIONS)) {
      await slices.pause()
      const target = this.#told.find(view, listener.caller, uri)
      if (target === undefined) continue
      const subscribed = this.#subscriptions.subscribe(target.provider, target.own, listener.key, uri)
      // Refused by a server without subscriptions: the client sees that this one is not honoured.
      asked.push(
        subscribed.then(
          () => [uri],
          () => [],
        ),
      )
    }
    return { ...flags, resourceSubscriptions: (await Promise.all(asked)).flat() }
  }

  #send(listener: Listener, method: string, params: JsonObject): void {
    listener.exchange.notify(createNotification(method, withSubscriptionId(params, listener.id)))
  }
}
