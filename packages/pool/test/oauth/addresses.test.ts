import { catchError } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { listMetadataAddresses } from '../../src/oauth/discover-authorization.ts'
import { formatLogin, loginName, parseLogin } from '../../src/oauth/login-record.ts'
import { checkAddress } from '../../src/oauth/oauth-http.ts'

const REMOTE = new URL('https://mcp.example.com/mcp')
const LOCAL = new URL('http://localhost:8080/mcp')

describe('an address that a server names', () => {
  it.each([
    'http://login.example.com/token',
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:8500/v1/keys',
    'https://localhost/admin',
    'https://127.0.0.1/admin',
    'https://[::1]/admin',
    'https://2130706433/decimal-loopback',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://user:password@login.example.com/',
    'not a url',
    '',
  ])('is not asked for a remote server when it is %j', (address) => {
    expect(catchError(() => checkAddress(address, REMOTE, 'The token_endpoint'))).toMatchObject({
      code: 'login_failed',
      message: expect.stringMatching(/nothing was sent/),
    })
  })

  it('is asked when it is https, anywhere, or on loopback for a server on loopback', () => {
    expect(checkAddress('https://login.example.org/token', REMOTE, '').href).toBe('https://login.example.org/token')
    expect(checkAddress('http://127.0.0.1:9/token', LOCAL, '').href).toBe('http://127.0.0.1:9/token')
    expect(catchError(() => checkAddress('http://10.0.0.1/token', LOCAL, ''))).toMatchObject({ code: 'login_failed' })
  })
})

it('metadata of an authorization server is looked for in the order of MCP', () => {
  const list = (issuer: string) => listMetadataAddresses(new URL(issuer)).map(({ href }) => href)
  expect(list('https://a.test')).toEqual([
    'https://a.test/.well-known/oauth-authorization-server',
    'https://a.test/.well-known/openid-configuration',
  ])
  expect(list('https://a.test/tenant/1/')).toEqual([
    'https://a.test/.well-known/oauth-authorization-server/tenant/1',
    'https://a.test/.well-known/openid-configuration/tenant/1',
    'https://a.test/tenant/1/.well-known/openid-configuration',
  ])
})

describe('a login that is kept', () => {
  const record = {
    url: 'https://mcp.example.com/mcp?key=secret',
    issuer: 'https://a.test',
    resource: 'https://mcp.example.com/mcp',
    tokenEndpoint: 'https://a.test/token',
    client: { id: 'x', method: 'none', origin: 'registered', redirectUri: 'http://127.0.0.1:1/callback' },
    tokens: { access: 'a', refresh: 'r', expiresAt: 5, scope: 'read' },
  } as const

  it('is read for its own URL alone', () => {
    expect(parseLogin(formatLogin(record), record.url)).toEqual(record)
    expect(parseLogin(formatLogin(record), 'https://mcp.example.com/mcp')).toBeUndefined()
    for (const text of ['', '[]', '{}', '{"version":2}', formatLogin(record).replace('"id":"x"', '"id":7')]) {
      expect(parseLogin(text, record.url)).toBeUndefined()
    }
  })

  it('has a name that tells URLs apart and shows no secret of them', () => {
    const name = loginName('box', record.url)
    expect(name).not.toContain('secret')
    expect(name).not.toBe(loginName('box', `${record.url}2`))
    expect(name).not.toBe(loginName('other', record.url))
  })
})
