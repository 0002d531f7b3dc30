/**
 * Where to log in for a server, as MCP has it: the metadata of the server (RFC 9728: where its challenge says, else at the two
 * well-known places), then that of the authorization server which it names (RFC 8414 and OpenID Connect, in the order of MCP).
 * A server of 2025-03-26 has no metadata of its own: its origin is the authorization server, whose endpoints have fixed names
 * where there is no metadata at all. Where a server names several, one that cannot be used is passed over for the next.
 */
import { showHidden } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Challenge } from './challenge.ts'
import { askOAuth, checkAddress, loginFailed } from './oauth-http.ts'

export interface AuthorizationServerFacts {
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly registrationEndpoint: string | undefined
  readonly revocationEndpoint: string | undefined
  /** How a client with a secret may prove itself. */
  readonly clientMethods: readonly string[] | undefined
  readonly scopes: readonly string[]
  /** It takes the URL of a document for a client's id. */
  readonly takesDocuments: boolean
  /** It promises to say who it is in its answer (RFC 9207). */
  readonly namesItself: boolean
}

export interface ResourceFacts {
  /** What a token is for (RFC 8707). */
  readonly resource: string
  /** In the order in which they are tried; one at least. Nobody has looked at them yet. */
  readonly issuers: readonly string[]
  readonly scopes: readonly string[]
  /** The server named its authorization server: it has metadata of its own. */
  readonly isDescribed: boolean
}

interface Context {
  readonly server: URL
  readonly signal: AbortSignal | undefined
}

export async function discoverResource(
  challenge: Challenge | undefined,
  wantedIssuer: string | undefined,
  context: Context,
): Promise<ResourceFacts> {
  const { server } = context
  const metadata = await findResourceMetadata(challenge, context)
  const named = readTexts(metadata?.authorization_servers)
  if (metadata === undefined && challenge === undefined && wantedIssuer === undefined) {
    throw loginFailed(`The server at ${server.origin}${server.pathname} does not ask for a login`, {
      hint: 'If its calls are refused, look into `switchboard status` for the reason.',
    })
  }
  if (metadata === undefined || named.length === 0) {
    return {
      resource: canonicalResource(server),
      issuers: [wantedIssuer ?? server.origin],
      scopes: readTexts(metadata?.scopes_supported),
      isDescribed: wantedIssuer !== undefined,
    }
  }
  if (wantedIssuer !== undefined && !named.includes(wantedIssuer)) {
    throw loginFailed(`The server does not name ${wantedIssuer} as an authorization server`, {
      hint: `Correct "oauth.issuer" of its entry; it names: ${named.slice(0, 5).join(', ')}.`,
    })
  }
  return {
    resource: checkResource(metadata.resource, server),
    issuers: wantedIssuer === undefined ? [...new Set(named)] : [wantedIssuer],
    scopes: readTexts(metadata.scopes_supported),
    isDescribed: true,
  }
}

async function findResourceMetadata(
  challenge: Challenge | undefined,
  context: Context,
): Promise<JsonObject | undefined> {
  const { server, signal } = context
  let refusal: SwitchboardError | undefined
  if (challenge?.resourceMetadata !== undefined) {
    const url = checkAddress(challenge.resourceMetadata, server, 'The address of the metadata of the server')
    const { status, body } = await askOAuth({ url, signal })
    if (status === 200 && body !== undefined) return body
    // Whoever writes a wrong address there may have it at the right places all the same.
    refusal = loginFailed(`The metadata that the server points to cannot be read: it was answered with ${status}`)
  }
  for (const path of new Set([server.pathname === '/' ? '' : server.pathname, ''])) {
    const url = new URL(`/.well-known/oauth-protected-resource${path}`, server.origin)
    const { status, body } = await askOAuth({ url, signal })
    if (status === 200 && body?.resource !== undefined) return body
  }
  if (refusal !== undefined) throw refusal
  return undefined
}

/** The first that can be used. Nothing but metadata is asked for before. */
export async function discoverAuthorizationServer(
  { issuers, isDescribed }: ResourceFacts,
  context: Context,
): Promise<AuthorizationServerFacts> {
  const refusals: Refusal[] = []
  for (const issuer of issuers.slice(0, MAX_TRIED)) {
    try {
      const url = checkAddress(issuer, context.server, 'The authorization server')
      return await describeServer(url, isDescribed, context)
    } catch (error) {
      context.signal?.throwIfAborted()
      if (!(error instanceof SwitchboardError)) throw error
      refusals.push({ issuer, error })
    }
  }
  throw joinRefusals(refusals, issuers.length - refusals.length)
}

/** Each may keep us waiting, and a server may name as many as it likes. */
const MAX_TRIED = 5

interface Refusal {
  readonly issuer: string
  readonly error: SwitchboardError
}

function joinRefusals(refusals: readonly Refusal[], untried: number): SwitchboardError {
  const [first] = refusals
  if (first !== undefined && refusals.length === 1) return first.error
  const reasons = refusals.map(({ issuer, error }) => `${showHidden(issuer).slice(0, 200)}: ${error.message}`)
  const rest = untried === 0 ? '' : `; ${untried} more of them were not tried`
  return loginFailed(`No authorization server that the server names can be used: ${reasons.join('; ')}${rest}`, {
    retryable: refusals.some(({ error }) => error.retryable),
    hint: 'Try again later, or tell the operator of the server; until then put an `Authorization` header into `headers`.',
  })
}

async function describeServer(
  issuer: URL,
  isDescribed: boolean,
  { server, signal }: Context,
): Promise<AuthorizationServerFacts> {
  for (const url of listMetadataAddresses(issuer)) {
    const { status, body } = await askOAuth({ url, signal })
    // Some answer everything that they do not know with 200 and an object of their own.
    if (status === 200 && typeof body?.issuer === 'string') return readFacts(body, issuer, server)
  }
  if (isDescribed) {
    throw loginFailed(`The authorization server ${issuer.href} has no metadata at any of its well-known places`, {
      hint: 'Its operator has to publish it (RFC 8414); until then put an `Authorization` header into `headers`.',
    })
  }
  const at = (path: string): string => new URL(path, issuer).href
  return {
    issuer: issuer.origin,
    authorizationEndpoint: at('/authorize'),
    tokenEndpoint: at('/token'),
    registrationEndpoint: at('/register'),
    revocationEndpoint: undefined,
    clientMethods: ['none'],
    scopes: [],
    takesDocuments: false,
    namesItself: false,
  }
}

export function listMetadataAddresses(issuer: URL): URL[] {
  const path = withoutLastSlash(issuer.pathname)
  const places =
    path === ''
      ? ['/.well-known/oauth-authorization-server', '/.well-known/openid-configuration']
      : [
          `/.well-known/oauth-authorization-server${path}`,
          `/.well-known/openid-configuration${path}`,
          `${path}/.well-known/openid-configuration`,
        ]
  return places.map((place) => new URL(place, issuer.origin))
}

function readFacts(metadata: JsonObject, issuer: URL, server: URL): AuthorizationServerFacts {
  // Somebody else's metadata would send the person, and the code, to somebody else.
  if (typeof metadata.issuer !== 'string' || !isSameIssuer(metadata.issuer, issuer)) {
    throw loginFailed(`The metadata at ${issuer.href} is that of another authorization server`)
  }
  if (!readTexts(metadata.code_challenge_methods_supported).includes('S256')) {
    throw loginFailed(
      `The authorization server ${issuer.href} does not offer PKCE with S256, without which a login is not safe`,
      {
        hint: 'Its operator has to switch it on; until then put an `Authorization` header into `headers`.',
      },
    )
  }
  const read = (name: string): string | undefined => {
    const value = metadata[name]
    return typeof value === 'string'
      ? checkAddress(value, server, `The ${name} of the authorization server`).href
      : undefined
  }
  const authorizationEndpoint = read('authorization_endpoint')
  const tokenEndpoint = read('token_endpoint')
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) {
    throw loginFailed(`The metadata of ${issuer.href} names no authorization_endpoint, or no token_endpoint`)
  }
  const methods = metadata.token_endpoint_auth_methods_supported
  return {
    issuer: metadata.issuer,
    authorizationEndpoint,
    tokenEndpoint,
    registrationEndpoint: read('registration_endpoint'),
    revocationEndpoint: read('revocation_endpoint'),
    clientMethods: methods === undefined ? undefined : readTexts(methods),
    scopes: readTexts(metadata.scopes_supported),
    takesDocuments: metadata.client_id_metadata_document_supported === true,
    namesItself: metadata.authorization_response_iss_parameter_supported === true,
  }
}

/** An issuer is a text to be compared as it is; that of a bare origin is written with and without its slash. */
function isSameIssuer(text: string, issuer: URL): boolean {
  return withoutLastSlash(text) === withoutLastSlash(issuer.href)
}

/** Of the same origin, and the server's path or one above it: a token for something else is not asked for. */
function checkResource(value: unknown, server: URL): string {
  const named = typeof value === 'string' ? URL.parse(value) : null
  const folder = withoutLastSlash(named?.pathname ?? '')
  const isAbove = server.pathname === folder || server.pathname.startsWith(`${folder}/`)
  if (named?.origin === server.origin && isAbove && typeof value === 'string') return value
  throw loginFailed(
    `The metadata of the server is about ${named === null ? 'no URL' : `${named.origin}${named.pathname}`}, not about ${server.origin}${server.pathname}`,
    { hint: 'Correct `url`, or tell the operator of the server; no token is asked for something else.' },
  )
}

/** Without what only a client sees; a bare origin without a slash. */
function canonicalResource(server: URL): string {
  return `${server.origin}${server.pathname === '/' ? '' : server.pathname}${server.search}`
}

function readTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((part): part is string => typeof part === 'string').slice(0, 200) : []
}

function withoutLastSlash(text: string): string {
  return text.endsWith('/') ? text.slice(0, -1) : text
}
