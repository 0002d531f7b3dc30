/**
 * As whom we log in, in the order of MCP: the client of the entry, the document that it names (where the authorization server takes
 * one), the registration of an earlier login at the same authorization server, a new registration (RFC 7591).
 */
import type { JsonObject } from '@switchboard/protocol'
import type { AuthorizationServerFacts } from './discover-authorization.ts'
import type { LoginRecord, OAuthClient } from './login-record.ts'
import { askOAuth, describeRefusal, loginFailed } from './oauth-http.ts'

export interface ClientSettings {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  readonly clientMetadataUrl?: string | undefined
}

export interface IdentifyOptions {
  readonly settings: ClientSettings
  readonly facts: AuthorizationServerFacts
  readonly former: LoginRecord | undefined
  readonly redirectUri: string
  readonly clientName: string
  readonly signal: AbortSignal | undefined
}

const SECRET_METHODS = ['client_secret_basic', 'client_secret_post'] as const

export async function identifyClient(options: IdentifyOptions): Promise<OAuthClient> {
  const { settings, facts, former, redirectUri } = options
  const configured = readConfigured(settings, facts)
  if (configured !== undefined) return configured
  if (settings.clientMetadataUrl !== undefined && facts.takesDocuments) {
    return { id: settings.clientMetadataUrl, method: 'none', origin: 'document' }
  }
  const client = former?.issuer === facts.issuer ? former.client : undefined
  const isExpired = (client?.secretExpiresAt ?? Number.POSITIVE_INFINITY) <= Date.now()
  if (client?.origin === 'registered' && client.redirectUri === redirectUri && !isExpired) return client
  return register(options)
}

/** The secret of the configuration is never kept with a login. */
export function readConfigured(
  { clientId, clientSecret }: ClientSettings,
  { clientMethods }: Pick<AuthorizationServerFacts, 'clientMethods'>,
): OAuthClient | undefined {
  if (clientId === undefined) return undefined
  if (clientSecret === undefined) return { id: clientId, method: 'none', origin: 'configured' }
  const method = SECRET_METHODS.find((known) => clientMethods?.includes(known)) ?? 'client_secret_basic'
  return { id: clientId, secret: clientSecret, method, origin: 'configured' }
}

async function register(options: IdentifyOptions): Promise<OAuthClient> {
  const { facts, redirectUri, clientName, signal } = options
  if (facts.registrationEndpoint === undefined) {
    const document = facts.takesDocuments
      ? ' It also takes a document on the web that says who we are: name yours as "oauth.clientMetadataUrl".'
      : ''
    throw loginFailed(`The authorization server ${facts.issuer} lets no client register by itself`, {
      hint: `Register one there with the redirect address ${redirectUri.replace(/:\d+\//, ':<port>/')} and put its id into "oauth.clientId" of the server's entry (and its "oauth.redirectPort", where it holds to the port).${document}`,
    })
  }
  // A public client needs no secret that could be lost; where that is not offered, one is taken.
  const isPublic = facts.clientMethods?.includes('none') ?? true
  const method = isPublic ? 'none' : SECRET_METHODS.find((known) => facts.clientMethods?.includes(known))
  // No scopes: some servers would hold us to them when a later call takes more.
  const json: JsonObject = {
    client_name: clientName,
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: method ?? 'client_secret_basic',
    application_type: 'native',
  }
  const answer = await askOAuth({ url: new URL(facts.registrationEndpoint), json, signal })
  if (answer.status !== 201 && answer.status !== 200) {
    throw loginFailed(`The registration at ${facts.issuer} was refused: ${describeRefusal(answer)}`, {
      hint: 'Register a client there by hand, and put its id into "oauth.clientId" of the server’s entry.',
    })
  }
  return readRegistration(answer.body ?? {}, redirectUri, method)
}

/** `wanted`: what was asked for; where the answer does not say what became of it, it holds. */
function readRegistration(
  body: JsonObject,
  redirectUri: string,
  wanted: OAuthClient['method'] | undefined,
): OAuthClient {
  const { client_id: id, client_secret: secret, client_secret_expires_at: expires } = body
  if (typeof id !== 'string' || id === '') throw loginFailed('The answer to the registration held no client_id')
  const asked = body.token_endpoint_auth_method ?? (wanted === 'none' ? undefined : wanted)
  const hasSecret = typeof secret === 'string' && secret !== '' && asked !== 'none'
  if (!hasSecret) return { id, method: 'none', origin: 'registered', redirectUri }
  const method = asked === 'client_secret_post' ? 'client_secret_post' : 'client_secret_basic'
  const limit = typeof expires === 'number' && expires > 0 ? { secretExpiresAt: expires * 1000 } : {}
  return { id, secret, method, origin: 'registered', redirectUri, ...limit }
}
