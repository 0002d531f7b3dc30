/**
 * The captures of every window's sessions: the running ones, and the last few that ended, so that an agent can still read
 * what a program printed. Bounded by sessions for a window and by bytes for all; running sessions are never dropped.
 */
import type { DebugSession, SessionEvent } from '../engine/debug-session.ts'
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
  readonly #captures = new Map<string, readonly SessionCapture[]>()
  readonly #bySession = new WeakMap<DebugSession, SessionCapture>()

  constructor(options: OutputStoreOptions = {}) {
    this.#options = options
  }

  /** An event of a session: its first one begins the capture. `id` is the name that agents know it by. */
  record(
    owner: string,
    { id, session, show }: { id: string; session: DebugSession; show?: (text: string) => string },
    event: SessionEvent,
  ): void {
    this.#captureOf(owner, id, session, show).take(event, session)
  }

  /** Oldest first. */
  list(owner: string): readonly SessionCapture[] {
    return this.#captures.get(owner) ?? []
  }

  /** The window is gone. */
  release(owner: string): void {
    this.#captures.delete(owner)
  }

  #captureOf(
    owner: string,
    id: string,
    session: DebugSession,
    show: ((text: string) => string) | undefined,
  ): SessionCapture {
    const known = this.#bySession.get(session)
    if (known !== undefined) return known
    const { limits, now } = this.#options
    const capture = new SessionCapture(session, {
      id,
      ...(show === undefined ? {} : { show }),
      ...(limits === undefined ? {} : { limits }),
      ...(now === undefined ? {} : { now }),
    })
    this.#bySession.set(session, capture)
    this.#captures.set(owner, [...this.list(owner), capture])
    this.#forgetOldest(owner)
    return capture
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
