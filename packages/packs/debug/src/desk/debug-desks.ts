/** A desk for every agent. What an agent has started ends with it, whatever it was doing. */
import { type Clock, type Disposable, Listeners } from '@switchboard/base'
import { type Caller, ownerOf } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { SessionEvent } from '../engine/debug-session.ts'
import { DebugDesk } from './debug-desk.ts'
import type { ManagedSession } from './managed-session.ts'

export interface DesksOptions {
  readonly clock: Clock
  readonly maxSessions: number
  readonly idleTimeout: number
  log(message: string, data?: unknown): void
}

export type DeskListener = (desk: DebugDesk, session: ManagedSession, event: SessionEvent) => void

/** No agent is called so. */
const NOBODY = '\0'

export class DebugDesks {
  readonly #options: DesksOptions
  readonly #desks = new Map<string, DebugDesk>()
  readonly #listeners = new Listeners<Parameters<DeskListener>>()
  readonly #releaseListeners = new Listeners<[owner: string]>()

  constructor(options: DesksOptions) {
    this.#options = options
  }

  /** Throws `caller_unknown`: a desk that several agents shared would let one act in another's program. */
  of(caller: Caller): DebugDesk {
    const owner = ownerOf(caller)
    if (owner === undefined) {
      throw new SwitchboardError(
        'caller_unknown',
        'Debugging belongs to one agent, and nothing tells this one from others',
      )
    }
    const known = this.#desks.get(owner)
    if (known !== undefined) return known
    const desk: DebugDesk = new DebugDesk({
      ...this.#options,
      owner,
      onEvent: (session, event) => {
        this.#listeners.notify(desk, session, event)
      },
    })
    this.#desks.set(owner, desk)
    return desk
  }

  /** Of an agent that has one. */
  find(caller: Caller): DebugDesk | undefined {
    return this.#desks.get(ownerOf(caller) ?? NOBODY)
  }

  get liveCount(): number {
    return [...this.#desks.values()].reduce((count, desk) => count + desk.live.length, 0)
  }

  /** Every event of every session, after the session itself knows of it. */
  onEvent(listener: DeskListener): Disposable {
    return this.#listeners.add(listener)
  }

  onReleased(listener: (owner: string) => void): Disposable {
    return this.#releaseListeners.add(listener)
  }

  /** The agent is gone. Resolves when nothing of it is left. */
  async release(owner: string): Promise<void> {
    const desk = this.#desks.get(owner)
    this.#desks.delete(owner)
    this.#releaseListeners.notify(owner)
    await desk?.close()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#desks.keys()].map((owner) => this.release(owner)))
  }
}
