import { describe, expect, it } from 'vitest'
import { createHostCheck } from '../../src/http/host-check.ts'

describe('the Host of a request', () => {
  const check = createHostCheck({ host: '127.0.0.1', allowedHosts: ['agents.example', 'proxy.example:8443'] })

  it.each([
    'localhost',
    'LOCALHOST:19877',
    '127.0.0.1:1',
    '[::1]',
    '[::1]:80',
    'agents.example:443',
    'proxy.example:8443',
  ])('is served when it is %s', (host) => expect(check({ host })).toBeUndefined())

  it.each([
    undefined,
    '',
    'evil.example',
    'localhost.evil.example',
    'evil.example:localhost',
    '127.0.0.1.evil.example',
    'proxy.example',
    '192.168.1.5:19877',
  ])('is refused when it is %s', (host) => {
    expect(check(host === undefined ? {} : { host })).toMatchObject({ code: 'forbidden', httpStatus: 403 })
  })

  it('is served when it is the bound address, but a wildcard is no address', () => {
    expect(createHostCheck({ host: '192.168.1.5' })({ host: '192.168.1.5:19877' })).toBeUndefined()
    expect(createHostCheck({ host: 'fd00::5' })({ host: '[fd00::5]:19877' })).toBeUndefined()
    expect(createHostCheck({ host: '0.0.0.0' })({ host: '0.0.0.0:19877' })).toMatchObject({ code: 'forbidden' })
  })
})

describe('the Origin of a request', () => {
  const check = createHostCheck({
    host: '127.0.0.1',
    allowedHosts: ['box.example'],
    allowedOrigins: ['https://agents.example/', 'vscode-webview://abc'],
  })
  const host = 'localhost:19877'

  it.each([
    'http://localhost:5173',
    'https://127.0.0.1',
    'http://[::1]:3000',
    'https://agents.example',
    'vscode-webview://abc',
  ])('is served when it is %s', (origin) => expect(check({ host, origin })).toBeUndefined())

  it.each([
    'null',
    '',
    'http://evil.example',
    'http://localhost.evil.example',
    'file://',
    'http://box.example',
    'localhost',
  ])('is refused when it is %s', (origin) => expect(check({ host, origin })).toMatchObject({ code: 'forbidden' }))

  it('is served when it is the very Host of the request', () => {
    expect(check({ host: 'box.example:19877', origin: 'http://box.example:19877' })).toBeUndefined()
    expect(check({ host: 'box.example:19877', origin: 'http://box.example:80' })).toMatchObject({ code: 'forbidden' })
  })
})

describe('an upgrade', () => {
  const check = createHostCheck({
    host: '127.0.0.1',
    allowedOrigins: ['http://localhost:6274', 'https://agents.example'],
  })
  const host = 'localhost:19877'

  it.each([undefined, 'http://localhost:19877', 'http://localhost:6274', 'https://agents.example'])(
    'is let in from %s',
    (origin) => expect(check({ host, ...(origin === undefined ? {} : { origin }) }, 'upgrade')).toBeUndefined(),
  )

  it.each([
    'http://localhost:5173',
    'http://localhost',
    'http://127.0.0.1:19877',
    'http://[::1]:3000',
    'http://evil.example',
    'null',
  ])('is refused from %s, since CORS does not hold it back', (origin) => {
    expect(check({ host, origin }, 'upgrade')).toMatchObject({ code: 'forbidden' })
  })
})

describe('a page, by the word of its browser', () => {
  const check = createHostCheck({ host: '127.0.0.1', allowedOrigins: ['https://agents.example'] })
  const host = 'localhost:19877'
  const own = 'http://localhost:19877'

  it.each([
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin', origin: own },
    { 'sec-fetch-site': 'cross-site', origin: 'https://agents.example' },
  ])('is let in with %j', (headers) => expect(check({ host, ...headers })).toBeUndefined())

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:5173' },
    { 'sec-fetch-site': 'cross-site', origin: own },
    { 'sec-fetch-site': 'same-origin', origin: 'http://evil.example' },
    { 'sec-fetch-site': 'none, cross-site' },
    { 'sec-fetch-site': 'a word of tomorrow' },
  ])('is refused with %j, and told how it would be let in', (headers) => {
    const refused = check({ host, ...headers })
    expect(refused).toMatchObject({ code: 'forbidden', httpStatus: 403 })
    expect(refused?.hint).toContain('gateway.allowedOrigins')
  })
})

it('more than one Host is no request', () => {
  const check = createHostCheck({ host: '127.0.0.1' })
  expect(check({ host: 'localhost:19877, evil.example' })).toMatchObject({ code: 'invalid_request', httpStatus: 400 })
})
