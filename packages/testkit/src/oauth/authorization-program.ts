/**
 * A real authorization server, `oidc-provider`, for one test: opaque tokens for any resource, rotated refresh tokens of which a used
 * one ends the whole grant, registration, revocation, introspection. Whoever opens its page is the person and agrees. It says on
 * stdout where it listens, and each token that it issued or refused.
 */
import { createServer } from 'node:http'
import Provider, { type Configuration } from 'oidc-provider'
import type { AuthorizationOptions } from './options.ts'

// Given by whoever starts it, in this shape.
const options = JSON.parse(process.argv[2] ?? '{}') as AuthorizationOptions
const {
  path = '',
  tokenSeconds = 3600,
  registers = true,
  refuses = [],
  confidential = false,
  byHandAt = '127.0.0.1',
  document,
} = options

function say(event: Record<string, unknown>): void {
  process.stdout.write(`${JSON.stringify(event)}\n`)
}

const configuration: Configuration = {
  clients: [
    {
      client_id: 'resource-server',
      client_secret: 'known-to-the-test',
      redirect_uris: [],
      response_types: [],
      grant_types: [],
    },
    {
      client_id: 'by-hand',
      redirect_uris: [`http://${byHandAt}/callback`],
      application_type: 'native',
      grant_types: ['authorization_code', 'refresh_token'],
      ...(confidential ? { client_secret: 'kept-by-the-person' } : { token_endpoint_auth_method: 'none' as const }),
    },
  ],
  scopes: ['openid', 'offline_access', 'read', 'admin'],
  features: {
    devInteractions: { enabled: false },
    registration: { enabled: registers },
    revocation: { enabled: true },
    introspection: { enabled: true },
    ...(document === undefined ? {} : { clientIdMetadataDocument: { enabled: true, ack: 'draft-02' } }),
    resourceIndicators: {
      enabled: true,
      defaultResource: () => [],
      useGrantedResource: () => true,
      getResourceServerInfo: (_context, resource) => ({
        scope: 'read admin',
        audience: resource,
        accessTokenFormat: 'opaque',
        accessTokenTTL: tokenSeconds,
      }),
    },
  },
  ttl: { AccessToken: tokenSeconds, RefreshToken: 86_400, Grant: 86_400, Session: 86_400, Interaction: 600 },
  rotateRefreshToken: true,
  fetch: (url, request) =>
    document !== undefined && String(url) === document.url
      ? Promise.resolve(Response.json(document.body))
      : globalThis.fetch(url, request),
  findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) }),
  interactions: { url: (_context, interaction) => `/visit/${interaction.uid}` },
}

let provider: Provider
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  if (url.pathname.startsWith('/visit/')) {
    void visit(request, response).catch((error: unknown) => {
      response.writeHead(500).end(String(error))
    })
    return
  }
  if (url.pathname.startsWith('/expire/')) {
    void expire(url.pathname.slice('/expire/'.length)).then(() => response.writeHead(204).end())
    return
  }
  serve(request, response)
})
let serve: ReturnType<Provider['callback']>

/** Before its time, and that token alone: revoking one would end the whole login. */
async function expire(token: string): Promise<void> {
  await (await provider.AccessToken.find(token))?.destroy()
}

/** The person logs in, and agrees to what is asked for. */
async function visit(...pair: Parameters<Provider['interactionDetails']>): Promise<void> {
  const { prompt, params, session, grantId } = await provider.interactionDetails(...pair)
  if (refuses.includes('person')) {
    await provider.interactionFinished(...pair, {
      error: 'access_denied',
      error_description: '<b>The person</b> said no',
    })
    return
  }
  if (prompt.name === 'login') {
    await provider.interactionFinished(...pair, { login: { accountId: 'person' } }, { mergeWithLastSubmission: false })
    return
  }
  const known = grantId === undefined ? undefined : await provider.Grant.find(grantId)
  const grant =
    known ?? new provider.Grant({ accountId: session?.accountId ?? 'person', clientId: String(params.client_id) })
  const { scope = '', resource } = params
  grant.addOIDCScope(String(scope))
  if (resource !== undefined) grant.addResourceScope(String(resource), String(scope))
  await provider.interactionFinished(...pair, { consent: { grantId: await grant.save() } })
}

server.listen(options.port ?? 0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const origin = `http://127.0.0.1:${port}`
  provider = new Provider(`${origin}${path}`, configuration)
  provider.proxy = false
  serve = provider.callback()
  provider.on('grant.success', ({ oidc }) => say({ granted: oidc.params?.grant_type, client: oidc.client?.clientId }))
  provider.on('grant.error', ({ oidc }, error) => say({ refused: oidc.params?.grant_type, error: error.message }))
  provider.on('registration_create.success', (_context, client) => say({ registered: client.clientId }))
  provider.on('server_error', (_context, error) => say({ failed: String(error) }))
  say({ ready: true, url: `${origin}${path}` })
})

process.stdin.on('end', () => process.exit(0)).resume()
