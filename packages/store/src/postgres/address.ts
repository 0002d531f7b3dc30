/**
 * Where a PostgreSQL is, read from a connection string. What is told of it to anybody names the host and the database, and never
 * the password, whatever was wrong with the text.
 */
import { SwitchboardError } from '@switchboard/protocol/errors'

/** As for every other client of PostgreSQL. */
export type TlsMode = 'disable' | 'prefer' | 'require' | 'verify-ca' | 'verify-full'

export interface PostgresAddress {
  /** A name, or the folder of a socket. */
  readonly host: string
  readonly port: number
  readonly database: string
  readonly user: string
  readonly password: string
  readonly tls: TlsMode
}

const EXAMPLE = 'postgres://user:password@localhost:5432/database'
const TLS_MODES: ReadonlySet<string> = new Set(['disable', 'prefer', 'require', 'verify-ca', 'verify-full'])
const PARAMETERS = ['host', 'sslmode']
const DEFAULT_PORT = 5_432

const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text)

export function parseAddress(text: string): PostgresAddress {
  const url = isPostgresUrl(text) ? parseUrl(text) : undefined
  if (url === undefined) throw refused('it does not read as the address of a PostgreSQL')
  const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) throw refused(`it knows no "${unknown}", only ${PARAMETERS.join(', ')}`)
  const host = url.searchParams.get('host') ?? decodeURIComponent(url.hostname)
  const user = decodeURIComponent(url.username)
  const database = decodeURIComponent(url.pathname.slice(1))
  if (host === '') throw refused('it names no host')
  if (user === '') throw refused('it names no user')
  if (database === '') throw refused('it names no database')
  const tls = url.searchParams.get('sslmode') ?? 'prefer'
  if (!isTlsMode(tls)) throw refused(`"${tls}" is no sslmode, but ${[...TLS_MODES].join(', ')} are`)
  const password = decodeURIComponent(url.password)
  const port = url.port === '' ? DEFAULT_PORT : Number(url.port)
  return { host, port, database, user, password, tls }
}

/** For people: without who, and without the password. */
export const describeAddress = ({
  host,
  port,
  database,
}: Pick<PostgresAddress, 'host' | 'port' | 'database'>): string =>
  `"${database}" of PostgreSQL at ${host.startsWith('/') ? host : `${host.includes(':') ? `[${host}]` : host}:${port}`}`

function parseUrl(text: string): URL | undefined {
  try {
    const url = new URL(text)
    // Each part is decoded later; one that cannot be is told as wrong here.
    for (const part of [url.username, url.password, url.pathname, url.hostname]) decodeURIComponent(part)
    return url
  } catch {
    return undefined
  }
}

const isTlsMode = (text: string): text is TlsMode => TLS_MODES.has(text)

const refused = (why: string): SwitchboardError =>
  new SwitchboardError('store_unavailable', `The connection string of the store is wrong: ${why}`, {
    hint: `Write it as ${EXAMPLE}, with the password percent-encoded, or leave it out for the embedded store.`,
    retryable: false,
  })
