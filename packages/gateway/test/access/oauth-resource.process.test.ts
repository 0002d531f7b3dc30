import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAuthenticator } from '../../src/access/create-authenticator.ts'
import { type OAuthConfig, OAuthResource } from '../../src/access/oauth-resource.ts'
import { AuthorizationServer } from './authorization-server.ts'

const STRANGER = { address: '192.0.2.1', isSameUser: () => false }

const AUDIENCE = 'https://gateway.example/mcp'
const HOST = 'gateway.example'

let server: AuthorizationServer

beforeEach(async () => {
  server = await AuthorizationServer.start()
  await server.addKey('first')
})

afterEach(async () => {
  await server[Symbol.asyncDispose]()
})

function createResource(config: Partial<OAuthConfig> = {}): OAuthResource {
  return new OAuthResource({ issuer: server.issuer, audience: AUDIENCE, jwksUri: server.jwksUri, ...config })
}

describe('an access token', () => {
  it.each(['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA'])('signed with %s is accepted', async (alg) => {
    await server.addKey('other', alg)
    const token = await server.sign({ aud: AUDIENCE })
    expect(await createResource().verify(token, '/mcp', HOST)).toEqual({ ok: true, subject: 'ada' })
  })

  it('is known by its client where it has no subject', async () => {
    const token = await server.sign({ aud: AUDIENCE, sub: undefined, client_id: 'agent' })
    expect(await createResource().verify(token, '/mcp', HOST)).toEqual({ ok: true, subject: 'agent' })
    const nobody = await server.sign({ aud: AUDIENCE, sub: undefined })
    expect(await createResource().verify(nobody, '/mcp', HOST)).toMatchObject({ ok: false, reason: 'invalid_token' })
  })

  it('may be up to 30 seconds over its time, and no more', async () => {
    const resource = createResource()
    const late = await server.sign({ aud: AUDIENCE }, { expiresIn: -20 })
    expect(await resource.verify(late, '/mcp', HOST)).toMatchObject({ ok: true })
    const expired = await server.sign({ aud: AUDIENCE }, { expiresIn: -60 })
    expect(await resource.verify(expired, '/mcp', HOST)).toMatchObject({ ok: false, reason: 'invalid_token' })
  })

  it('for one profile is good for that profile only', async () => {
    const resource = createResource()
    const token = await server.sign({ aud: `${AUDIENCE}/dev` })
    expect(await resource.verify(token, '/mcp/dev', HOST)).toMatchObject({ ok: true })
    expect(await resource.verify(token, '/mcp/admin', HOST)).toMatchObject({ ok: false, reason: 'invalid_token' })
    expect(await resource.verify(token, '/mcp', HOST)).toMatchObject({ ok: false, reason: 'invalid_token' })
  })

  it.each([
    ['is for somebody else', { aud: 'https://elsewhere.example/mcp' }, {}],
    ['is for nobody', {}, {}],
    ['comes from another issuer', { aud: AUDIENCE, iss: 'https://evil.example' }, {}],
    ['never expires', { aud: AUDIENCE }, { expiresIn: null }],
    ['is not valid yet', { aud: AUDIENCE, nbf: Math.floor(Date.now() / 1000) + 3_600 }, {}],
    ['is of another type', { aud: AUDIENCE }, { typ: 'dpop+jwt' }],
  ])('that %s is refused', async (_name, claims, options) => {
    const token = await server.sign(claims, options)
    expect(await createResource().verify(token, '/mcp', HOST)).toMatchObject({ ok: false, reason: 'invalid_token' })
  })

  it('without a signature, or signed with a shared secret, is refused without a look at the keys', async () => {
    const { SignJWT, UnsecuredJWT } = await import('jose')
    const claims = { iss: server.issuer, sub: 'ada', aud: AUDIENCE, exp: Math.floor(Date.now() / 1000) + 300 }
    const none = new UnsecuredJWT(claims).encode()
    const secret = new TextEncoder().encode('a secret that is long enough for the algorithm')
    const shared = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(secret)
    const resource = createResource()
    for (const token of [none, shared, 'x', 'a.b.c', `${'a'.repeat(20_000)}.b.c`]) {
      expect(await resource.verify(token, '/mcp', HOST)).toMatchObject({ ok: false, reason: 'invalid_token' })
    }
    expect(server.requests).toEqual([])
  })

  it('with a changed claim is refused', async () => {
    const [header, , signature] = (await server.sign({ aud: AUDIENCE })).split('.')
    const claims = { iss: server.issuer, sub: 'root', aud: AUDIENCE, exp: Math.floor(Date.now() / 1000) + 300 }
    const forged = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`
    expect(await createResource().verify(forged, '/mcp', HOST)).toMatchObject({ ok: false, reason: 'invalid_token' })
  })

  it('needs every scope that is asked for, in either claim', async () => {
    const resource = createResource({ scopes: ['tools', 'files'] })
    const some = await server.sign({ aud: AUDIENCE, scope: 'tools' })
    expect(await resource.verify(some, '/mcp', HOST)).toMatchObject({ ok: false, reason: 'insufficient_scope' })
    const text = await server.sign({ aud: AUDIENCE, scope: 'files other tools' })
    expect(await resource.verify(text, '/mcp', HOST)).toMatchObject({ ok: true })
    const list = await server.sign({ aud: AUDIENCE, scp: ['files', 'tools'] })
    expect(await resource.verify(list, '/mcp', HOST)).toMatchObject({ ok: true })
  })
})

describe('the keys', () => {
  it('are fetched once, and again when a token names a new one', async () => {
    const resource = createResource({ keyCooldown: 0 })
    const old = await server.sign({ aud: AUDIENCE })
    await resource.verify(old, '/mcp', HOST)
    await resource.verify(old, '/mcp', HOST)
    expect(server.count('/keys')).toBe(1)
    await server.addKey('second')
    expect(await resource.verify(await server.sign({ aud: AUDIENCE }), '/mcp', HOST)).toMatchObject({ ok: true })
    expect(server.count('/keys')).toBe(2)
    expect(await resource.verify(old, '/mcp', HOST)).toMatchObject({ ok: true })
  })

  it('that were withdrawn are good for nothing after the next fetch', async () => {
    const resource = createResource({ keyCooldown: 0 })
    const old = await server.sign({ aud: AUDIENCE })
    expect(await resource.verify(old, '/mcp', HOST)).toMatchObject({ ok: true })
    await server.addKey('second')
    server.removeKey('first')
    expect(await resource.verify(await server.sign({ aud: AUDIENCE }), '/mcp', HOST)).toMatchObject({ ok: true })
    expect(await resource.verify(old, '/mcp', HOST)).toMatchObject({ ok: false, reason: 'invalid_token' })
  })

  it('are all tried for a token that names none', async () => {
    await server.addKey('second')
    const resource = createResource()
    for (const kid of ['first', 'second']) {
      const token = await server.sign({ aud: AUDIENCE }, { kid, unnamed: true })
      expect(await resource.verify(token, '/mcp', HOST)).toMatchObject({ ok: true })
    }
    const { generateKeyPair, SignJWT } = await import('jose')
    const { privateKey } = await generateKeyPair('ES256')
    const stranger = await new SignJWT({ iss: server.issuer, sub: 'ada', aud: AUDIENCE })
      .setProtectedHeader({ alg: 'ES256' })
      .setExpirationTime('5m')
      .sign(privateKey)
    expect(await resource.verify(stranger, '/mcp', HOST)).toMatchObject({ ok: false, reason: 'invalid_token' })
  })

  it.each([
    ['RFC 8414', '', '/.well-known/oauth-authorization-server'],
    ['RFC 8414 with a path', '/tenant', '/.well-known/oauth-authorization-server/tenant'],
    ['OpenID Connect with a path', '/tenant', '/tenant/.well-known/openid-configuration'],
  ])('are found through the metadata of the issuer: %s', async (_name, path, place) => {
    server.path = path
    server.metadataPaths = [place]
    const { jwksUri: _configured, ...config } = createResource().config
    const resource = new OAuthResource(config)
    expect(await resource.verify(await server.sign({ aud: AUDIENCE }), '/mcp', HOST)).toMatchObject({ ok: true })
    await resource.verify(await server.sign({ aud: AUDIENCE }), '/mcp', HOST)
    expect(server.count(place)).toBe(1)
  })

  it('of metadata that names another issuer, or lie elsewhere in the clear, are not used', async () => {
    const token = await server.sign({ aud: AUDIENCE })
    for (const metadata of [{ issuer: 'https://evil.example' }, { jwks_uri: 'http://keys.example/keys' }]) {
      server.metadata = metadata
      const { jwksUri: _configured, ...config } = createResource().config
      const reading = await new OAuthResource(config).verify(token, '/mcp', HOST)
      expect(reading).toMatchObject({ ok: false, reason: 'unavailable' })
    }
    expect(server.count('/keys')).toBe(0)
  })

  it('that cannot be had let nobody in: 503, and good again when they can', async () => {
    server.keysStatus = 500
    const check = createAuthenticator({ oauth: createResource(), policy: 'none' })
    const headers = { authorization: `Bearer ${await server.sign({ aud: AUDIENCE })}`, host: HOST }
    expect(await check(headers, '/mcp', STRANGER)).toMatchObject({ ok: false, status: 503, error: { retryable: true } })
    server.keysStatus = 200
    expect(await check(headers, '/mcp', STRANGER)).toMatchObject({ ok: true, credential: 'oauth:ada' })
  })

  it('are fetched once for many tokens at once, also when that fails', async () => {
    server.keysStatus = 500
    const resource = createResource()
    const token = await server.sign({ aud: AUDIENCE })
    const readings = await Promise.all(Array.from({ length: 50 }, () => resource.verify(token, '/mcp', HOST)))
    expect(readings.every((reading) => !reading.ok && reading.reason === 'unavailable')).toBe(true)
    expect(server.count('/keys')).toBe(1)
  })

  it('of a server that is gone let nobody in', async () => {
    const token = await server.sign({ aud: AUDIENCE })
    const resource = createResource()
    await server[Symbol.asyncDispose]()
    expect(await resource.verify(token, '/mcp', HOST)).toMatchObject({ ok: false, reason: 'unavailable' })
    server = await AuthorizationServer.start()
  })
})

describe('the challenge', () => {
  it('names the metadata, the scope and what is wrong', async () => {
    const check = createAuthenticator({ oauth: createResource({ scopes: ['tools'] }), policy: 'token' })
    expect(await check({ host: HOST }, '/mcp/dev?x=1', STRANGER)).toMatchObject({
      status: 401,
      headers: {
        'WWW-Authenticate':
          'Bearer scope="tools", resource_metadata="https://gateway.example/.well-known/oauth-protected-resource/mcp/dev"',
      },
    })
    const poor = { authorization: `Bearer ${await server.sign({ aud: AUDIENCE })}` }
    const verdict = await check(poor, '/mcp', STRANGER)
    expect(verdict).toMatchObject({ ok: false, status: 403, error: { code: 'forbidden' } })
    expect(verdict.ok ? '' : verdict.headers?.['WWW-Authenticate']).toContain('error="insufficient_scope"')
    const wrong = await check({ authorization: 'Bearer nonsense' }, '/mcp', STRANGER)
    expect(wrong).toMatchObject({ ok: false, status: 401, error: { code: 'unauthorized' } })
    expect(wrong.ok ? '' : wrong.headers?.['WWW-Authenticate']).toContain('error="invalid_token"')
  })
})
