/** Remarks on servers: made when somebody asks, and a moment after something changed, for the log. */
import type { ServerConfig } from '@switchboard/pool'
import type { Logger } from '@switchboard/telemetry'
import { FileLinks } from './file-links.ts'
import { findRemarks, type Remark, type SeenServer } from './find-remarks.ts'

/** Of servers that start together one is looked at beside the others. */
const PAUSE_MS = 1_000

export interface TrustRemarksOptions {
  readonly log: Logger
  /** In the order in which they were first seen. */
  seen(): readonly SeenServer[]
  isAcknowledged(server: string, id: string): boolean
}

export class TrustRemarks {
  readonly #options: TrustRemarksOptions
  readonly #links = new FileLinks()
  readonly #told = new Set<string>()
  #found: readonly Remark[] | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(options: TrustRemarksOptions) {
    this.#options = options
  }

  /** Those that nobody has acknowledged. */
  of(server: string): Remark[] {
    this.#found ??= findRemarks(this.#options.seen())
    return [...this.#found.filter((remark) => remark.server === server), ...this.#links.remark(server)].filter(
      ({ id }) => !this.#options.isAcknowledged(server, id),
    )
  }

  noteFileLink(server: ServerConfig, uri: string, workspace?: string): void {
    if (this.#links.note(server, uri, workspace)) this.#tellSoon()
  }

  onSeenChanged(): void {
    this.#found = undefined
    this.#tellSoon()
  }

  close(): void {
    clearTimeout(this.#timer)
  }

  #tellSoon(): void {
    if (this.#timer !== undefined) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      for (const { server } of this.#options.seen()) for (const remark of this.of(server)) this.#tell(remark)
    }, PAUSE_MS)
    this.#timer.unref()
  }

  #tell({ id, server, name, text }: Remark): void {
    const key = `${server} ${id}`
    if (this.#told.has(key)) return
    this.#told.add(key)
    const subject = name === '' ? server : `${server}: ${name}`
    this.#options.log.warn('trust.remark', `${subject}: ${text}. See: switchboard trust list ${server}`, { server })
  }
}
