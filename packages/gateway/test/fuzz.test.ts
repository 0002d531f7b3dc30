import v8 from 'node:v8'
import vm from 'node:vm'
import { type Call, classifyMessage, isJsonObject, type JsonObject, type JsonRpcRequest } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { MODERN_REQUESTS } from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'
import type { Gateway } from '../src/gateway.ts'
import { judge } from '../src/incoming.ts'
import { FakeProvider, prompt, resource, template, tool } from './helpers/fake-provider.ts'
import { ANYBODY, createHarness, sendModern } from './helpers/gateway-harness.ts'
import { Random } from './helpers/message-fuzzer.ts'

const SEED = Number(process.env.SWITCHBOARD_FUZZ_SEED ?? 20_260_728)
const CASES = 20_000
const ROUND = 100

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  progressToken: 1,
}

const HELLO = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } }

const VALID: readonly (readonly [method: string, params: JsonObject])[] = [
  ['tools/call', { name: 'p_echo', arguments: { a: [1] } }],
  ['tools/call', { name: 'p_ask' }],
  ['tools/call', { name: 'p_fail' }],
  ['tools/call', { name: 'p_strange' }],
  ['resources/read', { uri: 'doc://x' }],
  ['resources/subscribe', { uri: 'doc://x' }],
  ['resources/unsubscribe', { uri: 'doc://x' }],
  ['prompts/get', { name: 'p_q', arguments: {} }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'p_q' }, argument: { name: 'a', value: 'b' } }],
  ['completion/complete', { ref: { type: 'ref/resource', uri: 'file:///{x}' }, argument: {} }],
  ['subscriptions/listen', { notifications: { toolsListChanged: true, resourceSubscriptions: ['doc://x'] } }],
  ['logging/setLevel', { level: 'debug' }],
  ['notifications/cancelled', { requestId: 'r1', reason: 'x' }],
  ['initialize', HELLO],
  ['tasks/get', { taskId: 't' }],
]

const METHODS = [...MODERN_REQUESTS, 'ping', 'skills/list', 'notifications/initialized', 'nonsense']

/** Answers, asks, fails in every way a provider may and may not. */
function createProvider(random: Random): FakeProvider {
  const answer = async (params: JsonObject, call: Call): Promise<JsonObject> => {
    if (params.name === 'ask') return { content: [], answers: await call.ask?.({ q: { method: 'roots/list' } }) }
    if (params.name === 'fail') throw new SwitchboardError('upstream_error', 'x', { details: { rpc: random.value() } })
    if (params.name === 'strange') {
      if (random.chance(0.3)) throw random.value()
      return { content: [], ...(random.damage({ contents: [], resultType: 'complete', _meta: {} }, 2) as JsonObject) }
    }
    call.progress?.({ progress: 1 })
    call.log?.({ level: 'error', data: params })
    return { content: [], contents: [{ uri: params.uri }] }
  }
  const methods = [
    'tools/call',
    'resources/read',
    'prompts/get',
    'completion/complete',
    'resources/subscribe',
    'resources/unsubscribe',
  ]
  const provider = new FakeProvider('p', {
    catalog: {
      tools: ['echo', 'ask', 'fail', 'strange'].map((name) => tool(name)),
      resources: [resource('doc://x')],
      templates: [template('file:///{x}')],
      prompts: [prompt('q')],
    },
    answers: Object.fromEntries(methods.map((method) => [method, answer])),
  })
  // Remembering every request would be the leak that is looked for.
  provider.requests.push = () => 0
  return provider
}

function createMessage(random: Random, id: string, meta: boolean): unknown {
  const [method, own] = random.pick(VALID)
  const params = { ...own, ...(meta ? { _meta: META } : {}) }
  const message = random.chance(0.1)
    ? { jsonrpc: '2.0', id: random.pick(['sb-1', 'sb-2', id]), result: random.value() }
    : { jsonrpc: '2.0', id, method: random.chance(0.8) ? method : random.pick(METHODS), params }
  const changed = random.damage(message, random.below(4))
  return random.chance(0.03) ? [changed, random.value()] : changed
}

/** Undefined: a proper response. */
function findFault(message: JsonObject): string | undefined {
  const { error, result } = message
  const isError = isJsonObject(error) && Number.isInteger(error.code) && typeof error.message === 'string'
  // What cannot be written to the wire is no answer either.
  return isError !== isJsonObject(result) && JSON.parse(JSON.stringify(message)) ? undefined : JSON.stringify(message)
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Collected first; the flag makes the collector callable without a restart. */
function usedHeap(): number {
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

async function expectFlatMemory(run: (round: number) => Promise<void>): Promise<void> {
  let warm = 0
  for (let round = 0; round < CASES / ROUND; round++) {
    await run(round)
    if (round === CASES / ROUND / 2) warm = usedHeap()
  }
  expect(usedHeap() - warm).toBeLessThan(1024 * 1024)
}

async function fuzzSession(gateway: Gateway, random: Random): Promise<void> {
  // A question without answer and a cancellation leave a request without response: half of the sessions have none.
  const isSilentAllowed = random.chance(0.5)
  const faults: string[] = []
  const open = new Map<unknown, number>()
  const count = (id: unknown, by: number): unknown => open.set(id, (open.get(id) ?? 0) + by)
  const session = gateway.openLegacySession(ANYBODY, {
    send(message) {
      const sent = message as unknown as JsonObject
      if (sent.method !== undefined) return
      const fault = findFault(sent)
      if (fault !== undefined) faults.push(fault)
      count(sent.id, -1)
    },
  })
  if (random.chance(0.9)) {
    count('hello', 1)
    session.receive(judge({ jsonrpc: '2.0', id: 'hello', method: 'initialize', params: HELLO }))
  }
  for (let index = 0; index < ROUND; index++) {
    const message = createMessage(random, `r${random.below(80)}`, false)
    if (!isSilentAllowed && /ask|cancelled/.test(JSON.stringify(message) ?? '')) continue
    const all = Array.isArray(message) ? message : [message]
    const isBadBatch = Array.isArray(message) && (message.length === 0 || message.some(Array.isArray))
    if (isBadBatch) count(null, 1)
    else for (const one of all) countExpected(one, count)
    session.receive(judge(message))
    if (random.chance(0.2)) await settled()
  }
  await settled()
  expect(faults).toEqual([])
  if (isSilentAllowed) expect([...open].filter(([, balance]) => balance < 0)).toEqual([])
  else {
    expect([...open].filter(([, balance]) => balance !== 0)).toEqual([])
    expect(session.inFlight).toBe(0)
  }
  session.close('the end')
  await settled()
  expect(session.inFlight).toBe(0)
}

/** One answer for a request, and one that names what it can for something that is no message. */
function countExpected(message: unknown, count: (id: unknown, by: number) => unknown): void {
  const kind = classifyMessage(message)
  if (kind === 'request') count((message as JsonRpcRequest).id, 1)
  else if (kind === 'invalid') {
    const id = isJsonObject(message) ? message.id : undefined
    count(typeof id === 'string' || typeof id === 'number' ? id : null, 1)
  }
}

async function fuzzRequests(gateway: Gateway, random: Random): Promise<void> {
  const states: unknown[] = []
  const gone = new AbortController()
  const answers: Promise<void>[] = []
  const faults: string[] = []
  for (let index = 0; index < ROUND; index++) {
    const message = createMessage(random, `m${index}`, random.chance(0.95))
    if (classifyMessage(message) !== 'request') continue
    const request = message as JsonRpcRequest
    if (random.chance(0.2) && isJsonObject(request.params))
      request.params.requestState = random.pick([...states, 'sb1.x', 'y'])
    const exchange = { signal: gone.signal, notify: (said: unknown) => void JSON.stringify(said) }
    answers.push(
      sendModern(gateway, request, exchange).then((response) => {
        const fault = findFault(response as unknown as JsonObject)
        if (fault !== undefined || response.id !== request.id) faults.push(`${fault} for ${JSON.stringify(request)}`)
        if ('result' in response && response.result.requestState !== undefined)
          states.push(response.result.requestState)
      }),
    )
    if (random.chance(0.2)) await settled()
  }
  await settled()
  // What still runs are listen streams and calls that nobody ends but the client.
  gone.abort()
  await Promise.all(answers)
  expect(faults).toEqual([])
  expect(gateway.listenCount).toBe(0)
}

describe(`${CASES} damaged messages (seed ${SEED})`, () => {
  it('to legacy sessions: each request is answered properly, nothing throws, hangs or piles up', {
    timeout: 120_000,
  }, async () => {
    const random = new Random(SEED)
    const { gateway } = createHarness([createProvider(random)])
    await expectFlatMemory(() => fuzzSession(gateway, random))
    expect(gateway.sessionCount).toBe(0)
    gateway.close()
  })

  it('as modern requests: each is answered properly, nothing throws, hangs or piles up', {
    timeout: 120_000,
  }, async () => {
    const random = new Random(SEED + 1)
    let harness = createHarness([createProvider(random)])
    await expectFlatMemory(async (round) => {
      await fuzzRequests(harness.gateway, random)
      // Parked calls wait for their time; a gateway that closes ends them all.
      if (round % 10 === 9) {
        expect(harness.gateway.parkedCount).toBeLessThanOrEqual(10 * ROUND)
        harness.gateway.close()
        expect(harness.gateway.parkedCount).toBe(0)
        harness.router.dispose()
        harness = createHarness([createProvider(random)])
      }
    })
    harness.gateway.close()
  })
})
