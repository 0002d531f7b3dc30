/** Who hears what happens in a session. What happened before anybody could listen is kept for the first who does. */
import type { Disposable } from '@switchboard/protocol'
import type { SessionEvent } from '../session/debug-session.ts'

const MAX_EARLY_EVENTS = 1000

type Listener = (event: SessionEvent) => void

export class SessionEvents {
  readonly #listeners = new Set<Listener>()
  readonly #onFailure: (error: unknown) => void
  #early: SessionEvent[] | undefined = []

  constructor(onFailure: (error: unknown) => void) {
    this.#onFailure = onFailure
  }

  listen(listener: Listener): Disposable {
    this.#listeners.add(listener)
    const early = this.#early ?? []
    this.#early = undefined
    for (const event of early) this.emit(event)
    return { dispose: () => void this.#listeners.delete(listener) }
  }

  emit(event: SessionEvent): void {
    if (this.#early !== undefined && this.#early.length < MAX_EARLY_EVENTS) this.#early.push(event)
    for (const listener of [...this.#listeners]) {
      try {
        listener(event)
      } catch (error) {
        this.#onFailure(error)
      }
    }
  }

  clear(): void {
    this.#listeners.clear()
  }
}
