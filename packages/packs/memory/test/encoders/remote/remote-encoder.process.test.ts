import { MASK } from '@switchboard/telemetry'
import { findFreePort } from '@switchboard/testkit'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EncoderError } from '../../../src/encoders/encoder.ts'
import { RemoteEncoder, type RemoteEncoderOptions } from '../../../src/encoders/remote/remote-encoder.ts'
import { type EncoderServer, startEncoderServer } from '../../helpers/encoder-server.ts'

const NEVER = new AbortController().signal

let server: EncoderServer
const opened: RemoteEncoder[] = []

beforeAll(async () => {
  server = await startEncoderServer()
})

beforeEach(() => {
  server.fail({ kind: 'none' })
  server.asked.length = 0
})

afterAll(async () => {
  for (const encoder of opened) await encoder.close()
  await server[Symbol.asyncDispose]()
})

function open(options: Partial<RemoteEncoderOptions> = {}): RemoteEncoder {
  const encoder = new RemoteEncoder({
    kind: 'openai',
    url: `${server.url}/v1`,
    model: 'words',
    key: undefined,
    dimensions: undefined,
    format: 'float',
    ...options,
  })
  opened.push(encoder)
  return encoder
}

async function fail(encoder: RemoteEncoder, texts: readonly string[] = ['a']): Promise<EncoderError> {
  try {
    await encoder.encode(texts, NEVER)
  } catch (error) {
    if (error instanceof EncoderError) return error
    throw error
  }
  throw new Error('it was answered')
}

/** Of two vectors of length 1. */
const cosine = (a: Float32Array = new Float32Array(), b?: Float32Array) =>
  a.reduce((sum, value, index) => sum + value * (b?.[index] ?? 0), 0)

describe.each([
  ['openai', '/v1/embeddings', '/v1'],
  ['ollama', '/api/embed', ''],
  ['tei', '/embed', '/'],
] as const)('%s', (kind, path, base) => {
  test('encodes texts in their order', async () => {
    const encoder = open({ kind, url: server.url + base })
    const vectors = await encoder.encode(['the car is red', 'bread and butter', 'the car is blue'], NEVER)
    expect(vectors.map(({ length }) => length)).toEqual([64, 64, 64])
    expect(cosine(vectors[0], vectors[2])).toBeGreaterThan(cosine(vectors[0], vectors[1]))
    expect(server.asked.map((asked) => asked.path)).toEqual([path])
  })

  test('is asked at the same place where the whole address was configured', async () => {
    for (const url of [server.url + path, `${server.url}${path}/`]) await open({ kind, url }).encode(['a'], NEVER)
    expect(server.asked.map((asked) => asked.path)).toEqual([path, path])
  })

  test('sends its key, and tells it to nobody', async () => {
    const key = 'sk-very-secret'
    const encoder = open({ kind, url: server.url + base, key })
    await encoder.encode(['a'], NEVER)
    expect(server.asked[0]?.authorization).toBe(`Bearer ${key}`)
    server.fail({ kind: 'status', status: 401, body: `{"error":{"message":"Wrong key ${key}"}}` })
    expect(await fail(encoder)).toMatchObject({ problem: 'denied', message: `answered 401 (Wrong key ${MASK})` })
  })
})

test('asks for fewer numbers and for base64 where that is configured, and understands both', async () => {
  const vectors = await open({ dimensions: 64, format: 'base64' }).encode(['a b'], NEVER)
  expect(server.asked[0]?.body).toMatchObject({ dimensions: 64, encoding_format: 'base64', model: 'words' })
  expect(vectors[0]).toEqual((await open().encode(['a b'], NEVER))[0])
})

test('asks a TEI which model it serves', async () => {
  expect(await open({ kind: 'tei', url: server.url, model: undefined }).identify(NEVER)).toBe('tei:words@abc')
})

test('many texts on few connections are all answered', async () => {
  const encoder = open()
  const all = await Promise.all(Array.from({ length: 40 }, (_, n) => encoder.encode([`text ${n}`], NEVER)))
  expect(all).toHaveLength(40)
})

test.each([
  ['a page of HTML', { kind: 'body', body: '<html>Sign in</html>' }, 'no JSON (<html>Sign in</html>)'],
  ['nothing', { kind: 'body', body: '' }, 'no JSON (nothing)'],
  ['another object', { kind: 'body', body: '{"ok":true}' }, 'without a list "data"'],
  ['a list of nulls', { kind: 'body', body: '{"data":[null]}' }, 'no vector'],
  ['an answer that never ends', { kind: 'endless', pace: 'flood' }, 'answered more than 320 kB'],
  ['too few vectors', { kind: 'answer', change: () => ({ data: [] }) }, 'answered 0 vectors for 1 texts'],
  [
    'the same place twice',
    { kind: 'answer', change: ([v]: number[][]) => ({ data: [v, v].map((embedding) => ({ index: 0, embedding })) }) },
    'nobody can tell which text',
  ],
  ['a number that is too large', { kind: 'body', body: '{"data":[{"embedding":[1e999]}]}' }, 'not finite'],
] as const)('refuses %s', async (_name, fault, message) => {
  server.fail(fault)
  expect(await fail(open())).toMatchObject({ problem: 'garbage', message: expect.stringContaining(message) })
})

test.each([
  [429, 'busy'],
  [500, 'failed'],
  [400, 'rejected'],
  [404, 'denied'],
  [204, 'garbage'],
])('takes %i for %s', async (status, problem) => {
  server.fail({ kind: 'status', status, headers: { 'retry-after': '7' } })
  expect(await fail(open())).toMatchObject({ problem, retryAfter: 7_000 })
})

test('follows no redirect, and says where it would have led', async () => {
  const elsewhere = await startEncoderServer()
  try {
    const location = `${elsewhere.url}/v1/embeddings?key=1`
    server.fail({ kind: 'status', status: 307, headers: { location } })
    const { problem, message } = await fail(open({ key: 'secret' }))
    expect(problem).toBe('denied')
    expect(message).toContain(`on to ${elsewhere.url}, which is not followed`)
    expect(elsewhere.asked).toEqual([])
  } finally {
    await elsewhere[Symbol.asyncDispose]()
  }
})

test('says that nobody listens', async () => {
  const url = `http://127.0.0.1:${await findFreePort()}`
  expect(await fail(open({ url }))).toMatchObject({
    problem: 'unreachable',
    message: 'cannot be reached (ECONNREFUSED)',
  })
})

test('says that the connection was cut', async () => {
  server.fail({ kind: 'shut' })
  expect(await fail(open())).toMatchObject({ problem: 'unreachable', message: 'cannot be reached (ECONNRESET)' })
})

test.each(['silent', 'endless'] as const)('a request that is given up ends, however the server is %s', async (kind) => {
  server.fail(kind === 'silent' ? { kind } : { kind, pace: 'drip' })
  const controller = new AbortController()
  const answer = open().encode(['a'], controller.signal)
  controller.abort(new Error('enough'))
  await expect(answer).rejects.toThrow('enough')
})
