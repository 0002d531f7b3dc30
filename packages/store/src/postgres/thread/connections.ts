/**
 * A few connections that all operations share, and how long a server that cannot be reached is waited for.
 *
 * 1. At most `size` connections are open; owners take turns for the next one.
 * 2. A connection that was lost is never used again.
 * 3. Whoever finds the server gone tries again for as long as `patience` says since it was first found gone. After that it is
 *    tried once for every caller, who is told at once: nobody waits for a server that stays away.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { FairQueue } from '@switchboard/base'
import { ThreadFailure } from '../../thread/failure.ts'
import type { PostgresAddress } from '../address.ts'
import type { PostgresLimits } from '../limits.ts'
import { isPassing } from './failure.ts'
import { ServerConnection } from './server-connection.ts'

const FIRST_PAUSE = 25
const LONGEST_PAUSE = 500
const OLDEST_SERVER = 15

export class Connections {
  readonly #address: PostgresAddress
  readonly #limits: PostgresLimits
  readonly #places: FairQueue
  readonly #idle: ServerConnection[] = []
  readonly #open = new Set<ServerConnection>()
  #goneSince: number | undefined
  #isClosing = false

  constructor(address: PostgresAddress, limits: PostgresLimits, size: number) {
    this.#address = address
    this.#limits = limits
    this.#places = new FairQueue(size)
  }

  /** `work` may be done again from its beginning when the connection is lost: only what is done once however often it is asked for. */
  async use<T>(owner: string, work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    const begun = performance.now()
    for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
      try {
        const result = await this.#useOnce(owner, work)
        this.#goneSince = undefined
        return result
      } catch (error) {
        if (!isPassing(error)) throw error
        this.#goneSince ??= begun
        const waited = performance.now() + pause - Math.min(begun, this.#goneSince)
        if (this.#isClosing || waited > this.#limits.patience) throw error
        await delay(pause)
      }
    }
  }

  /** From here on nobody waits for a server that is away. */
  beginClosing(): void {
    this.#isClosing = true
  }

  /** Once nothing is under way. */
  close(): void {
    this.#isClosing = true
    for (const connection of this.#open) connection.end()
  }

  async #useOnce<T>(owner: string, work: (connection: ServerConnection) => Promise<T>): Promise<T> {
    if (!this.#places.tryEnter(owner)) {
      await this.#places.wait(owner, {
        timeout: this.#limits.statement,
        createAbortError: (reason) => new Error(String(reason)),
        createTimeoutError: () => new ThreadFailure('busy', 'all of its connections are at work'),
      })
    }
    let connection: ServerConnection | undefined
    try {
      connection = this.#takeIdle() ?? (await this.#connect())
      return await work(connection)
    } catch (error) {
      // Whatever it was in the middle of: the next user finds a connection without a past.
      if (connection !== undefined) this.#drop(connection)
      throw error
    } finally {
      if (connection !== undefined && this.#open.has(connection)) this.#idle.push(connection)
      this.#places.exit(owner)
    }
  }

  #takeIdle(): ServerConnection | undefined {
    for (let known = this.#idle.pop(); known !== undefined; known = this.#idle.pop()) {
      if (!known.isLost) return known
      this.#drop(known)
    }
    return undefined
  }

  async #connect(): Promise<ServerConnection> {
    const connection = await ServerConnection.open(this.#address, this.#limits)
    this.#open.add(connection)
    const [row] = await connection.query('SHOW server_version')
    const version = String(row?.server_version ?? '')
    if (Number.parseInt(version, 10) < OLDEST_SERVER) {
      throw new ThreadFailure('unavailable', `it is PostgreSQL ${version}`, {
        hint: `Use PostgreSQL ${OLDEST_SERVER} or later.`,
      })
    }
    return connection
  }

  #drop(connection: ServerConnection): void {
    this.#open.delete(connection)
    connection.end()
  }
}
