/** Who hears what happens in a session. What happened before anybody could listen is kept for the first who does. */
import { type Disposable, Listeners } from '@switchboard/base'
import type { SessionEvent } from '../engine/debug-session.ts'

const MAX_EARLY_EVENTS = 1000

export class SessionEvents {
  readonly #listeners: Listeners<[event: SessionEvent]>
  #early: SessionEvent[] | undefined = []

  constructor(onFailure: (error: unknown) => void) {
    this.#listeners = new Listeners(onFailure)
  }

  listen(listener: (event: SessionEvent) => void): Disposable {
    const subscription = this.#listeners.add(listener)
    const early = this.#early ?? []
    this.#early = undefined
    for (const event of early) this.emit(event)
    return subscription
  }

  emit(event: SessionEvent): void {
    if (this.#early !== undefined && this.#early.length < MAX_EARLY_EVENTS) this.#early.push(event)
    this.#listeners.notify(event)
  }

  clear(): void {
    this.#listeners.clear()
  }
}
