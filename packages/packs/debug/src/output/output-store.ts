/**
 * The captures of every window's sessions: the running ones, and the last few that ended, so that an agent can still read
 * what a program printed. Bounded by sessions for a window and by bytes for all; running sessions are never dropped.
 */
import type { DebugSession } from '../session/debug-session.ts'
import { type CaptureLimits, SessionCapture } from './session-capture.ts'

export interface OutputStoreOptions {
  /** Ended sessions kept for a window. Default: 10. */
  readonly keptSessions?: number
  /** Of all captures of all windows. Default: 64 MiB. */
  readonly maxBytes?: number
  readonly limits?: Partial<CaptureLimits>
  readonly now?: () => number
}

export class OutputStore {
  readonly #options: OutputStoreOptions
  /** By owner; oldest first. */
  readonly #captures = new Map<string, SessionCapture[]>()

  constructor(options: OutputStoreOptions = {}) {
    this.#options = options
  }

  /** To be called before the program runs; child sessions are tracked by their own call. */
  track(owner: string, session: DebugSession, id: string = session.id): SessionCapture {
    const { limits, now } = this.#options
    const capture = new SessionCapture(session, {
      id,
      ...(limits === undefined ? {} : { limits }),
      ...(now === undefined ? {} : { now }),
    })
    this.#captures.set(owner, [...(this.#captures.get(owner) ?? []), capture])
    this.#forgetOldest(owner)
    return capture
  }

  /** Oldest first. */
  list(owner: string): readonly SessionCapture[] {
    return this.#captures.get(owner) ?? []
  }

  find(owner: string, id: string): SessionCapture | undefined {
    // A restarted session may have its old id again: the newest is meant.
    return this.list(owner).findLast((capture) => capture.id === id)
  }

  /** The window is gone. */
  release(owner: string): void {
    for (const capture of this.list(owner)) capture.dispose()
    this.#captures.delete(owner)
  }

  #forgetOldest(owner: string): void {
    const { keptSessions = 10, maxBytes = 64 * 1024 * 1024 } = this.#options
    while (this.list(owner).filter(({ isEnded }) => isEnded).length > keptSessions) this.#forgetEnded(owner)
    while (this.#totalBytes() > maxBytes) {
      const fullest = [...this.#captures.keys()]
        .filter((key) => this.list(key).some(({ isEnded }) => isEnded))
        .sort((a, b) => sumBytes(this.list(b)) - sumBytes(this.list(a)))[0]
      if (fullest === undefined) return
      this.#forgetEnded(fullest)
    }
  }

  #forgetEnded(owner: string): void {
    const captures = this.list(owner)
    const oldest = captures.find(({ isEnded }) => isEnded)
    this.#captures.set(
      owner,
      captures.filter((capture) => capture !== oldest),
    )
  }

  #totalBytes(): number {
    return [...this.#captures.values()].reduce((sum, captures) => sum + sumBytes(captures), 0)
  }
}

function sumBytes(captures: readonly SessionCapture[]): number {
  return captures.reduce((sum, { bytes }) => sum + bytes, 0)
}
