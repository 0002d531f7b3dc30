/**
 * The one interface in which pool, gateway and packs meet. An upstream server is a Provider, and so is a pack;
 * the router sees nothing else. Era differences are settled at the two edges: here requests and asks are neutral.
 */
import type { Disposable } from '@switchboard/base'
import type { JsonObject } from './json-rpc.ts'
import type { ClientCapabilities, LoggingLevel, Prompt, Resource, ResourceTemplate, Tool } from './mcp.ts'
import type { CallSpan, TraceCarrier } from './tracing/tracing.ts'
import type { Era } from './versions.ts'

export interface Catalog {
  readonly tools: readonly Tool[]
  /** Further names of listed tools, callable and never listed: each with the tool's own name. */
  readonly aliases?: Readonly<Record<string, string>>
  /** The output schema of a tool that is listed without it, by the tool's own name: for whoever asks about that one. */
  readonly outputSchemaOf?: (tool: string) => JsonObject | undefined
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
  /** What the server tells a model about itself; empty when it says nothing. */
  readonly instructions: string
  /** The server's own capabilities as it declared them, unknown members included. */
  readonly capabilities: JsonObject
  /** How long a modern server lets its lists be kept, and by whom. */
  readonly cache?: CacheHint
  /** What is in none of the lists, though the server offers it: a person has not accepted it. */
  readonly held?: HeldDefinitions
}

/** By the server's own name: why nobody gets it, as half a sentence. */
export interface HeldDefinitions {
  readonly tools: ReadonlyMap<string, string>
  readonly prompts: ReadonlyMap<string, string>
}

export interface CacheHint {
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
}

/** The shortest time, and private if any of them is; undefined for none. */
export function combineCacheHints([first, ...others]: readonly CacheHint[]): CacheHint | undefined {
  if (first === undefined) return undefined
  return others.reduce<CacheHint>(
    (combined, { ttlMs, cacheScope }) => ({
      ttlMs: Math.min(combined.ttlMs, ttlMs),
      cacheScope: combined.cacheScope === 'private' ? 'private' : cacheScope,
    }),
    first,
  )
}

/** How a provider's names are exposed. */
export interface ProviderNaming {
  /** Default: the provider's name. False: names are exposed unchanged. */
  readonly prefix?: string | false
  /** Own name of a tool to its new one, before the prefix. */
  readonly rename?: Readonly<Record<string, string>>
  /** Names of tools that no other provider gets, whether or not they are listed now. */
  readonly reserves?: readonly string[]
}

/** Who is calling. Everything that is kept apart between agents hangs on this. */
export interface Caller {
  /** One activation of one window; absent for a caller that has none (a plain HTTP client). */
  readonly instance?: string
  /** One MCP conversation (legacy era), absent in the modern one. */
  readonly session?: string
  readonly profile?: string
  /** Absolute path of the folder that the window is about; absent: nobody told. */
  readonly workspace?: string
  /** Of the agent's window, for programs that are run on its behalf. A function, so that it gets into no log or message. */
  readonly environment?: () => Readonly<Record<string, string>>
  /** Whose turn it is where neither instance nor session tells callers apart: the connection, or the credential. */
  readonly lane?: string
  readonly era: Era
  readonly clientInfo?: { name: string; version: string }
  readonly capabilities: ClientCapabilities
}

/** Whose turn in a queue, and whose share, a request of this caller takes. */
export function laneOf({ instance, session, lane }: Pick<Caller, 'instance' | 'session' | 'lane'>): string {
  return instance ?? session ?? lane ?? ''
}

/** How the lane begins of a caller whom nothing but its connection tells from others. */
export const CONNECTION_LANE = 'connection:'

/**
 * Whose what a caller keeps with us is: its debug sessions, private servers, stored results. Undefined: nobody can tell, for
 * the caller has no instance, no session and no credential, and its next request may come by another connection.
 */
export function ownerOf(caller: Pick<Caller, 'instance' | 'session' | 'lane'>): string | undefined {
  const owner = laneOf(caller)
  return owner.startsWith(CONNECTION_LANE) ? undefined : owner
}

/** One thing a server wants from the agent's side: sampling, elicitation or roots. */
export interface AskRequest {
  readonly method: 'sampling/createMessage' | 'elicitation/create' | 'roots/list' | (string & {})
  readonly params?: JsonObject
}

export type AskRequests = { readonly [key: string]: AskRequest }
export type AskResponses = { readonly [key: string]: JsonObject }

/** What whoever is asked may want to know of the call that asks. */
export interface AskOptions {
  /** Milliseconds for which another caller has been waiting for the place that this call holds; 0: nobody waits. */
  waitedMs?(): number
  /** Aborted when the server takes its question back: nobody need answer it any more. */
  readonly signal?: AbortSignal
}

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

export interface LogEntry {
  readonly level: string
  readonly logger?: string
  readonly data: unknown
}

/** When a call came how far, in monotonic milliseconds: written on its way, read when it is over. */
export interface CallTimes {
  /** It had to wait, for its turn or for its server. */
  queuedAt: number | undefined
  /** The first time, where a server asks back and gets it again. */
  sentAt: number | undefined
  /** The last time. */
  answeredAt: number | undefined
}

export function createCallTimes(): CallTimes {
  return { queuedAt: undefined, sentAt: undefined, answeredAt: undefined }
}

/** Everything a request carries besides its parameters. Made once, where the request came in, and handed on as it is. */
export interface Call {
  readonly id: string
  readonly traceId: string
  readonly caller: Caller
  /** Of `tools/call`: the name by which the caller knows the tool, for what it is told. A provider gets its own one. */
  readonly tool?: string | undefined
  /** Aborted when the caller cancels, times out or disconnects; its reason says which. */
  readonly signal: AbortSignal
  /** Budget in ms for the whole call, waits included; absent: the provider's own default. */
  readonly timeout?: number | undefined
  /** Budget in ms where the provider has none of its own for this request. */
  readonly defaultTimeout?: number | undefined
  /** Absent: nobody wants progress, and the server is not asked for it. */
  readonly progress?: ((progress: Progress) => void) | undefined
  readonly log?: ((entry: LogEntry) => void) | undefined
  /** The least severe log message the caller wants of the server; absent: none (modern era). */
  readonly logLevel?: LoggingLevel | undefined
  /** Asks the agent's side. Absent: this caller cannot be asked, and a server that asks is told so. */
  readonly ask?: ((requests: AskRequests, options?: AskOptions) => Promise<AskResponses>) | undefined
  /** Absent: nobody wants to know. */
  readonly times?: CallTimes | undefined
  /** Absent: nobody records. */
  readonly span?: CallSpan | undefined
  /** The trace that it came with where its own `_meta` told none. */
  readonly carrier?: TraceCarrier | undefined
}

export type CatalogPart = 'tools' | 'resources' | 'prompts'

export interface ProviderStatus {
  readonly name: string
  readonly state: string
  /** The catalog is the last one known, not one read from a live server. */
  readonly stale: boolean
  readonly [detail: string]: unknown
}

export interface Provider {
  readonly name: string
  readonly naming?: ProviderNaming
  catalog(): Catalog
  onCatalogChange(listener: (parts: readonly CatalogPart[]) => void): Disposable
  /** A subscribed resource changed. */
  onResourceUpdated(listener: (uri: string, params: JsonObject) => void): Disposable
  /** What else its server announces to its client, as it came; `owner`: the only caller whose server it is. Absent: nothing. */
  onNotice?(listener: (method: string, params: JsonObject, owner?: string) => void): Disposable
  request(method: string, params: JsonObject, call: Call): Promise<JsonObject>
  /** Tells the server something that only concerns this caller; one that serves others as well is not told. */
  notify?(method: string, caller: Caller): void
  status(): ProviderStatus
}

export const EMPTY_CATALOG: Catalog = Object.freeze({
  tools: [],
  resources: [],
  templates: [],
  prompts: [],
  instructions: '',
  capabilities: {},
})
