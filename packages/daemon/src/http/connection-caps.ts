/**
 * How many connections may be open at once, below the number of files that the process may open: what is left keeps servers
 * starting, logs written and answers given. HTTP and our own socket have a share each, so that whoever fills the one does not
 * keep a person from looking at the other. A connection beyond is closed at once, counted and told.
 */
import type { ConnectionCap } from '@switchboard/gateway'
import type { Logger } from '@switchboard/telemetry'

/** Of an idle daemon: about 25, and a few for files that are read and written. */
const OWN_HANDLES = 32
/** To start a process, and to look what is wrong. */
const SPARE_HANDLES = 12
/** Three pipes and a log. */
const HANDLES_PER_SERVER = 4
/** Whatever the limit is, somebody can look. */
const LEAST = 4
const MOST = { http: 10_000, socket: 2_048 }
/** Between two lines about the same thing. */
const TELL_EVERY_MS = 60_000

export interface DoorStatus {
  readonly most: number
  /** Since the start. */
  readonly refused: number
}

export interface ConnectionsStatus {
  /** How many files the process may have open; null where that cannot be told. */
  readonly file_limit: number | null
  readonly http: DoorStatus
  readonly socket: DoorStatus
  readonly last_refused_at?: string
}

export interface ConnectionCapsOptions {
  readonly limit: number | undefined
  readonly log: Logger
  /** How many there are to be started. */
  servers(): number
  readonly now?: () => number
}

export class ConnectionCaps {
  readonly http: ConnectionCap
  readonly socket: ConnectionCap
  readonly #options: ConnectionCapsOptions
  readonly #now: () => number
  readonly #refused = { http: 0, socket: 0 }
  readonly #toldAt = new Map<string, number>()
  #lastRefused: number | undefined

  constructor(options: ConnectionCapsOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.http = this.#createCap('http', 'over HTTP')
    this.socket = this.#createCap('socket', "to the daemon's socket")
  }

  status(): ConnectionsStatus {
    const { http, socket } = this.#refused
    return {
      file_limit: this.#options.limit ?? null,
      http: { most: this.http.most, refused: http },
      socket: { most: this.socket.most, refused: socket },
      ...(this.#lastRefused === undefined ? {} : { last_refused_at: new Date(this.#lastRefused).toISOString() }),
    }
  }

  #createCap(door: keyof typeof MOST, where: string): ConnectionCap {
    const most = (): number => Math.min(MOST[door], this.#share())
    return {
      get most() {
        return most()
      },
      onRefused: () => {
        this.#refused[door]++
        this.#lastRefused = this.#now()
        const { limit } = this.#options
        const why = limit === undefined ? '' : `, since this process may open ${limit} files (ulimit -n)`
        const count = this.#refused[door]
        const message = `connections ${where} were refused, ${count} so far: at most ${most()} are open at once${why}`
        this.#tell(`${door} refused`, message, { door, refused: count, most: most() })
      },
      onFailed: (error) => {
        this.#lastRefused = this.#now()
        this.#refused[door]++
        this.#tell(`${door} failed`, `a connection ${where} could not be taken in: ${error.message}`, { door })
      },
    }
  }

  #share(): number {
    const { limit, servers } = this.#options
    if (limit === undefined) return Number.POSITIVE_INFINITY
    const kept = Math.max(OWN_HANDLES + SPARE_HANDLES + HANDLES_PER_SERVER * servers(), Math.ceil(limit / 4))
    return Math.max(LEAST, Math.floor((limit - kept) / 2))
  }

  #tell(what: string, message: string, data: Record<string, unknown>): void {
    const now = this.#now()
    if (now - (this.#toldAt.get(what) ?? Number.NEGATIVE_INFINITY) < TELL_EVERY_MS) return
    this.#toldAt.set(what, now)
    this.#options.log.warn('gateway.connections', message, data)
  }
}
