/**
 * Who wants to hear of which resource. A provider is asked once for each, by the gateway itself, however many sessions
 * and listen streams want it; the last one to leave ends it.
 */
import { type Call, type Caller, createTraceId, type Provider } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'

const GATEWAY_CALLER: Caller = { era: 'legacy', capabilities: {} }
const NEVER = new AbortController().signal

export class SubscriptionHub {
  readonly #log: Logger
  readonly #subscribers = new Map<string, Set<string>>()

  constructor(log: Logger) {
    this.#log = log
  }

  async subscribe(provider: Provider, uri: string, subscriber: string): Promise<void> {
    const key = createKey(provider.name, uri)
    const known = this.#subscribers.get(key)
    if (known !== undefined) {
      known.add(subscriber)
      return
    }
    this.#subscribers.set(key, new Set([subscriber]))
    try {
      await provider.request('resources/subscribe', { uri }, createOwnCall())
    } catch (error) {
      this.#subscribers.delete(key)
      throw error
    }
  }

  async unsubscribe(provider: Provider, uri: string, subscriber: string): Promise<void> {
    const key = createKey(provider.name, uri)
    const known = this.#subscribers.get(key)
    if (!known?.delete(subscriber) || known.size > 0) return
    this.#subscribers.delete(key)
    await provider.request('resources/unsubscribe', { uri }, createOwnCall())
  }

  isSubscribed(provider: string, uri: string, subscriber: string): boolean {
    return this.#subscribers.get(createKey(provider, uri))?.has(subscriber) ?? false
  }

  /** A subscriber is gone. */
  release(subscriber: string, providers: readonly Provider[]): void {
    for (const [key, subscribers] of this.#subscribers) {
      if (!subscribers.has(subscriber)) continue
      const [name = '', uri = ''] = key.split('\0')
      const provider = providers.find((candidate) => candidate.name === name)
      if (provider === undefined) this.#subscribers.delete(key)
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
