/**
 * What the short-lived server objects of one process share: the SDK makes a new one for each modern request, so
 * whatever a tool changes has to live here.
 */
import { setTimeout as sleep } from 'node:timers/promises'

export const CHANGING_LISTS = ['tools', 'prompts'] as const
export type ChangingList = (typeof CHANGING_LISTS)[number]

export class ReferenceState {
  readonly #added = new Set<ChangingList>()
  readonly #announce: (list: ChangingList) => void

  constructor(announce: (list: ChangingList) => void) {
    this.#announce = announce
  }

  /** Whether the entry that comes and goes is in the list now. */
  has(list: ChangingList): boolean {
    return this.#added.has(list)
  }

  /** A list that is announced as changed has changed: a gateway may well compare. */
  toggle(list: ChangingList): void {
    if (!this.#added.delete(list)) this.#added.add(list)
    this.#announce(list)
  }

  pause(ms: number): Promise<void> {
    return sleep(ms)
  }
}
