/** A login as it is kept: for one server at one URL, at one authorization server. Nothing of it is ever shown. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { createShortHash } from '@switchboard/protocol/naming'
import { describeUrl } from '../transport/remote-url.ts'

/** What we are to the authorization server. */
export interface OAuthClient {
  readonly id: string
  readonly secret?: string
  /** How it proves that it is itself. */
  readonly method: 'none' | 'client_secret_basic' | 'client_secret_post'
  /** configured: read from the configuration whenever it is needed. */
  readonly origin: 'configured' | 'document' | 'registered'
  /** With which it was registered: some servers hold it to its port. */
  readonly redirectUri?: string
  /** Milliseconds since 1970. */
  readonly secretExpiresAt?: number
}

export interface OAuthTokens {
  readonly access: string
  /** Milliseconds since 1970; absent: nobody said. */
  readonly expiresAt?: number
  readonly refresh?: string
  readonly scope?: string
}

export interface LoginRecord {
  /** Of the server, in full: a token is sent nowhere else. */
  readonly url: string
  readonly issuer: string
  readonly resource: string
  readonly tokenEndpoint: string
  readonly revocationEndpoint?: string
  readonly client: OAuthClient
  /** Absent: logged out, or refused. The client can be used again. */
  readonly tokens?: OAuthTokens
}

const VERSION = 1

/** Under which it is kept. Another URL is another login: its name would not find this one. */
export function loginName(server: string, url: string): string {
  return `${startOfName(server)}${describeUrl(new URL(url)).slice(0, 150)} ${createShortHash(url)}`
}

/** Whether under that name a login of the server is kept, at whatever URL. */
export function isLoginOf(server: string, name: string): boolean {
  return name.startsWith(startOfName(server))
}

/** The name of a server holds no space. */
function startOfName(server: string): string {
  return `login ${server} `
}

export function formatLogin(record: LoginRecord): string {
  return JSON.stringify({ version: VERSION, ...record })
}

/** Undefined: it is none, or of another URL. */
export function parseLogin(text: string, url: string): LoginRecord | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isJsonObject(value) || value.version !== VERSION || value.url !== url) return undefined
  const { issuer, resource, tokenEndpoint, revocationEndpoint, client, tokens } = value
  const readClient = isJsonObject(client) ? parseClient(client) : undefined
  if (typeof issuer !== 'string' || typeof resource !== 'string' || typeof tokenEndpoint !== 'string') return undefined
  if (readClient === undefined) return undefined
  const readTokens = isJsonObject(tokens) ? parseTokens(tokens) : undefined
  return {
    url,
    issuer,
    resource,
    tokenEndpoint,
    client: readClient,
    ...(typeof revocationEndpoint === 'string' ? { revocationEndpoint } : {}),
    ...(readTokens === undefined ? {} : { tokens: readTokens }),
  }
}

const METHODS = ['none', 'client_secret_basic', 'client_secret_post'] as const
const ORIGINS = ['configured', 'document', 'registered'] as const

function parseClient({
  id,
  secret,
  method,
  origin,
  redirectUri,
  secretExpiresAt,
}: JsonObject): OAuthClient | undefined {
  const readMethod = METHODS.find((known) => known === method)
  const readOrigin = ORIGINS.find((known) => known === origin)
  if (typeof id !== 'string' || readMethod === undefined || readOrigin === undefined) return undefined
  return {
    id,
    method: readMethod,
    origin: readOrigin,
    ...(typeof secret === 'string' ? { secret } : {}),
    ...(typeof redirectUri === 'string' ? { redirectUri } : {}),
    ...(typeof secretExpiresAt === 'number' ? { secretExpiresAt } : {}),
  }
}

function parseTokens({ access, expiresAt, refresh, scope }: JsonObject): OAuthTokens | undefined {
  if (typeof access !== 'string') return undefined
  return {
    access,
    ...(typeof expiresAt === 'number' ? { expiresAt } : {}),
    ...(typeof refresh === 'string' ? { refresh } : {}),
    ...(typeof scope === 'string' ? { scope } : {}),
  }
}
