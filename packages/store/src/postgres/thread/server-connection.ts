/**
 * One connection, for one user at a time, with one life: once it is lost it stays so. The client would connect again by itself,
 * and for ever; when that is worth while is decided in one place (`Connections`). The socket is ours, so that a peer that has
 * fallen silent is left at once.
 */
import { connect, type Socket } from 'node:net'
import postgres from 'postgres'
import type { PostgresAddress } from '../address.ts'
import type { PostgresLimits } from '../limits.ts'
import { lost } from './failure.ts'

export type Row = Readonly<Record<string, unknown>>
/** Lists are written by `list`: the client would have to ask for the types of the database first. */
export type Value = string | number | boolean | null

const SECOND = 1_000

export class ServerConnection {
  readonly #socket: Socket
  readonly #sql: ReturnType<typeof postgres>
  readonly #limits: PostgresLimits

  static async open(address: PostgresAddress, limits: PostgresLimits): Promise<ServerConnection> {
    const socket = await openSocket(address, limits.connect)
    const connection = new ServerConnection(socket, address, limits)
    try {
      // The first statement waits for the whole greeting, the password included.
      await connection.query('SELECT 1', [], limits.connect)
      return connection
    } catch (error) {
      connection.end()
      throw error
    }
  }

  private constructor(
    socket: Socket,
    { host, port, database, user, password, tls }: PostgresAddress,
    limits: PostgresLimits,
  ) {
    this.#socket = socket
    this.#limits = limits
    let isTaken = false
    this.#sql = postgres({
      ...{ host, port, database, user, password, max: 1, fetch_types: false, idle_timeout: 0, max_lifetime: null },
      connect_timeout: limits.connect / SECOND,
      ssl: toTls(tls, host),
      onnotice: () => {},
      // Of the types of the client, which knows nothing of this option.
      ...{
        socket: () => {
          if (isTaken) throw lost('it was closed')
          isTaken = true
          return socket
        },
      },
      connection: {
        application_name: 'switchboard',
        search_path: 'switchboard',
        statement_timeout: limits.statement,
        lock_timeout: limits.statement,
        idle_in_transaction_session_timeout: limits.statement,
        // Lists differ much in length, and no query is so large that compiling it would pay.
        plan_cache_mode: 'force_custom_plan',
        jit: 'off',
      },
    })
  }

  get isLost(): boolean {
    return this.#socket.destroyed
  }

  /** Several may be asked for at once: they are answered in their order. */
  async query(text: string, values: readonly Value[] = [], limit = this.#limits.statement): Promise<readonly Row[]> {
    if (this.isLost) throw lost('it was closed')
    const longest = limit + this.#limits.grace
    const timer = setTimeout(() => this.#socket.destroy(lost(`no answer in ${longest / SECOND} s`)), longest)
    try {
      return await this.#sql.unsafe(text, [...values], { prepare: values.length > 0 })
    } finally {
      clearTimeout(timer)
    }
  }

  end(): void {
    this.#socket.destroy()
    // It has nothing left to say goodbye to.
    this.#sql.end({ timeout: 0 }).catch(() => {})
  }
}

/** A list as PostgreSQL reads it. */
export const list = (values: readonly (string | number | null)[]): string =>
  `{${values.map((value) => (typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value))).join(',')}}`

function openSocket({ host, port }: PostgresAddress, limit: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
    // Whoever stays connected without a word from us for long is a server that is gone without a word.
    socket.setKeepAlive(true, 30 * SECOND)
    const timer = setTimeout(() => socket.destroy(lost(`no connection in ${limit / SECOND} s`)), limit)
    const settle = (): void => {
      clearTimeout(timer)
      socket.removeAllListeners()
    }
    socket.once('connect', () => {
      settle()
      // Until the client listens: it finds out by what it writes.
      socket.on('error', () => {})
      // What the client says of it.
      Object.assign(socket, { host, port })
      resolve(socket)
    })
    socket.once('error', (error) => {
      settle()
      reject(error)
    })
  })
}

interface VerifiedTls {
  readonly rejectUnauthorized: true
  /** Whose name, or address, the certificate must tell. */
  readonly host: string
  readonly checkServerIdentity?: () => undefined
}

/** As the client takes it: it knows the names of what is not verified. */
function toTls(mode: PostgresAddress['tls'], host: string): false | 'prefer' | 'require' | VerifiedTls {
  // A socket of this machine is not listened to on its way.
  if (mode === 'disable' || host.startsWith('/')) return false
  if (mode === 'prefer' || mode === 'require') return mode
  return { rejectUnauthorized: true, host, ...(mode === 'verify-ca' ? { checkServerIdentity: () => undefined } : {}) }
}
