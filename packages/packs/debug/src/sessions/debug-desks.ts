/** A desk for every agent. What an agent has started ends with it, whatever it was doing. */
import type { Clock } from '@switchboard/process'
import type { Caller, Disposable } from '@switchboard/protocol'
import type { SessionEvent } from '../session/debug-session.ts'
import { DebugDesk } from './debug-desk.ts'
import type { ManagedSession } from './managed-session.ts'

export interface DesksOptions {
  readonly clock: Clock
  readonly maxSessions: number
  readonly idleTimeout: number
  log(message: string, data?: unknown): void
}

export type DeskListener = (desk: DebugDesk, session: ManagedSession, event: SessionEvent) => void

export class DebugDesks {
  readonly #options: DesksOptions
  readonly #desks = new Map<string, DebugDesk>()
  readonly #listeners = new Set<DeskListener>()
  readonly #releaseListeners = new Set<(owner: string) => void>()

  constructor(options: DesksOptions) {
    this.#options = options
  }

  of(caller: Caller): DebugDesk {
    const owner = ownerOf(caller)
    const known = this.#desks.get(owner)
    if (known !== undefined) return known
    const desk: DebugDesk = new DebugDesk({
      ...this.#options,
      owner,
      onEvent: (session, event) => {
        for (const listener of [...this.#listeners]) listener(desk, session, event)
      },
    })
    this.#desks.set(owner, desk)
    return desk
  }

  get liveCount(): number {
    return [...this.#desks.values()].reduce((count, desk) => count + desk.live.length, 0)
  }

  /** Every event of every session, after the session itself knows of it. */
  onEvent(listener: DeskListener): Disposable {
    this.#listeners.add(listener)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  onReleased(listener: (owner: string) => void): Disposable {
    this.#releaseListeners.add(listener)
    return { dispose: () => void this.#releaseListeners.delete(listener) }
  }

  /** The agent is gone. Resolves when nothing of it is left. */
  async release(owner: string): Promise<void> {
    const desk = this.#desks.get(owner)
    this.#desks.delete(owner)
    for (const listener of [...this.#releaseListeners]) listener(owner)
    await desk?.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#desks.keys()].map((owner) => this.release(owner)))
  }
}

/** Callers whom nothing tells apart but a connection, which may be another one for every request, are one. */
export function ownerOf({ instance, session, lane = '' }: Caller): string {
  return instance ?? session ?? (lane.startsWith('connection:') ? '' : lane)
}
