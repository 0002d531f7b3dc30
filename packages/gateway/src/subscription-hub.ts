/**
 * Who wants to hear of which resource. A provider is asked once for each, by the gateway itself, however many sessions
 * and listen streams want it; the last one to leave ends it.
 */
import { type Call, type Caller, createTraceId, type Provider } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'

const GATEWAY_CALLER: Caller = { era: 'legacy', capabilities: {} }
const NEVER = new AbortController().signal

interface Subscription {
  readonly subscribers: Set<string>
  /** Whoever comes while it is being made waits for it, and fails with it. */
  readonly made: Promise<unknown>
}

export class SubscriptionHub {
  readonly #log: Logger
  readonly #subscriptions = new Map<string, Subscription>()

  constructor(log: Logger) {
    this.#log = log
  }

  async subscribe(provider: Provider, uri: string, subscriber: string): Promise<void> {
    const key = createKey(provider.name, uri)
    let subscription = this.#subscriptions.get(key)
    if (subscription === undefined) {
      const made = provider.request('resources/subscribe', { uri }, createOwnCall())
      subscription = { subscribers: new Set(), made }
      this.#subscriptions.set(key, subscription)
    }
    subscription.subscribers.add(subscriber)
    try {
      await subscription.made
    } catch (error) {
      if (this.#subscriptions.get(key) === subscription) this.#subscriptions.delete(key)
      throw error
    }
  }

  async unsubscribe(provider: Provider, uri: string, subscriber: string): Promise<void> {
    const key = createKey(provider.name, uri)
    const subscribers = this.#subscriptions.get(key)?.subscribers
    if (!subscribers?.delete(subscriber) || subscribers.size > 0) return
    this.#subscriptions.delete(key)
    await provider.request('resources/unsubscribe', { uri }, createOwnCall())
  }

  isSubscribed(provider: string, uri: string, subscriber: string): boolean {
    return this.#subscriptions.get(createKey(provider, uri))?.subscribers.has(subscriber) ?? false
  }

  /** A subscriber is gone. */
  release(subscriber: string, providers: readonly Provider[]): void {
    for (const [key, { subscribers }] of this.#subscriptions) {
      if (!subscribers.has(subscriber)) continue
      const [name = '', uri = ''] = key.split('\0')
      const provider = providers.find((candidate) => candidate.name === name)
      if (provider === undefined) this.#subscriptions.delete(key)
      else {
        this.unsubscribe(provider, uri, subscriber).catch((error: Error) =>
          this.#log.debug('gateway.subscribe', `could not unsubscribe from ${uri}: ${error.message}`),
        )
      }
    }
  }
}

function createKey(provider: string, uri: string): string {
  return `${provider}\0${uri}`
}

function createOwnCall(): Call {
  return { id: 'subscription', traceId: createTraceId(), caller: GATEWAY_CALLER, signal: NEVER }
}
