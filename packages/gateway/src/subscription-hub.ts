/**
 * Who wants to hear of which resource. A provider is asked once for each, by the gateway itself, however many sessions
 * and listen streams want it; the last one to leave ends it. Templates let a caller name resources without end: what one
 * of them may want, and how long a URI may be, is bounded.
 */
import { type Call, type Caller, createTraceId, type Provider } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'

const GATEWAY_CALLER: Caller = { era: 'legacy', capabilities: {} }
const NEVER = new AbortController().signal
/** Of one session or listen stream. */
export const MAX_SUBSCRIPTIONS = 1_000
/** Of one, as long as a URI may be that is found by a template. */
const MAX_SUBSCRIBED_URI = 8_192

interface Subscription {
  readonly provider: string
  readonly uri: string
  /** Each with the URI by which it knows the resource. */
  readonly subscribers: Map<string, string>
  /** Whoever comes while it is being made waits for it, and fails with it. */
  readonly made: Promise<unknown>
}

export class SubscriptionHub {
  readonly #log: Logger
  readonly #subscriptions = new Map<string, Subscription>()
  /** By subscriber; nobody is in it without one. */
  readonly #keys = new Map<string, Set<string>>()

  constructor(log: Logger) {
    this.#log = log
  }

  /**
   * `knownAs`: what the subscriber calls it, where that is not what the provider does. Rejects with `rate_limited` beyond the
   * bounds, and with what the provider says.
   */
  async subscribe(provider: Provider, uri: string, subscriber: string, knownAs: string = uri): Promise<void> {
    const key = createKey(provider.name, uri)
    this.#throwOnTooMany(key, uri, subscriber)
    let subscription = this.#subscriptions.get(key)
    if (subscription === undefined) {
      const made = provider.request('resources/subscribe', { uri }, createOwnCall())
      subscription = { provider: provider.name, uri, subscribers: new Map(), made }
      this.#subscriptions.set(key, subscription)
    }
    this.#add(key, subscription, subscriber, knownAs)
    try {
      await subscription.made
    } catch (error) {
      this.#remove(key, subscription, subscriber)
      if (this.#subscriptions.get(key) === subscription) this.#subscriptions.delete(key)
      throw error
    }
  }

  async unsubscribe(provider: Provider, uri: string, subscriber: string): Promise<void> {
    const key = createKey(provider.name, uri)
    const subscription = this.#subscriptions.get(key)
    if (subscription === undefined || !this.#remove(key, subscription, subscriber)) return
    if (subscription.subscribers.size > 0) return
    this.#subscriptions.delete(key)
    await provider.request('resources/unsubscribe', { uri }, createOwnCall())
  }

  /** By which URI a subscriber wants to hear of it; undefined: not at all. */
  findSubscribed(provider: string, uri: string, subscriber: string): string | undefined {
    return this.#subscriptions.get(createKey(provider, uri))?.subscribers.get(subscriber)
  }

  /** A subscriber is gone. */
  release(subscriber: string, providers: readonly Provider[]): void {
    for (const key of [...(this.#keys.get(subscriber) ?? [])]) {
      const subscription = this.#subscriptions.get(key)
      if (subscription === undefined) continue
      const { provider: name, uri } = subscription
      const provider = providers.find((candidate) => candidate.name === name)
      if (provider === undefined) this.#drop(key, subscription)
      else {
        this.unsubscribe(provider, uri, subscriber).catch((error: Error) =>
          this.#log.debug('gateway.subscribe', `could not unsubscribe from ${uri}: ${error.message}`),
        )
      }
    }
    this.#keys.delete(subscriber)
  }

  #throwOnTooMany(key: string, uri: string, subscriber: string): void {
    const keys = this.#keys.get(subscriber)
    const tooMany = keys !== undefined && keys.size >= MAX_SUBSCRIPTIONS && !keys.has(key)
    if (!tooMany && uri.length <= MAX_SUBSCRIBED_URI) return
    const what = tooMany
      ? `This client is subscribed to ${MAX_SUBSCRIPTIONS} resources, which is the most it may be`
      : `A URI of ${uri.length} characters cannot be subscribed to; ${MAX_SUBSCRIBED_URI} is the most`
    throw new SwitchboardError('rate_limited', what, { hint: 'Unsubscribe from what is not needed any more.' })
  }

  #add(key: string, { subscribers }: Subscription, subscriber: string, knownAs: string): void {
    subscribers.set(subscriber, knownAs)
    const keys = this.#keys.get(subscriber)
    if (keys === undefined) this.#keys.set(subscriber, new Set([key]))
    else keys.add(key)
  }

  /** False: it was no subscriber. */
  #remove(key: string, { subscribers }: Subscription, subscriber: string): boolean {
    const keys = this.#keys.get(subscriber)
    keys?.delete(key)
    if (keys?.size === 0) this.#keys.delete(subscriber)
    return subscribers.delete(subscriber)
  }

  #drop(key: string, subscription: Subscription): void {
    for (const subscriber of [...subscription.subscribers.keys()]) this.#remove(key, subscription, subscriber)
    this.#subscriptions.delete(key)
  }
}

function createKey(provider: string, uri: string): string {
  return `${provider}\0${uri}`
}

function createOwnCall(): Call {
  return { id: 'subscription', traceId: createTraceId(), caller: GATEWAY_CALLER, signal: NEVER }
}
