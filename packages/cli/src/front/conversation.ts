/**
 * What a new daemon has to be told so that the agent's legacy conversation goes on: the handshake, the log level, the
 * subscriptions. Only what the old daemon had agreed to is remembered; what was still under way is sent again by itself.
 * Modern requests carry everything with them: of a modern agent nothing is remembered.
 */
import { createNotification, createRequest, isJsonObject, type JsonObject, type RequestId } from '@switchboard/protocol'
import { encodeMessage } from '@switchboard/protocol/framing'
import { readListenFilter, withSubscriptionId } from '@switchboard/protocol/modern'
import type { LedgerEntry } from './ledger.ts'

/** An agent numbers its requests or gives them ids of its own making; none of them looks like this. */
const REPLAY_ID = 'switchboard/front/replay/'
const PARTS = ['tools', 'resources', 'prompts'] as const
const LISTEN_FLAG = {
  tools: 'toolsListChanged',
  resources: 'resourcesListChanged',
  prompts: 'promptsListChanged',
} as const

interface Handshake {
  readonly params: JsonObject | undefined
  readonly version: unknown
  readonly capabilities: JsonObject
}

export class Conversation {
  #handshake: Handshake | undefined
  #initializeSent = false
  #initializedSent = false
  #logLevel: JsonObject | undefined
  readonly #subscriptions = new Map<string, JsonObject>()
  #replays = 0

  /** A modern agent never says `initialize`. */
  get isLegacy(): boolean {
    return this.#initializeSent
  }

  /** The agent can be told that lists have changed. */
  get isOpen(): boolean {
    return this.#handshake !== undefined && this.#initializedSent
  }

  onRequest(method: string): void {
    if (method === 'initialize') this.#initializeSent = true
  }

  /** Whether a daemon that has not heard it learns it by the replay. */
  onInitialized(): boolean {
    this.#initializedSent = true
    return this.#handshake !== undefined
  }

  /** `readAnswer` is called only for the few answers that matter here. */
  onAnswer({ method, line }: LedgerEntry, readAnswer: () => JsonObject | undefined): void {
    if (!isRemembered(method) || line === undefined) return
    const result = readAnswer()?.result
    const params = readParams(line)
    if (!isJsonObject(result)) return
    switch (method) {
      case 'initialize': {
        const capabilities = isJsonObject(result.capabilities) ? result.capabilities : {}
        this.#handshake = { params, version: result.protocolVersion, capabilities }
        return
      }
      case 'logging/setLevel':
        this.#logLevel = params
        return
      case 'resources/subscribe':
        if (params !== undefined && typeof params.uri === 'string') this.#subscriptions.set(params.uri, params)
        return
      case 'resources/unsubscribe':
        if (typeof params?.uri === 'string') this.#subscriptions.delete(params.uri)
    }
  }

  /** `initialize` for a new daemon, whose answer the agent does not get; undefined: there is nothing to replay. */
  createHandshake(): { readonly id: string; readonly line: string } | undefined {
    return this.#handshake === undefined ? undefined : this.#createReplay('initialize', this.#handshake.params)
  }

  /** What follows that handshake. */
  createFollowUp(): { readonly id?: string; readonly line: string }[] {
    if (this.#handshake === undefined) return []
    return [
      ...(this.#initializedSent ? [{ line: JSON.stringify(createNotification('notifications/initialized')) }] : []),
      ...(this.#logLevel === undefined ? [] : [this.#createReplay('logging/setLevel', this.#logLevel)]),
      ...[...this.#subscriptions.values()].map((params) => this.#createReplay('resources/subscribe', params)),
    ]
  }

  /** Another version than the agent was told; undefined: the same. */
  differingVersion(answer: JsonObject): { readonly before: unknown; readonly now: unknown } | undefined {
    const now = isJsonObject(answer.result) ? answer.result.protocolVersion : undefined
    const before = this.#handshake?.version
    return now === before ? undefined : { before, now }
  }

  /** For a legacy agent: whatever it knows may be different now. */
  createListChanges(): string[] {
    const { capabilities } = this.#handshake ?? {}
    if (capabilities === undefined || !this.isOpen) return []
    return PARTS.filter((part) => {
      const offered = capabilities[part]
      return isJsonObject(offered) && offered.listChanged === true
    }).map((part) => JSON.stringify(createNotification(`notifications/${part}/list_changed`)))
  }

  #createReplay(method: string, params: JsonObject | undefined): { id: string; line: string } {
    const id = `${REPLAY_ID}${++this.#replays}`
    return { id, line: JSON.stringify(createRequest(id, method, params)) }
  }
}

/** For a modern agent, the same on each stream that listens to it. */
export function createListenChanges(id: RequestId, line: Buffer): string[] {
  const filter = readListenFilter(readParams(line))
  if (filter === undefined) return []
  return PARTS.filter((part) => filter[LISTEN_FLAG[part]] === true).map((part) =>
    encodeMessage(createNotification(`notifications/${part}/list_changed`, withSubscriptionId({}, id))),
  )
}

function isRemembered(method: string): boolean {
  return (
    method === 'initialize' ||
    method === 'logging/setLevel' ||
    method === 'resources/subscribe' ||
    method === 'resources/unsubscribe'
  )
}

function readParams(line: Buffer): JsonObject | undefined {
  const message: unknown = JSON.parse(line.toString())
  return isJsonObject(message) && isJsonObject(message.params) ? message.params : undefined
}
