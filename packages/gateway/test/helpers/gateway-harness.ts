import type { Disposable } from '@switchboard/base'
import type {
  JsonObject,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  Provider,
  RequestId,
} from '@switchboard/protocol'
import {
  createRequestEnvelope,
  type RequestEnvelope,
  readRequestEnvelope,
  withRequestEnvelope,
} from '@switchboard/protocol/modern'
import { Gateway, type GatewayOptions } from '../../src/gateway.ts'
import type { Identity } from '../../src/identity.ts'
import { judge } from '../../src/incoming.ts'
import type { Channel } from '../../src/legacy/channel.ts'
import type { LegacySession } from '../../src/legacy/legacy-session.ts'
import type { ModernExchange } from '../../src/modern/exchange.ts'
import { checkEnvelope } from '../../src/modern/modern-request.ts'
import type { Profile, WorkspaceListing } from '../../src/router/profile.ts'
import { type ProviderSource, Router } from '../../src/router/router.ts'

export const ANYBODY: Identity = { profile: 'default', transport: 'test' }
export const SERVER_INFO = { name: 'switchboard', version: '0.0.0-test' }

export class FakeSource implements ProviderSource {
  readonly #listeners = new Set<() => void>()
  #providers: readonly Provider[]
  /** What is listed otherwise, by workspace. */
  readonly listings = new Map<string | undefined, WorkspaceListing>()

  constructor(providers: readonly Provider[]) {
    this.#providers = providers
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  providers(): readonly Provider[] {
    return this.#providers
  }

  listingIn(workspace: string | undefined): WorkspaceListing {
    return this.listings.get(workspace) ?? { absent: new Set(), listed: new Set() }
  }

  simulateAbsent(workspace: string, ...names: string[]): void {
    this.listings.set(workspace, { absent: new Set(names), listed: new Set() })
  }

  onDidChangeProviders(listener: () => void): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  simulateProviders(providers: readonly Provider[]): void {
    this.#providers = providers
    for (const listener of [...this.#listeners]) listener()
  }
}

export interface HarnessOptions extends Partial<Omit<GatewayOptions, 'router'>> {
  readonly profiles?: readonly Profile[]
}

export interface Harness {
  readonly source: FakeSource
  readonly router: Router
  readonly gateway: Gateway
}

export function createHarness(
  providers: readonly Provider[],
  { profiles = [], ...options }: HarnessOptions = {},
): Harness {
  const source = new FakeSource(providers)
  const router = new Router(source, profiles)
  return { source, router, gateway: new Gateway({ router, serverInfo: SERVER_INFO, ...options }) }
}

export interface Sent {
  readonly message: JsonObject
  readonly relatedTo: RequestId | undefined
}

/** The client's end of a legacy session: keeps what was sent, and lets a test wait for it. */
export class RecordingChannel implements Channel {
  readonly sent: Sent[] = []
  readonly #waiting: { matches(message: JsonObject): boolean; resolve(message: JsonObject): void }[] = []

  get messages(): JsonObject[] {
    return this.sent.map(({ message }) => message)
  }

  send(message: JsonRpcMessage, relatedTo: RequestId | undefined): void {
    const copy = message as unknown as JsonObject
    this.sent.push({ message: copy, relatedTo })
    for (const waiting of this.#waiting.filter(({ matches }) => matches(copy))) {
      this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
      waiting.resolve(copy)
    }
  }

  /** One that was sent, or the next that is. */
  waitFor(matches: (message: JsonObject) => boolean): Promise<JsonObject> {
    const found = this.messages.find(matches)
    if (found !== undefined) return Promise.resolve(found)
    return new Promise((resolve) => this.#waiting.push({ matches, resolve }))
  }

  answerTo(id: RequestId | null): Promise<JsonObject> {
    return this.waitFor((message) => message.id === id && message.method === undefined)
  }

  question(method: string): Promise<JsonObject> {
    return this.waitFor((message) => message.method === method && message.id !== undefined)
  }
}

export interface LegacyClient {
  readonly session: LegacySession
  readonly channel: RecordingChannel
  /** Sends a request and resolves with its response. */
  request(method: string, params?: unknown): Promise<JsonObject>
  notify(method: string, params?: unknown): void
}

export interface LegacyClientOptions {
  readonly identity?: Identity
  readonly version?: string
  readonly capabilities?: JsonObject
  readonly id?: string
}

/** Not initialized yet. */
export function openClient(gateway: Gateway, { identity = ANYBODY, id }: LegacyClientOptions = {}): LegacyClient {
  const channel = new RecordingChannel()
  const session = gateway.openLegacySession(identity, channel, id)
  let nextId = 1
  return {
    session,
    channel,
    request(method, params) {
      const requestId = `c${nextId++}`
      session.receive(judge({ jsonrpc: '2.0', id: requestId, method, ...(params === undefined ? {} : { params }) }))
      return channel.answerTo(requestId)
    },
    notify: (method, params) =>
      session.receive(judge({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) })),
  }
}

export async function connectClient(gateway: Gateway, options: LegacyClientOptions = {}): Promise<LegacyClient> {
  const client = openClient(gateway, options)
  await client.request('initialize', {
    protocolVersion: options.version ?? '2025-11-25',
    capabilities: options.capabilities ?? {},
    clientInfo: { name: 'test', version: '1' },
  })
  client.notify('notifications/initialized')
  return client
}

export interface ModernOptions extends Partial<Omit<RequestEnvelope, 'version'>> {
  readonly identity?: Identity
  readonly version?: string
  readonly signal?: AbortSignal
  readonly id?: RequestId
}

export interface ModernAnswer {
  readonly response: Promise<JsonRpcResponse>
  readonly notifications: JsonRpcNotification[]
  /** One that came, or the next. */
  waitForNotification(method: string): Promise<JsonRpcNotification>
}

let nextModernId = 1

/** As a transport does that knows nothing but the message. */
export async function sendModern(
  gateway: Gateway,
  request: JsonRpcRequest,
  exchange: ModernExchange,
  identity: Identity = ANYBODY,
): Promise<JsonRpcResponse> {
  const incoming = judge(request)
  if (incoming.kind !== 'request') throw new Error(`This is no request: ${JSON.stringify(request)}`)
  const envelope = checkEnvelope(readRequestEnvelope(incoming.params), incoming)
  return 'error' in envelope ? envelope : gateway.modern.handle({ ...incoming, envelope, identity }, exchange)
}

export function askModern(
  gateway: Gateway,
  method: string,
  params: JsonObject = {},
  options: ModernOptions = {},
): ModernAnswer {
  const { identity = ANYBODY, version = '2026-07-28', signal = new AbortController().signal, ...rest } = options
  const notifications: JsonRpcNotification[] = []
  const waiting = new Map<string, (notification: JsonRpcNotification) => void>()
  const envelope = createRequestEnvelope({
    version,
    capabilities: rest.capabilities ?? {},
    ...(rest.clientInfo === undefined ? {} : { clientInfo: rest.clientInfo }),
    ...(rest.logLevel === undefined ? {} : { logLevel: rest.logLevel }),
  })
  const exchange = {
    signal,
    notify(notification: JsonRpcNotification) {
      notifications.push(notification)
      waiting.get(notification.method)?.(notification)
    },
  }
  const request = {
    jsonrpc: '2.0' as const,
    id: options.id ?? `m${nextModernId++}`,
    method,
    params: withRequestEnvelope(params, envelope),
  }
  return {
    response: sendModern(gateway, request, exchange, identity),
    notifications,
    waitForNotification(wanted) {
      const found = notifications.find((notification) => notification.method === wanted)
      if (found !== undefined) return Promise.resolve(found)
      return new Promise((resolve) => waiting.set(wanted, resolve))
    },
  }
}

/** The result, or the error as an exception. */
export async function resultOf(answer: ModernAnswer | Promise<JsonObject>): Promise<JsonObject> {
  const response = (await ('response' in answer ? answer.response : answer)) as JsonObject
  if (response.result === undefined) throw new Error(`Expected a result, got ${JSON.stringify(response.error)}`)
  return response.result as JsonObject
}

export async function errorOf(answer: ModernAnswer | Promise<JsonObject>): Promise<JsonObject> {
  const response = (await ('response' in answer ? answer.response : answer)) as JsonObject
  if (response.error === undefined) throw new Error(`Expected an error, got ${JSON.stringify(response.result)}`)
  return response.error as JsonObject
}
