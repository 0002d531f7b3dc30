/**
 * Who may use the page. A link holds a secret that is good once; it is exchanged for a session, which ends with the daemon, by
 * itself when it is not used, or when the person leaves. Both are kept as hashes, in memory only.
 *
 * 1. A link that was shown is gone, whether the session was taken or not.
 * 2. Nothing of either is in a path or a query: those end up in logs. A fragment is never sent.
 * 3. There is no cookie: cookies of one host go to every port of it, and so to whatever else listens on this machine.
 */
import { createHash, randomBytes } from 'node:crypto'
import { type Clock, systemClock } from '@switchboard/base'

const LINK_MS = 60 * 60_000
const SESSION_IDLE_MS = 12 * 60 * 60_000
/** Beyond so many the oldest goes. */
const MOST = 64

export class DashboardAccess {
  readonly #clock: Clock
  /** When each is over, by its hash. */
  readonly #links = new Map<string, number>()
  readonly #sessions = new Map<string, number>()

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  createLink(): string {
    return this.#add(this.#links, LINK_MS)
  }

  /** Undefined: it is none of ours, was used before, or is too old. */
  enter(link: string): string | undefined {
    const key = toKey(link)
    const until = this.#links.get(key)
    this.#links.delete(key)
    return until === undefined || until <= this.#clock.now() ? undefined : this.#add(this.#sessions, SESSION_IDLE_MS)
  }

  isSession(session: string): boolean {
    const key = toKey(session)
    const until = this.#sessions.get(key)
    if (until === undefined) return false
    this.#sessions.delete(key)
    const now = this.#clock.now()
    if (until <= now) return false
    this.#sessions.set(key, now + SESSION_IDLE_MS)
    return true
  }

  leave(session: string): void {
    this.#sessions.delete(toKey(session))
  }

  #add(among: Map<string, number>, ms: number): string {
    const secret = randomBytes(32).toString('base64url')
    among.set(toKey(secret), this.#clock.now() + ms)
    const [oldest] = among.keys()
    if (among.size > MOST && oldest !== undefined) among.delete(oldest)
    return secret
  }
}

/** A lookup by hash tells nothing by its time of the secret behind it. */
function toKey(secret: string): string {
  return createHash('sha256').update(secret).digest('base64')
}
