/**
 * Who told whom of which resource. A link or an embedded resource in a result may name a URI that no list holds, or one that
 * another server lists too: whoever was told of it reads it from whoever told it. Kept for each caller, and bounded.
 *
 * 1. What a caller was told comes before the lists; of several who told the same, the last counts.
 * 2. What one caller was told says nothing to another.
 * 3. Callers whom nothing but their connection tells apart may come back by another one. They are given a link that the
 *    lists would lead elsewhere under its server's name, and find what no list holds where any of them was told of it.
 */
import { type Caller, isJsonObject, type JsonObject, laneOf, ownerOf } from '@switchboard/protocol'
import type { Tool } from '@switchboard/protocol/mcp'
import type { Target, View } from './router/view.ts'

/** More of one caller are forgotten, the oldest first. */
const MAX_URIS = 1_000
/** Longer ones are read when they are listed. */
const MAX_URI_CHARACTERS = 8_192
/** Of all callers; whoever was told nothing for the longest time is forgotten first. */
const MAX_CHARACTERS = 16 * 1024 * 1024
/** What an entry takes besides its URI, in characters. */
const ENTRY_COST = 64

/** In place of a provider: several told the same, and the caller cannot say whom it means. */
const SEVERAL = ''

/** A provider told a caller of a file of this machine. */
export type OnFileLink = (provider: string, uri: string, caller: Caller) => void

export class ToldResources {
  readonly #onFileLink: OnFileLink | undefined
  /** By caller, the last one told last; of each, by URI, the provider. */
  readonly #callers = new Map<string, Map<string, string>>()
  #characters = 0

  constructor(onFileLink?: OnFileLink) {
    this.#onFileLink = onFileLink
  }

  /** Undefined: nobody told this caller of it, nobody lists it, and nobody else could be meant. */
  find(view: View, caller: Caller, uri: string): Target | undefined {
    return (
      this.#findTold(view, laneOf(caller), uri) ??
      view.findServedResource(uri) ??
      (ownerOf(caller) === undefined ? this.#findTold(view, keyOfStrangers(caller), uri) : undefined)
    )
  }

  /** Remembers what a provider's result tells, and returns it as this caller gets it: nearly always as it came. */
  tell(view: View, caller: Caller, provider: string, result: JsonObject): JsonObject {
    const uris = listUris(result)
    if (uris === undefined) return result
    // Of more than are kept the last ones stay; to look at all of them would keep everybody waiting.
    for (const uri of uris.slice(-MAX_URIS)) {
      if (uri.startsWith('file:')) this.#onFileLink?.(provider, uri, caller)
      this.tellOf(caller, provider, uri)
    }
    if (ownerOf(caller) !== undefined) return result
    let left = MAX_URIS
    return withUris(result, (uri) => (left-- > 0 ? view.exposeUri(provider, uri) : uri))
  }

  tellOf(caller: Caller, provider: string, uri: string): void {
    this.#add(laneOf(caller), uri, provider)
    if (ownerOf(caller) !== undefined) return
    const strangers = keyOfStrangers(caller)
    const other = this.#callers.get(strangers)?.get(uri) ?? provider
    this.#add(strangers, uri, other === provider ? provider : SEVERAL)
  }

  /** It is gone for good. */
  forget(caller: string): void {
    for (const uri of this.#callers.get(caller)?.keys() ?? []) this.#characters -= costOf(uri)
    this.#callers.delete(caller)
  }

  #findTold(view: View, caller: string, uri: string): Target | undefined {
    const provider = this.#callers.get(caller)?.get(uri)
    return provider === undefined ? undefined : view.findAt(provider, uri)
  }

  #add(caller: string, uri: string, provider: string): void {
    if (uri.length > MAX_URI_CHARACTERS) return
    const uris = this.#callers.get(caller) ?? new Map<string, string>()
    this.#callers.delete(caller)
    this.#callers.set(caller, uris)
    if (!uris.delete(uri)) this.#characters += costOf(uri)
    uris.set(uri, provider)
    if (uris.size > MAX_URIS) this.#forgetOldestOf(uris)
    while (this.#characters > MAX_CHARACTERS) {
      const [oldest] = this.#callers.keys()
      if (oldest === undefined || oldest === caller) this.#forgetOldestOf(uris)
      else this.forget(oldest)
    }
  }

  #forgetOldestOf(uris: Map<string, string>): void {
    const [oldest] = uris.keys()
    if (oldest === undefined) return
    uris.delete(oldest)
    this.#characters -= costOf(oldest)
  }
}

/** The page of an app that belongs to a tool: it is named in the list, and need not be listed itself. */
export function readAppUri({ _meta: meta }: Tool): string | undefined {
  if (meta === undefined) return undefined
  const uri = isJsonObject(meta.ui) ? meta.ui.resourceUri : meta['ui/resourceUri']
  return typeof uri === 'string' ? uri : undefined
}

function keyOfStrangers({ profile = '' }: Caller): string {
  return `strangers:${profile}`
}

function costOf(uri: string): number {
  return uri.length + ENTRY_COST
}

/**
 * The URIs of links and embedded resources in a result of any method. Undefined: none, as nearly always. Only the members
 * where the protocol has them are looked at, and nothing that they hold: the time does not grow with the size of a result.
 */
function listUris({ content, messages }: JsonObject): string[] | undefined {
  let uris: string[] | undefined
  if (Array.isArray(content)) for (const block of content) uris = withUri(uris, block)
  if (Array.isArray(messages)) {
    for (const message of messages) if (isJsonObject(message)) uris = withUri(uris, message.content)
  }
  return uris
}

/** Nothing is made where there is none: this is on the way of every call. */
function withUri(uris: string[] | undefined, block: unknown): string[] | undefined {
  const uri = uriOfBlock(block)
  if (uri === undefined) return uris
  if (uris === undefined) return [uri]
  uris.push(uri)
  return uris
}

function uriOfBlock(block: unknown): string | undefined {
  if (!isJsonObject(block)) return undefined
  const { type } = block
  if (type !== 'resource_link' && type !== 'resource') return undefined
  const holder = type === 'resource' ? block.resource : block
  return isJsonObject(holder) && typeof holder.uri === 'string' ? holder.uri : undefined
}

/** The same result with other URIs in its links. */
function withUris(result: JsonObject, rename: (uri: string) => string): JsonObject {
  const { content, messages } = result
  const renameBlock = (block: unknown): unknown => {
    const uri = uriOfBlock(block)
    const renamed = uri === undefined ? uri : rename(uri)
    if (!isJsonObject(block) || renamed === uri) return block
    return block.type === 'resource' && isJsonObject(block.resource)
      ? { ...block, resource: { ...block.resource, uri: renamed } }
      : { ...block, uri: renamed }
  }
  const renameMessage = (message: unknown): unknown =>
    isJsonObject(message) ? { ...message, content: renameBlock(message.content) } : message
  return {
    ...result,
    ...(Array.isArray(content) ? { content: content.map(renameBlock) } : {}),
    ...(Array.isArray(messages) ? { messages: messages.map(renameMessage) } : {}),
  }
}
