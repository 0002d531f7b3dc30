/** Which roots are watched. Because every watcher loses events, each is looked at as a whole as well: at the start, and from time to time. */
import type { RootPlace, ScoutNews, ScoutOrder } from '../messages.ts'
import type { IndexState } from './operations.ts'

/** Milliseconds between two looks at everything: where it is watched, and where nobody can. */
const RECONCILE_MS = 300_000
const POLL_MS = 30_000

export interface WatchesHost {
  tellScout(order: ScoutOrder): void
  rootOf(id: number): RootPlace | undefined
  rescan(ids: readonly number[]): void
  onChange(): void
}

export class Watches {
  readonly #host: WatchesHost
  readonly #states = new Map<number, IndexState['watches'][number]>()
  #timers: readonly NodeJS.Timeout[] = []

  constructor(host: WatchesHost) {
    this.#host = host
  }

  get states(): IndexState['watches'] {
    return Object.fromEntries(this.#states)
  }

  set(ids: readonly number[]): void {
    const wanted = new Set(ids)
    for (const id of this.#states.keys()) {
      if (wanted.has(id)) continue
      this.#states.delete(id)
      this.#host.tellScout({ type: 'unwatch', root: id })
    }
    this.#begin(ids.filter((id) => !this.#states.has(id)))
    this.#keepTime()
  }

  note({ root, state, why }: Extract<ScoutNews, { type: 'watch' }>): void {
    if (!this.#states.has(root)) return
    this.#states.set(root, { state, ...(why === undefined ? {} : { why }) })
    this.#host.onChange()
  }

  /** The scout died, and its watches with it. */
  restart(): void {
    const ids = [...this.#states.keys()]
    this.#states.clear()
    this.#begin(ids)
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
  }

  /** First watched, then looked at: what happens between is seen by one of the two. */
  #begin(ids: readonly number[]): void {
    for (const id of ids) {
      const root = this.#host.rootOf(id)
      if (root === undefined) continue
      this.#states.set(id, { state: 'watching' })
      this.#host.tellScout({ type: 'watch', root })
    }
    if (ids.length > 0) this.#host.rescan(ids)
  }

  #keepTime(): void {
    this.close()
    if (this.#states.size === 0) return
    const look = (state: 'watching' | 'polling'): void => {
      const ids = [...this.#states].filter(([, watch]) => watch.state === state).map(([id]) => id)
      if (ids.length > 0) this.#host.rescan(ids)
    }
    this.#timers = [setInterval(() => look('watching'), RECONCILE_MS), setInterval(() => look('polling'), POLL_MS)]
  }
}
