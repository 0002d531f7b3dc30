import { expect, test } from 'vitest'
import { maskSecrets } from '../../src/masking/mask-secrets.ts'

test.each([
  'password',
  'dbPassword',
  'PASSWD',
  'client-secret',
  'token',
  'accessToken',
  'refresh_token',
  'GITHUB_TOKEN',
  'api_key',
  'apikey',
  'X-Api-Key',
  'Authorization',
  'cookie',
  'Set-Cookie',
  'privateKey',
  'aws.access_key',
  'credentials',
])('a member called %s is masked, whatever it holds', (name) => {
  expect(maskSecrets({ [name]: 'value' })).toEqual({ [name]: '[masked]' })
  expect(maskSecrets({ deep: [{ [name]: { user: 'u' } }] })).toEqual({ deep: [{ [name]: '[masked]' }] })
})

test('what is only about a secret is kept', () => {
  const value = {
    max_tokens: 4096,
    inputTokens: 12,
    token_type: 'bearer',
    tokenCount: 3,
    hasToken: true,
    password: null,
    secretName: 'main',
    tokenizer: 'bpe',
    pwd: '/home/me',
    auth: { type: 'oauth' },
    public_key: 'abc',
  }
  expect(maskSecrets(value)).toEqual(value)
})

test('a list of tokens is masked, a number of them is not', () => {
  expect(maskSecrets({ tokens: ['abc'], used: { tokens: 5 } })).toEqual({ tokens: '[masked]', used: { tokens: 5 } })
})

test('environment and headers show their names only, in whichever form they come', () => {
  expect(
    maskSecrets({
      env: { PATH: '/bin', MY_TOKEN: 'abc' },
      headers: new Headers({ authorization: 'Bearer x', accept: '*/*' }),
      requestHeaders: new Map([['x-thing', 'v']]),
      responseHeaders: [['etag', 'v']],
      rawHeaders: ['Host', 'h', 'Cookie', 'c'],
      deep: { env: ['A=1', 'B=2'] },
    }),
  ).toEqual({
    env: ['PATH', 'MY_TOKEN'],
    headers: ['accept', 'authorization'],
    requestHeaders: ['x-thing'],
    responseHeaders: ['etag'],
    rawHeaders: ['Host', 'Cookie'],
    deep: { env: ['A', 'B'] },
  })
})

test('an argument after a telling option is masked', () => {
  expect(maskSecrets(['run', '--api-key', 'abc', '--token', '--verbose', '--port', '80'])).toEqual([
    'run',
    '--api-key',
    '[masked]',
    '--token',
    '--verbose',
    '--port',
    '80',
  ])
})

test('secrets within texts and names of members are masked too', () => {
  expect(maskSecrets({ url: 'postgres://u:p@h/db', list: ['Bearer abc'], 'password=x': 1 })).toEqual({
    url: 'postgres://u:[masked]@h/db',
    list: ['Bearer [masked]'],
    'password=[masked]': '[masked]',
  })
})

test('errors keep their stack only when asked to', () => {
  const error = new Error('failed with password=abc', { cause: new TypeError('inner') })
  expect(maskSecrets({ error })).toEqual({
    error: { name: 'Error', message: 'failed with password=[masked]', cause: { name: 'TypeError', message: 'inner' } },
  })
  expect(maskSecrets(error, { keepStacks: true })).toMatchObject({
    stack: expect.stringContaining('mask-secrets.test'),
  })
  const coded = Object.assign(new Error('gone'), { code: 'ENOENT' })
  expect(maskSecrets(coded)).toEqual({ name: 'Error', message: 'gone', code: 'ENOENT' })
})

test('every kind of value becomes JSON', () => {
  const value = {
    big: 12n,
    not: Number.NaN,
    date: new Date(0),
    bad: new Date(Number.NaN),
    map: new Map<unknown, unknown>([
      ['token', 'abc'],
      [1, 'one'],
      [{}, 2],
    ]),
    set: new Set([1, 'a']),
    bytes: Buffer.from('secret'),
    url: new URL('https://u:p@h/'),
    call: () => 1,
    symbol: Symbol('s'),
    none: undefined,
    nothing: null,
  }
  expect(JSON.parse(JSON.stringify(maskSecrets(value)))).toEqual({
    big: '12',
    not: 'NaN',
    date: '1970-01-01T00:00:00.000Z',
    bad: 'Invalid Date',
    map: { token: '[masked]', '1': 'one', '[object]': 2 },
    set: [1, 'a'],
    bytes: '[6 bytes]',
    url: 'https://u:[masked]@h/',
    call: '[function]',
    symbol: 'Symbol(s)',
    nothing: null,
  })
})

test('cycles, depth, breadth and total size are bounded; a value met twice is not a cycle', () => {
  const shared = { a: 1 }
  const cyclic: Record<string, unknown> = { first: shared, second: shared }
  cyclic.self = cyclic
  expect(maskSecrets(cyclic)).toEqual({ first: { a: 1 }, second: { a: 1 }, self: '[circular]' })

  let deep: unknown = 'bottom'
  for (let level = 0; level < 10_000; level++) deep = [deep]
  expect(JSON.stringify(maskSecrets(deep))).toBe('[[[[[[[["[too deep]"]]]]]]]]')

  expect(maskSecrets(Array.from({ length: 1_000 }, () => 0))).toHaveLength(101)
  const wide = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`m${index}`, 'x'.repeat(5_000)]))
  expect(JSON.stringify(maskSecrets(wide)).length).toBeLessThan(80_000)

  let bushy: unknown = 'leaf'
  for (let level = 0; level < 7; level++) bushy = Array.from({ length: 50 }, () => bushy)
  expect(JSON.stringify(maskSecrets(bushy)).length).toBeLessThan(80_000)
})

test('getters that throw, revoked proxies and hostile errors do no harm', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  const hostile = new Error('x')
  Object.defineProperty(hostile, 'message', {
    get() {
      throw new Error('no message')
    },
  })
  const value = {
    get broken(): string {
      throw new Error('password=abc')
    },
    proxy,
    hostile,
    json: {
      toJSON() {
        throw new Error('no')
      },
    },
  }
  const masked = JSON.stringify(maskSecrets(value))
  expect(JSON.parse(masked)).toMatchObject({ broken: '[threw: password=[masked]]', hostile: '[threw: no message]' })
})

test('a member called __proto__ is data', () => {
  const masked = maskSecrets(JSON.parse('{"__proto__": {"polluted": true}, "a": 1}'))
  expect(JSON.stringify(masked)).toBe('{"__proto__":{"polluted":true},"a":1}')
  expect(Object.getPrototypeOf(masked)).toBe(Object.prototype)
})
