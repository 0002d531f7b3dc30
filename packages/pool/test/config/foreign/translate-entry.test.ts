import { describe, expect, it } from 'vitest'
import { pickMeant, translateEntry } from '../../../src/config/foreign/translate-entry.ts'
import { type ForeignClient, UntranslatableError } from '../../../src/config/foreign/translate-text.ts'
import { checkPoolConfig } from '../../../src/config/pool-config.ts'

const URL = 'https://mcp.example.com/mcp'
const place = (client: ForeignClient = 'pasted', project?: string) => ({ client, project, userHome: '/home/me' })
const translate = (source: object, client?: ForeignClient, project?: string) =>
  translateEntry(source as Record<string, unknown>, place(client, project))

describe('the login of another client', () => {
  it.each<[string, object, object]>([
    [
      'Claude Code',
      { oauth: { clientId: 'id', callbackPort: 8080, scopes: 'read  write' } },
      { clientId: 'id', redirectPort: 8080, redirectHost: 'localhost', scopes: ['read', 'write'] },
    ],
    [
      'Claude Code, with its authorization server',
      { oauth: { authServerMetadataUrl: 'https://login.example.com/.well-known/oauth-authorization-server/one' } },
      { issuer: 'https://login.example.com/one' },
    ],
    [
      'OpenID Connect',
      { oauth: { authServerMetadataUrl: 'https://login.example.com/one/.well-known/openid-configuration' } },
      { issuer: 'https://login.example.com/one' },
    ],
    [
      'Claude Code, with one at the root',
      { oauth: { authServerMetadataUrl: 'https://login.example.com/.well-known/oauth-authorization-server' } },
      { issuer: 'https://login.example.com' },
    ],
    ['VS Code', { oauth: { clientId: 'id' } }, { clientId: 'id' }],
    [
      'Cursor',
      { auth: { CLIENT_ID: 'id', CLIENT_SECRET: `\${env:SECRET}`, scopes: ['read'] } },
      { clientId: 'id', clientSecret: `\${SECRET}`, scopes: ['read'] },
    ],
    [
      'Gemini CLI',
      {
        authProviderType: 'dynamic_discovery',
        oauth: { enabled: true, clientId: 'id', redirectUri: 'http://localhost:7777/callback' },
      },
      { enabled: true, clientId: 'id', redirectPort: 7777, redirectHost: 'localhost' },
    ],
    [
      'one that names the address',
      { oauth: { redirectUri: 'http://127.0.0.1:7777/callback' } },
      { redirectPort: 7777, redirectHost: '127.0.0.1' },
    ],
    [
      'one with both words',
      { oauth: { callbackPort: 1, redirectHost: '127.0.0.1' } },
      { redirectPort: 1, redirectHost: '127.0.0.1' },
    ],
    ['one that wants none', { oauth: false }, { enabled: false }],
    ['ourselves', { oauth: { redirectPort: 1, callbackPort: 2 } }, { redirectPort: 1 }],
  ])('of %s is one that we can do', (_client, source, oauth) => {
    const { input, dropped } = translate({ url: URL, ...source })
    expect({ input, dropped }).toEqual({ input: { url: URL, oauth }, dropped: [] })
    expect(() => checkPoolConfig({ mcpServers: { box: input } }, { env: { SECRET: 'x' } })).not.toThrow()
  })

  it.each([
    [{ oauth: { authorizationUrl: 'https://x.example/authorize' } }, '"oauth.authorizationUrl"'],
    [{ oauth: { redirectUri: 'http://localhost:7777/oauth/callback' } }, '"oauth.redirectUri"'],
    [{ oauth: { redirectUri: 'https://example.com/callback' } }, '"oauth.redirectUri"'],
    [{ oauth: { authServerMetadataUrl: 'https://login.example.com/metadata.json' } }, '"oauth.authServerMetadataUrl"'],
    [
      { oauth: { authServerMetadataUrl: 'https://x.example/a/.well-known/openid-configuration/b' } },
      '"oauth.authServerMetadataUrl"',
    ],
    [{ oauth: { xaa: true } }, '"oauth.xaa"'],
    [{ auth: { type: 'chatgpt' } }, '"auth.type"'],
    [{ auth: 'chatgpt' }, '"auth"'],
    [{ authProviderType: 'google_credentials' }, '"authProviderType"'],
    [{ headersHelper: 'print-token' }, '"headersHelper"'],
  ])('that goes a way of its own stays there: %j', (source, key) => {
    const attempt = () => translate({ url: URL, ...source })
    expect(attempt).toThrow(UntranslatableError)
    expect(attempt).toThrow(key)
  })
})

describe('an entry', () => {
  it('keeps the keys that are ours, and names those that mean nothing here', () => {
    const own = { retry: 'never', tools: { deny: ['x'] }, toolTimeouts: { a: '2m' }, timeout: '9s', enabled: false }
    expect(translate({ command: 'x', ...own, alwaysAllow: ['a'], alwaysLoad: true })).toEqual({
      input: { command: 'x', ...own },
      dropped: ['alwaysLoad'],
    })
  })

  it.each<[ForeignClient, object, object]>([
    ['claude-code', { timeout: 5000 }, { timeout: 5000 }],
    ['codex', { tool_timeout_sec: 5, startup_timeout_sec: 1.5 }, { timeout: 5000, initTimeout: 1500 }],
    ['cursor', { timeout: 60 }, {}],
    ['gemini', { includeTools: ['a(b)', 'c'], excludeTools: ['d'] }, { tools: { allow: ['a', 'c'], deny: ['d'] } }],
    ['pasted', { tools: ['*'] }, {}],
    ['pasted', { tools: ['a'] }, { tools: { allow: ['a'] } }],
    ['pasted', { allowedTools: [] }, { tools: { deny: ['*'] } }],
    ['pasted', { env: { PORT: 1, ON: true } }, { env: { PORT: '1', ON: 'true' } }],
  ])('of %s says how long and which tools: %j', (client, source, more) => {
    expect(translate({ command: 'x', ...source }, client)).toEqual({ input: { command: 'x', ...more }, dropped: [] })
  })

  it('of a project runs in its folder', () => {
    expect(translate({ command: 'x' }, 'cursor', '/p').input).toMatchObject({ cwd: '/p' })
    expect(translate({ command: 'x', cwd: 'below' }, 'cursor', '/p').input).toMatchObject({ cwd: '/p/below' })
    expect(translate({ command: 'x', cwd: '~/y' }, 'cursor', '/p').input).toMatchObject({ cwd: '~/y' })
  })

  it('names what nobody reads of a server of its kind', () => {
    expect(translate({ command: 'x', headers: { A: '1' }, oauth: { clientId: 'a' } })).toMatchObject({
      input: { command: 'x' },
      dropped: ['headers', 'oauth'],
    })
    expect(translate({ url: URL, env: { A: '1' }, args: [] })).toEqual({ input: { url: URL }, dropped: ['env'] })
  })

  it.each([
    { command: ['x'] },
    { command: 'x', args: 'y' },
    { command: 'x', args: ['y', 7] },
    { command: 'x', env: ['A=1'] },
    { command: 'x', env: { A: null } },
    { command: 'x', cwd: 7 },
    { command: 'x', type: 'http' },
    { command: 'x', type: 'somehow' },
    { command: 'x', url: URL },
    { url: 7 },
    { url: URL, type: 'stdio' },
    { url: URL, headers: 'A: 1' },
    { url: URL, oauth: 'yes' },
    { url: URL, oauth: { callbackPort: 'any' } },
    { url: URL, oauth: { clientId: { name: 'x' } } },
    {},
  ])('in a wrong shape is refused by who checks it, and never mended: %j', (source) => {
    const { input } = translate(source)
    expect(() => checkPoolConfig({ mcpServers: { box: input } }, { env: {} })).toThrow(/mcpServers\.box/)
  })

  it('is picked apart by what decides its fate here', () => {
    const meant = { command: 'x', includeTools: ['a'], oauth: {}, headersHelper: 'y', envFile: '.env' }
    expect(pickMeant({ ...meant, alwaysAllow: ['a'], alwaysLoad: true, description: 'z' })).toEqual(meant)
  })
})
