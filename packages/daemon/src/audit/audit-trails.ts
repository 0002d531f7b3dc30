/**
 * One audit trail for every window that calls, opened with its first call; the least used ones are closed again. A command makes
 * one call and is gone: its calls are noted in the trail of whoever runs the servers, under its own instance.
 */
import type { Caller } from '@switchboard/protocol'
import { COMMAND_CLIENT, DASHBOARD_CLIENT } from '@switchboard/protocol/ipc'
import { type AuditTrail, createAuditTrail } from '@switchboard/telemetry'

export interface AuditTrailsOptions {
  /** `<home>/traces`. */
  readonly directory: string
  /** Whose trail takes the calls of callers without an instance: HTTP clients. */
  readonly inst: string
}

const MAX_OPEN = 64
/** A person's: a call, and they are gone. */
const PEOPLE: ReadonlySet<unknown> = new Set([COMMAND_CLIENT, DASHBOARD_CLIENT])

export class AuditTrails {
  readonly #options: AuditTrailsOptions
  /** The least used one first. */
  readonly #open = new Map<string, AuditTrail>()
  readonly #closing = new Set<Promise<void>>()

  constructor(options: AuditTrailsOptions) {
    this.#options = options
  }

  /** To be written to at once, not to be kept. */
  of({ instance, clientInfo }: Pick<Caller, 'instance' | 'clientInfo'>): AuditTrail {
    const inst = PEOPLE.has(clientInfo?.name) ? this.#options.inst : (instance ?? this.#options.inst)
    const trail = this.#open.get(inst) ?? createAuditTrail({ directory: this.#options.directory, inst })
    this.#open.delete(inst)
    this.#open.set(inst, trail)
    const [oldest] = this.#open.keys()
    if (this.#open.size > MAX_OPEN && oldest !== undefined) this.#close(oldest)
    return trail
  }

  async close(): Promise<void> {
    for (const inst of [...this.#open.keys()]) this.#close(inst)
    await Promise.all(this.#closing)
  }

  #close(inst: string): void {
    const trail = this.#open.get(inst)
    if (trail === undefined) return
    this.#open.delete(inst)
    const closed = trail.close().finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
  }
}
