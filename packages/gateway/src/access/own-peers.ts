/**
 * Whether the other end of a connection is a socket of the very user that this process runs as. Only a kernel that says
 * so counts: whatever cannot be told is not ours.
 *
 * 1. Asked once a connection, at its first request without a credential; those who ask together share a look.
 * 2. A socket that was closed meanwhile shows as root's: only one that a process still holds has an owner.
 * 3. The row is of our connection, not of a later one between the same two ports: a connection is there once at a time,
 *    and ours is still there after the look.
 * 4. Nobody's uid (65534) stands for every user that a container does not know, so it is nobody's proof.
 */
import type { Socket } from 'node:net'
import { findRows, rowKeys, type SocketRow } from './socket-table.ts'

/** Rejects where nothing could be looked up: then nobody is ours, but may be the next time. */
export type OwnPeerCheck = (socket: Socket) => Promise<boolean>

export interface OwnPeersOptions {
  readonly platform?: NodeJS.Platform
  /** Of this process. */
  readonly uid?: number | undefined
  /** Sockets of IPv4 first: that is where most are. */
  readonly tables?: readonly string[]
}

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const OVERFLOW_UID = 65_534
/** Established, and both states of one whose own side said that it will send no more. */
const LIVE_STATES: ReadonlySet<number> = new Set([1, 4, 5])
/** A table that changes while it is read may skip a row. */
const LOOKS = 2

interface Question {
  readonly keys: readonly string[]
  answer(row: SocketRow | undefined): void
  fail(error: unknown): void
}

export function createOwnPeerCheck({
  platform = process.platform,
  uid = process.getuid?.(),
  tables = TABLES,
}: OwnPeersOptions = {}): OwnPeerCheck {
  if (platform !== 'linux' || uid === undefined || uid === OVERFLOW_UID) return () => Promise.resolve(false)
  const lookout = new Lookout(tables)
  return async (socket) => {
    const { remoteAddress, remotePort, localAddress, localPort } = socket
    if (remoteAddress === undefined || remotePort === undefined) return false
    if (localAddress === undefined || localPort === undefined) return false
    const keys = rowKeys({
      local: { address: remoteAddress, port: remotePort },
      remote: { address: localAddress, port: localPort },
    })
    let row: SocketRow | undefined
    for (let look = 0; row === undefined && look < LOOKS && isConnected(socket); look++) row = await lookout.find(keys)
    if (row === undefined || !row.isHeld || !LIVE_STATES.has(row.state)) return false
    return row.uid === uid && isConnected(socket)
  }
}

/** One look at the tables at a time. Who asks while one is under way waits for the next: its row may be missing in this. */
class Lookout {
  readonly #tables: readonly string[]
  #waiting: Question[] = []
  #isLooking = false

  constructor(tables: readonly string[]) {
    this.#tables = tables
  }

  find(keys: readonly string[]): Promise<SocketRow | undefined> {
    return new Promise((answer, fail) => {
      this.#waiting.push({ keys, answer, fail })
      if (!this.#isLooking) void this.#look()
    })
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    while (this.#waiting.length > 0) {
      const asked = this.#waiting
      this.#waiting = []
      const found = new Map<string, SocketRow>()
      let open = asked
      let failure: unknown
      for (const table of this.#tables) {
        try {
          await findRows(table, new Set(open.flatMap(({ keys }) => keys)), found)
        } catch (error) {
          // It proves nothing, and the other one may.
          failure = error
        }
        open = open.filter(({ keys }) => !keys.some((key) => found.has(key)))
        if (open.length === 0) break
      }
      for (const { keys, answer, fail } of asked) {
        const key = keys.find((one) => found.has(one))
        if (key === undefined && failure !== undefined) fail(failure)
        else answer(key === undefined ? undefined : found.get(key))
      }
    }
    this.#isLooking = false
  }
}

/** Asks the kernel: Node remembers an address for good, also when the connection is gone and it has not read so yet. */
function isConnected(socket: Socket): boolean {
  // Not in the types. Where a later Node has it no more, nobody is taken for us, and the tests say so.
  const { _handle: handle } = socket as unknown as { _handle?: { getpeername?(out: object): number } | null }
  return !socket.destroyed && handle?.getpeername?.({}) === 0
}
