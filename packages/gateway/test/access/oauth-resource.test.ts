import { describe, expect, it } from 'vitest'
import { OAuthResource } from '../../src/access/oauth-resource.ts'

const ISSUER = 'https://login.example'

describe('the metadata of the protected resource', () => {
  const resource = new OAuthResource({ issuer: ISSUER, audience: 'https://gateway.example/mcp', scopes: ['tools'] })

  it('names the issuer and the resource of the path', () => {
    const document = {
      resource: 'https://gateway.example/mcp',
      authorization_servers: [ISSUER],
      bearer_methods_supported: ['header'],
      scopes_supported: ['tools'],
      resource_name: 'Switchboard',
    }
    expect(resource.metadata('/.well-known/oauth-protected-resource', 'x')).toEqual(document)
    expect(resource.metadata('/.well-known/oauth-protected-resource/mcp', 'x')).toEqual(document)
    expect(resource.metadata('/.well-known/oauth-protected-resource/mcp/dev', 'x')).toEqual({
      ...document,
      resource: 'https://gateway.example/mcp/dev',
    })
  })

  it('exists for no other path', () => {
    for (const path of [
      '/mcp',
      '/.well-known/oauth-protected-resource/sse',
      '/.well-known/oauth-protected-resourcemcp',
    ])
      expect(resource.metadata(path, 'x')).toBeUndefined()
  })

  it('lies where RFC 9728 puts it, also behind a path of a proxy', () => {
    expect(resource.metadataUrl('/mcp', undefined)).toBe(
      'https://gateway.example/.well-known/oauth-protected-resource/mcp',
    )
    expect(resource.metadataUrl('/sse', undefined)).toBe(
      'https://gateway.example/.well-known/oauth-protected-resource/mcp',
    )
    const proxied = new OAuthResource({ issuer: ISSUER, audience: 'https://host.example/tools/mcp' })
    expect(proxied.metadataUrl('/mcp/dev', undefined)).toBe(
      'https://host.example/.well-known/oauth-protected-resource/tools/mcp/dev',
    )
  })

  it('goes by the Host header where the audience is no URL, and survives a strange one', () => {
    const named = new OAuthResource({ issuer: ISSUER, audience: 'api://switchboard' })
    expect(named.metadata('/.well-known/oauth-protected-resource', 'localhost:19877')).toMatchObject({
      resource: 'http://localhost:19877/mcp',
    })
    expect(named.metadataUrl('/mcp', ']:::')).toBe('http://127.0.0.1/.well-known/oauth-protected-resource/mcp')
  })
})

describe('the configuration', () => {
  it.each([
    ['http://login.example', 'https://gateway.example/mcp'],
    ['login.example', 'https://gateway.example/mcp'],
    [ISSUER, ''],
  ])('with the issuer %j and the audience %j is refused', (issuer, audience) => {
    expect(() => new OAuthResource({ issuer, audience })).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    )
  })

  it('without any audience, or with keys in the clear, is refused', () => {
    expect(() => new OAuthResource({ issuer: ISSUER, audience: [] })).toThrow(/audience/)
    expect(() => new OAuthResource({ issuer: ISSUER, audience: 'x', jwksUri: 'http://keys.example' })).toThrow(
      /jwksUri/,
    )
  })
})
