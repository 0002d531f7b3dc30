/**
 * The one interface in which pool, gateway and packs meet. An upstream server is a Provider, and so is a pack;
 * the router sees nothing else. Era differences are settled at the two edges: here requests and asks are neutral.
 */
import type { JsonObject } from './json-rpc.ts'
import type { ClientCapabilities, LoggingLevel, Prompt, Resource, ResourceTemplate, Tool } from './mcp.ts'
import type { Era } from './versions.ts'

export interface Disposable {
  dispose(): void
}

export interface Catalog {
  readonly tools: readonly Tool[]
  /** Further names of listed tools, callable and never listed: each with the tool's own name. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Output schemas of tools that are listed without theirs, by the tool's own name: for whoever asks about one of them. */
  readonly outputSchemas?: Readonly<Record<string, JsonObject>>
  readonly resources: readonly Resource[]
  readonly templates: readonly ResourceTemplate[]
  readonly prompts: readonly Prompt[]
  /** What the server tells a model about itself; empty when it says nothing. */
  readonly instructions: string
  /** The server's own capabilities as it declared them, unknown members included. */
  readonly capabilities: JsonObject
  /** How long a modern server lets its lists be kept, and by whom. */
  readonly cache?: CacheHint
}

export interface CacheHint {
  readonly ttlMs: number
  readonly cacheScope: 'public' | 'private'
}

/** How a provider's names are exposed. */
export interface ProviderNaming {
  /** Default: the provider's name. False: names are exposed unchanged. */
  readonly prefix?: string | false
  /** Own name of a tool to its new one, before the prefix. */
  readonly rename?: Readonly<Record<string, string>>
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
  /** Whose turn it is where neither instance nor session tells callers apart: the connection, or the credential. */
  readonly lane?: string
  readonly era: Era
  readonly clientInfo?: { name: string; version: string }
  readonly capabilities: ClientCapabilities
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

/** Everything a request carries besides its parameters. */
export interface Call {
  readonly id: string
  readonly traceId: string
  readonly caller: Caller
  /** Aborted when the caller cancels, times out or disconnects; its reason says which. */
  readonly signal: AbortSignal
  /** Budget in ms for the whole call, waits included; absent: the provider's own default. */
  readonly timeout?: number
  /** Budget in ms where the provider has none of its own for this request. */
  readonly defaultTimeout?: number
  /** Absent: nobody wants progress, and the server is not asked for it. */
  readonly progress?: (progress: Progress) => void
  readonly log?: (entry: LogEntry) => void
  /** The least severe log message the caller wants of the server; absent: none (modern era). */
  readonly logLevel?: LoggingLevel
  /** Asks the agent's side. Absent: this caller cannot be asked, and a server that asks is told so. */
  readonly ask?: (requests: AskRequests, options?: AskOptions) => Promise<AskResponses>
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
  /** What else its server announces to its client, as it came. Absent: nothing. */
  onNotice?(listener: (method: string, params: JsonObject) => void): Disposable
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
