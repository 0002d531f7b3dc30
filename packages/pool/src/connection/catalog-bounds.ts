/**
 * How much of what a server offers is taken in. A list beyond its bound is cut, not refused: what is there works, and that
 * something is missing is told in the log and in the status. The bounds are far above what models can use: a few hundred
 * tools fill a context.
 */
import type { JsonObject } from '@switchboard/protocol'

export type CatalogList = 'tools' | 'resources' | 'resourceTemplates' | 'prompts'

export const MAX_ENTRIES: Readonly<Record<CatalogList, number>> = {
  tools: 5_000,
  resources: 10_000,
  // Each is looked at for every URI that nobody lists.
  resourceTemplates: 500,
  prompts: 5_000,
}
/** Pages of one list. */
export const MAX_PAGES = 1_000
/** Characters, of one list as JSON. */
const MAX_LIST_CHARACTERS = 4 * 1024 * 1024
/** Of one tool, resource, template or prompt, its description and schema included. */
const MAX_ENTRY_CHARACTERS = 256 * 1024
/** Of a name or URI. */
const MAX_NAME_CHARACTERS = 4_096
export const MAX_CURSOR_CHARACTERS = 8_192
/** Of what a server says of itself to everybody. */
export const MAX_INSTRUCTIONS_CHARACTERS = 64 * 1024
/** Bytes, of one answer to a question of ours (a page, a handshake): to take more apart would keep everybody waiting. */
export const MAX_OWN_ANSWER_BYTES = 4 * 1024 * 1024

/** One list as it is put together, page by page. */
export class BoundedList {
  readonly #list: CatalogList
  readonly #key: string
  readonly #entries = new Map<string, JsonObject>()
  #characters = 0
  #oversized = 0
  #cut: string | undefined

  constructor(list: CatalogList, key: string) {
    this.#list = list
    this.#key = key
  }

  get entries(): JsonObject[] {
    return [...this.#entries.values()]
  }

  /** What is missing, as a sentence; undefined: nothing. */
  get missing(): string | undefined {
    const parts = [
      ...(this.#cut === undefined ? [] : [this.#cut]),
      ...(this.#oversized === 0
        ? []
        : [
            `${this.#oversized} with a name over ${MAX_NAME_CHARACTERS} or a size over ${MAX_ENTRY_CHARACTERS} characters`,
          ]),
    ]
    return parts.length === 0 ? undefined : `${this.#list} are left out: ${parts.join('; ')}`
  }

  /** False: it is full, and no further page is wanted. */
  add(entry: JsonObject): boolean {
    const name = entry[this.#key]
    // Models refuse a list with a name twice as a whole, and the second could not be called anyway.
    if (typeof name !== 'string' || this.#entries.has(name)) return true
    if (this.#entries.size >= MAX_ENTRIES[this.#list])
      return this.cut(`all beyond the first ${MAX_ENTRIES[this.#list]}`)
    const characters = JSON.stringify(entry).length
    if (name.length > MAX_NAME_CHARACTERS || characters > MAX_ENTRY_CHARACTERS) {
      this.#oversized++
      return true
    }
    if (this.#characters + characters > MAX_LIST_CHARACTERS)
      return this.cut(`all beyond ${MAX_LIST_CHARACTERS} characters, the first ${this.#entries.size} are listed`)
    this.#characters += characters
    this.#entries.set(name, entry)
    return true
  }

  cut(what: string): false {
    this.#cut ??= what
    return false
  }
}
