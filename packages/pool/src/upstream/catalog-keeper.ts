/**
 * The catalog of one server: the last one known, whether it is live, and who wants to hear of changes. A server that
 * is down keeps its last catalog, marked stale; one that announces a change is read again, once for a burst.
 */
import { type Clock, type Disposable, errorMessage, Listeners } from '@switchboard/base'
import { type Catalog, type CatalogPart, EMPTY_CATALOG } from '@switchboard/protocol'
import type { Tool } from '@switchboard/protocol/mcp'
import type { Logger } from '@switchboard/telemetry'
import type { Connection } from '../connection/connection.ts'
import { readCatalogParts } from '../connection/read-catalog.ts'

const PART_OF_NOTIFICATION: Readonly<Record<string, CatalogPart>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/resources/list_changed': 'resources',
  'notifications/prompts/list_changed': 'prompts',
}

const PARTS: readonly CatalogPart[] = ['tools', 'resources', 'prompts']
const READ_AGAIN_MS = 2_000
const READS_AT_ONCE = 10

export interface CatalogHost {
  isAllowed(tool: string): boolean
  /** What of a catalog may be shown. */
  judge(catalog: Catalog): Catalog
  onSave(catalog: Catalog): void
}

export class CatalogKeeper {
  readonly #server: string
  readonly #clock: Clock
  readonly #log: Logger
  readonly #host: CatalogHost
  readonly #listeners = new Listeners<[parts: readonly CatalogPart[]]>()
  readonly #wanted = new Set<CatalogPart>()
  #reading: Promise<void> | undefined
  /** As the server has it. */
  #read: Catalog
  /** Without what is held back. */
  #catalog: Catalog
  /** Goes down by one every `READ_AGAIN_MS`. */
  #turnsTaken = 0
  #tookTurnAt = 0
  #isSlowed = false
  #stale = true
  #missing: readonly string[] = []
  #toolsByName = new Map<string, Tool>()

  /** Tools that the configuration does not allow are never in it, wherever they come from. */
  constructor(server: string, clock: Clock, log: Logger, known: Catalog | undefined, host: CatalogHost) {
    this.#server = server
    this.#clock = clock
    this.#log = log
    this.#host = host
    this.#read = this.#filter(known ?? EMPTY_CATALOG)
    // Of a server that was never seen there is nothing to judge, and nothing to remember.
    this.#catalog = known === undefined ? this.#read : host.judge(this.#read)
    this.#indexTools()
  }

  get catalog(): Catalog {
    return this.#catalog
  }

  get stale(): boolean {
    return this.#stale
  }

  /** What the server offers and is not taken in, as sentences. */
  get missing(): readonly string[] {
    return this.#missing
  }

  findTool(name: unknown): Tool | undefined {
    return typeof name === 'string' ? this.#toolsByName.get(name) : undefined
  }

  onChange(listener: (parts: readonly CatalogPart[]) => void): Disposable {
    return this.#listeners.add(listener)
  }

  markStale(): void {
    this.#stale = true
  }

  /** Read from a live server. `announced`: what it says has changed; that is passed on, also where it reads the same. */
  set(read: Catalog, missing: readonly string[] = [], announced: readonly CatalogPart[] = []): void {
    this.#noteMissing(missing)
    const next = this.#filter(read)
    const changed = PARTS.filter((part) => !isSame(this.#read, next, part))
    this.#stale = false
    const isNew = changed.length > 0 || this.#read.instructions !== next.instructions
    // Unchanged tools keep their identity: compiled schemas hang on it.
    this.#read = changed.includes('tools') ? next : { ...next, tools: this.#read.tools }
    if (isNew) this.#host.onSave(this.#read)
    this.#show(this.#host.judge(this.#read), announced)
  }

  /** A person has accepted something, or takes it back. */
  judgeAgain(): void {
    this.#show(this.#host.judge(this.#read), [])
  }

  #show(next: Catalog, announced: readonly CatalogPart[]): void {
    const changed = PARTS.filter((part) => !isSame(this.#catalog, next, part))
    this.#catalog = changed.includes('tools') ? next : { ...next, tools: this.#catalog.tools }
    this.#indexTools()
    const told = [...new Set([...changed, ...announced])]
    if (told.length > 0) this.#listeners.notify(told)
  }

  static partOf(method: string): CatalogPart | undefined {
    return PART_OF_NOTIFICATION[method]
  }

  /** `connection` undefined: it is still being read for the first time, and may have been read too early. */
  refresh(part: CatalogPart, connection: Connection | undefined, timeout: number): void {
    this.#wanted.add(part)
    if (connection === undefined) return
    this.#reading ??= this.#readWanted(connection, timeout).finally(() => {
      this.#reading = undefined
    })
  }

  /** The lists are there; what was announced while they were read is read again. */
  refreshEarly(connection: Connection, timeout: number): void {
    for (const part of this.#wanted) this.refresh(part, connection, timeout)
  }

  /** A few at once are a server that starts; one that announces a change after every answer is asked at our pace. */
  async #waitForTurn(): Promise<void> {
    const now = this.#clock.now()
    this.#turnsTaken = Math.max(0, this.#turnsTaken - (now - this.#tookTurnAt) / READ_AGAIN_MS) + 1
    this.#tookTurnAt = now
    if (this.#turnsTaken <= READS_AT_ONCE) return
    if (!this.#isSlowed)
      this.#log.warn(
        'pool.catalog',
        `${this.#server}: its lists change all the time; they are read every ${READ_AGAIN_MS} ms now`,
      )
    this.#isSlowed = true
    await new Promise<void>((resolve) => this.#clock.setBackgroundTimer(READ_AGAIN_MS, resolve))
  }

  async #readWanted(connection: Connection, timeout: number): Promise<void> {
    // Once for a burst, unless it really changes more than once in it.
    const told = new Set<CatalogPart>()
    while (this.#wanted.size > 0) {
      await this.#waitForTurn()
      const parts = [...this.#wanted]
      this.#wanted.clear()
      try {
        const { catalog, missing } = await readCatalogParts(connection, this.#read, parts, timeout)
        const announced = parts.filter((part) => !told.has(part))
        for (const part of parts) told.add(part)
        this.set(catalog, missing, announced)
      } catch (error) {
        // The list stays as it was; if the server is gone, its restart reads everything again.
        const message = errorMessage(error)
        this.#log.warn('pool.catalog', `${this.#server}: could not read ${parts.join(', ')} again: ${message}`)
      }
    }
  }

  /** Told when it changes, not whenever it is read. */
  #noteMissing(missing: readonly string[]): void {
    const before = this.#missing.join()
    this.#missing = missing
    if (missing.length === 0 || missing.join() === before) return
    this.#log.warn('pool.catalog', `${this.#server}: ${missing.join('; ')}`, { server: this.#server, missing })
  }

  #filter(catalog: Catalog): Catalog {
    const isTool = (tool: Tool): boolean => this.#host.isAllowed(tool.name)
    return catalog.tools.every(isTool) ? catalog : { ...catalog, tools: catalog.tools.filter(isTool) }
  }

  #indexTools(): void {
    this.#toolsByName = new Map(this.#catalog.tools.map((tool) => [tool.name, tool]))
  }
}

function isSame(before: Catalog, after: Catalog, part: CatalogPart): boolean {
  if (JSON.stringify(before[part]) !== JSON.stringify(after[part])) return false
  return part !== 'resources' || JSON.stringify(before.templates) === JSON.stringify(after.templates)
}
