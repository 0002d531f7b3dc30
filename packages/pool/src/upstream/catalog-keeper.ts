/**
 * The catalog of one server: the last one known, whether it is live, and who wants to hear of changes. A server that
 * is down keeps its last catalog, marked stale; one that announces a change is read again, once for a burst.
 */
import { type Catalog, type CatalogPart, type Disposable, EMPTY_CATALOG, type Tool } from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import type { Connection } from '../connection/connection.ts'
import { readPrompts, readResources, readTemplates, readTools } from '../connection/read-catalog.ts'
import { Listeners } from './listeners.ts'

const PART_OF_NOTIFICATION: Readonly<Record<string, CatalogPart>> = {
  'notifications/tools/list_changed': 'tools',
  'notifications/resources/list_changed': 'resources',
  'notifications/prompts/list_changed': 'prompts',
}

export class CatalogKeeper {
  readonly #server: string
  readonly #log: Logger
  readonly #isAllowed: (tool: string) => boolean
  readonly #onSave: (catalog: Catalog) => void
  readonly #listeners = new Listeners<[parts: readonly CatalogPart[]]>()
  readonly #wanted = new Set<CatalogPart>()
  #reading: Promise<void> | undefined
  #catalog: Catalog
  #stale = true
  #toolsByName = new Map<string, Tool>()

  /** Tools that the configuration does not allow are never in it, wherever they come from. */
  constructor(
    server: string,
    log: Logger,
    known: Catalog | undefined,
    isAllowed: (tool: string) => boolean,
    onSave: (catalog: Catalog) => void,
  ) {
    this.#server = server
    this.#log = log
    this.#isAllowed = isAllowed
    this.#onSave = onSave
    this.#catalog = this.#filter(known ?? EMPTY_CATALOG)
    this.#indexTools()
  }

  get catalog(): Catalog {
    return this.#catalog
  }

  get stale(): boolean {
    return this.#stale
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

  /** Read from a live server. */
  set(read: Catalog): void {
    const next = this.#filter(read)
    const changed = (['tools', 'resources', 'prompts'] as const).filter((part) => !isSame(this.#catalog, next, part))
    this.#stale = false
    const isNew = changed.length > 0 || this.#catalog.instructions !== next.instructions
    // Unchanged tools keep their identity: compiled schemas hang on it.
    this.#catalog = changed.includes('tools') ? next : { ...next, tools: this.#catalog.tools }
    this.#indexTools()
    if (isNew) this.#onSave(this.#catalog)
    if (changed.length > 0) this.#listeners.notify(changed)
  }

  static partOf(method: string): CatalogPart | undefined {
    return PART_OF_NOTIFICATION[method]
  }

  refresh(part: CatalogPart, connection: Connection, timeout: number): void {
    this.#wanted.add(part)
    this.#reading ??= this.#readWanted(connection, timeout).finally(() => {
      this.#reading = undefined
    })
  }

  async #readWanted(connection: Connection, timeout: number): Promise<void> {
    while (this.#wanted.size > 0) {
      const parts = [...this.#wanted]
      this.#wanted.clear()
      try {
        let next = this.#catalog
        if (parts.includes('tools')) next = { ...next, tools: await readTools(connection, timeout) }
        if (parts.includes('prompts')) next = { ...next, prompts: await readPrompts(connection, timeout) }
        if (parts.includes('resources')) {
          const [resources, templates] = await Promise.all([
            readResources(connection, timeout),
            readTemplates(connection, timeout),
          ])
          next = { ...next, resources, templates }
        }
        this.set(next)
      } catch (error) {
        // The list stays as it was; if the server is gone, its restart reads everything again.
        const message = error instanceof Error ? error.message : String(error)
        this.#log.warn('pool.catalog', `${this.#server}: could not read ${parts.join(', ')} again: ${message}`)
      }
    }
  }

  #filter(catalog: Catalog): Catalog {
    const isTool = (tool: Tool): boolean => this.#isAllowed(tool.name)
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
