import type { CacheHint, JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { REMOVED_IN_MODERN } from '@switchboard/protocol/modern'
import { describe, expect, it } from 'vitest'
import { FakeProvider, type Handler, prompt, resource, tool } from '../helpers/fake-provider.ts'
import {
  ANYBODY,
  askModern,
  connectClient,
  createHarness,
  errorOf,
  resultOf,
  SERVER_INFO,
  sendModern,
} from '../helpers/gateway-harness.ts'

const VERSION = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
const INFO = 'io.modelcontextprotocol/serverInfo'

function createProvider(call: Handler, cache?: CacheHint): FakeProvider {
  return new FakeProvider('p', {
    catalog: { tools: [tool('t')], ...(cache === undefined ? {} : { cache }) },
    answers: { 'tools/call': call },
  })
}

describe('the envelope', () => {
  const { gateway } = createHarness([])
  const handle = (params?: JsonObject): Promise<JsonObject> =>
    sendModern(
      gateway,
      { jsonrpc: '2.0', id: 1, method: 'tools/list', ...(params === undefined ? {} : { params }) },
      { notify: () => {}, signal: new AbortController().signal },
    ) as Promise<unknown> as Promise<JsonObject>

  it.each([
    ['no parameters', undefined],
    ['no metadata', {}],
    ['metadata that is no object', { _meta: 'x' }],
    ['no version', { _meta: { [CAPABILITIES]: {} } }],
    ['no capabilities', { _meta: { [VERSION]: '2026-07-28' } }],
    ['a version that is no text', { _meta: { [VERSION]: 7, [CAPABILITIES]: {} } }],
    ['capabilities that are no object', { _meta: { [VERSION]: '2026-07-28', [CAPABILITIES]: [] } }],
    [
      'a client without a name',
      { _meta: { [VERSION]: '2026-07-28', [CAPABILITIES]: {}, 'io.modelcontextprotocol/clientInfo': {} } },
    ],
    [
      'a level that does not exist',
      { _meta: { [VERSION]: '2026-07-28', [CAPABILITIES]: {}, 'io.modelcontextprotocol/logLevel': 'loud' } },
    ],
  ])('with %s is refused as invalid parameters', async (_name, params) => {
    expect(await errorOf(handle(params))).toMatchObject({ code: -32602, message: expect.stringContaining('_meta') })
  })

  it('of another version is refused with the versions to try', async () => {
    const error = await errorOf(askModern(gateway, 'tools/list', {}, { version: '2027-01-01' }))
    expect(error).toMatchObject({ code: -32022, data: { supported: ['2026-07-28'], requested: '2027-01-01' } })
    expect(await errorOf(askModern(gateway, 'tools/list', {}, { version: '2025-11-25' }))).toMatchObject({
      code: -32022,
    })
  })

  it('stays on this hop; everything else of the metadata travels on', async () => {
    const p = createProvider(() => ({ content: [] }))
    const harness = createHarness([p])
    const _meta = { 'vendor/x': 1, baggage: 'a=b', progressToken: 3 }
    await askModern(
      harness.gateway,
      'tools/call',
      { name: 'p_t', _meta, extra: 1 },
      {
        capabilities: { sampling: {}, extensions: { 'x/y': {} } },
        clientInfo: { name: 'agent', version: '2' },
        identity: { ...ANYBODY, instance: 'abcd-123456' },
      },
    ).response
    expect(p.lastParams).toEqual({ name: 't', _meta, extra: 1 })
    expect(p.requests[0]?.call.caller).toEqual({
      instance: 'abcd-123456',
      profile: 'default',
      lane: 'abcd-123456',
      era: 'modern',
      capabilities: { sampling: {}, extensions: { 'x/y': {} } },
      clientInfo: { name: 'agent', version: '2' },
    })
  })
})

describe('methods', () => {
  it.each(REMOVED_IN_MODERN)('%s is gone', async (method) => {
    const p = createProvider(() => ({ content: [] }))
    expect(await errorOf(askModern(createHarness([p]).gateway, method, { level: 'info', uri: 'x' }))).toMatchObject({
      code: -32601,
      data: { error: { code: 'unknown_method' } },
    })
    expect(p.requests).toEqual([])
  })

  it('that nobody knows are not found', async () => {
    for (const method of ['nonsense', '', 'toString', 'notifications/cancelled'])
      expect(await errorOf(askModern(createHarness([]).gateway, method))).toMatchObject({ code: -32601 })
  })

  it('for a profile that does not exist fail', async () => {
    const answer = askModern(
      createHarness([]).gateway,
      'tools/list',
      {},
      { identity: { ...ANYBODY, profile: 'nowhere' } },
    )
    expect(await errorOf(answer)).toMatchObject({ code: -32602, data: { error: { code: 'unknown_profile' } } })
  })
})

describe('the list of tools', () => {
  it('says nothing of the tasks of the legacy era, and leaves everything else as it came', async () => {
    const execution = { taskSupport: 'required' }
    const legacy = new FakeProvider('legacy', {
      catalog: {
        capabilities: { tasks: {} },
        tools: [tool('job', { execution }), tool('both', { execution: { ...execution, vendor: 1 } }), tool('plain')],
      },
    })
    const modern = new FakeProvider('modern', { catalog: { tools: [tool('own', { execution })] } })
    const { gateway } = createHarness([legacy, modern])
    const { tools } = await resultOf(askModern(gateway, 'tools/list'))
    expect(tools).toEqual([
      tool('legacy_job'),
      tool('legacy_both', { execution: { vendor: 1 } }),
      tool('legacy_plain'),
      tool('modern_own', { execution }),
    ])
    const client = await connectClient(gateway)
    const seen = (await resultOf(client.request('tools/list'))).tools as JsonObject[]
    expect(seen[0]).toEqual(tool('legacy_job', { execution }))
  })
})

describe('discovery', () => {
  it('says versions, merged capabilities and instructions, and hides the tasks of the legacy era', async () => {
    const p = new FakeProvider('p', {
      catalog: {
        instructions: 'Be kind.',
        capabilities: {
          tasks: { list: {} },
          extensions: { 'io.modelcontextprotocol/tasks': {} },
          tools: { vendor: 1 },
        },
        cache: { ttlMs: 5_000, cacheScope: 'public' },
      },
    })
    expect(await resultOf(askModern(createHarness([p]).gateway, 'server/discover'))).toEqual({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: {
        extensions: { 'io.modelcontextprotocol/tasks': {} },
        tools: { vendor: 1, listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
      },
      instructions: 'Be kind.',
      ttlMs: 5_000,
      cacheScope: 'public',
      _meta: { [INFO]: SERVER_INFO },
    })
  })
})

describe('caching', () => {
  const listed = (name: string, cache?: CacheHint): FakeProvider =>
    new FakeProvider(name, { catalog: cache === undefined ? {} : { cache } })

  it.each([
    [
      [
        { ttlMs: 60_000, cacheScope: 'public' },
        { ttlMs: 5_000, cacheScope: 'public' },
      ],
      5_000,
      'public',
    ],
    [
      [
        { ttlMs: 60_000, cacheScope: 'public' },
        { ttlMs: 90_000, cacheScope: 'private' },
      ],
      60_000,
      'private',
    ],
    [
      [
        { ttlMs: 60_000, cacheScope: 'private' },
        { ttlMs: 90_000, cacheScope: 'public' },
      ],
      60_000,
      'private',
    ],
    [[{ ttlMs: 60_000, cacheScope: 'public' }, undefined], 0, 'private'],
    [[], 0, 'private'],
  ] as [(CacheHint | undefined)[], number, string][])(
    'of %j is the shortest time and the most private scope',
    async (hints, ttlMs, cacheScope) => {
      const { gateway } = createHarness(hints.map((hint, index) => listed(`p${index}`, hint)))
      for (const method of [
        'tools/list',
        'prompts/list',
        'resources/list',
        'resources/templates/list',
        'server/discover',
      ])
        expect(await resultOf(askModern(gateway, method))).toMatchObject({ ttlMs, cacheScope, resultType: 'complete' })
    },
  )

  it('counts only the providers of the profile, and is private for whoever shows a credential', async () => {
    const providers = [
      listed('a', { ttlMs: 9, cacheScope: 'public' }),
      listed('b', { ttlMs: 1, cacheScope: 'private' }),
    ]
    const { gateway } = createHarness(providers, { profiles: [{ name: 'a', providers: ['a'] }] })
    const identity = { ...ANYBODY, profile: 'a' }
    expect(await resultOf(askModern(gateway, 'tools/list', {}, { identity }))).toMatchObject({
      ttlMs: 9,
      cacheScope: 'public',
    })
    const known = { ...identity, credential: 'k' }
    expect(await resultOf(askModern(gateway, 'tools/list', {}, { identity: known }))).toMatchObject({
      ttlMs: 9,
      cacheScope: 'private',
    })
  })

  it('of a read is what its server says, else none at all', async () => {
    const results: JsonObject[] = [
      { contents: [] },
      { contents: [], resultType: 'complete', ttlMs: 7, cacheScope: 'public' },
    ]
    const p = new FakeProvider('p', {
      catalog: { resources: [resource('doc://x')], cache: { ttlMs: 99, cacheScope: 'public' } },
      answers: { 'resources/read': () => results.shift() ?? {} },
    })
    const { gateway } = createHarness([p])
    expect(await resultOf(askModern(gateway, 'resources/read', { uri: 'doc://x' }))).toMatchObject({
      ttlMs: 0,
      cacheScope: 'private',
    })
    expect(await resultOf(askModern(gateway, 'resources/read', { uri: 'doc://x' }))).toMatchObject({
      ttlMs: 7,
      cacheScope: 'public',
    })
  })

  it('is not for calls, nor for questions', async () => {
    const p = new FakeProvider('p', {
      catalog: { tools: [tool('t')], resources: [resource('doc://x')] },
      answers: {
        'tools/call': () => ({ content: [] }),
        'resources/read': () => ({ resultType: 'input_required', requestState: 's' }),
      },
    })
    const { gateway } = createHarness([p])
    for (const answer of [
      askModern(gateway, 'tools/call', { name: 'p_t' }),
      askModern(gateway, 'resources/read', { uri: 'doc://x' }),
    ]) {
      const result = await resultOf(answer)
      expect([result.ttlMs, result.cacheScope]).toEqual([undefined, undefined])
    }
  })
})

describe('results', () => {
  it('have a type and a server; what a modern server said of both stays', async () => {
    const results: JsonObject[] = [
      { content: [], _meta: { 'vendor/x': 1 } },
      { content: [], resultType: 'task', taskId: 't', _meta: { [INFO]: { name: 'own', version: '1' } } },
    ]
    const { gateway } = createHarness([createProvider(() => results.shift() ?? {})])
    expect(await resultOf(askModern(gateway, 'tools/call', { name: 'p_t' }))).toEqual({
      resultType: 'complete',
      content: [],
      _meta: { 'vendor/x': 1, [INFO]: SERVER_INFO },
    })
    expect(await resultOf(askModern(gateway, 'tools/call', { name: 'p_t' }))).toEqual({
      content: [],
      resultType: 'task',
      taskId: expect.any(String),
      _meta: { [INFO]: { name: 'own', version: '1' } },
    })
  })

  it('that are questions of a modern server pass untouched, and so does the retry', async () => {
    const question = {
      resultType: 'input_required',
      inputRequests: { user_name: { method: 'elicitation/create', params: { message: '?', x: [null] } } },
      requestState: 'opaque "bytes" \u0000é',
      _meta: { [INFO]: { name: 'own', version: '1' } },
    }
    const p = createProvider(({ requestState }) => (requestState === undefined ? question : { content: [] }))
    const { gateway } = createHarness([p])
    expect(await resultOf(askModern(gateway, 'tools/call', { name: 'p_t' }))).toEqual(question)
    expect(gateway.parkedCount).toBe(0)
    const retry = { inputResponses: { user_name: { action: 'accept' } }, requestState: question.requestState }
    await resultOf(askModern(gateway, 'tools/call', { name: 'p_t', ...retry }))
    expect(p.lastParams).toMatchObject(retry)
  })

  it('of a failed tool are results; other failures are errors', async () => {
    const p = new FakeProvider('p', {
      catalog: { tools: [tool('t')], prompts: [prompt('q')] },
      answers: {
        'tools/call': () => Promise.reject(new SwitchboardError('timeout', 'late')),
        'prompts/get': () => Promise.reject(new SwitchboardError('timeout', 'late')),
      },
    })
    const { gateway } = createHarness([p])
    expect(await resultOf(askModern(gateway, 'tools/call', { name: 'p_t' }))).toMatchObject({
      isError: true,
      resultType: 'complete',
    })
    expect(await errorOf(askModern(gateway, 'prompts/get', { name: 'p_q' }))).toMatchObject({ code: -32001 })
  })
})

describe('errors', () => {
  const failing = (rpc: JsonObject): FakeProvider =>
    new FakeProvider('p', {
      catalog: { tools: [tool('t')], resources: [resource('doc://x')] },
      answers: {
        'tools/call': () => Promise.reject(new SwitchboardError('upstream_error', 'x', { details: { rpc } })),
        'resources/read': () => Promise.reject(new SwitchboardError('upstream_error', 'x', { details: { rpc } })),
      },
    })

  it('of a legacy server for a missing resource have the code of the modern era', async () => {
    const { gateway } = createHarness([failing({ code: -32002, message: 'Not found', data: { uri: 'doc://x' } })])
    expect(await errorOf(askModern(gateway, 'resources/read', { uri: 'doc://x' }))).toEqual({
      code: -32602,
      message: 'Not found',
      data: { uri: 'doc://x' },
    })
  })

  it('for want of a capability are the one that the modern era has for it', async () => {
    const details = { requiredCapabilities: { sampling: {} } }
    const p = new FakeProvider('p', {
      catalog: { tools: [tool('t')] },
      answers: { 'tools/call': () => Promise.reject(new SwitchboardError('ask_unsupported', 'lacks', { details })) },
    })
    const { gateway } = createHarness([p])
    expect(await errorOf(askModern(gateway, 'tools/call', { name: 'p_t' }))).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} }, error: { code: 'ask_unsupported' } },
    })
  })

  it('of a legacy server that asks for a visit become a question, whose retry is the call again', async () => {
    const elicitation = { mode: 'url', message: 'Sign in', url: 'https://x.example', elicitationId: 'e1' }
    const p = failing({ code: -32042, message: 'Visit', data: { elicitations: [elicitation, 'junk'] } })
    const { gateway } = createHarness([p])
    const result = await resultOf(askModern(gateway, 'tools/call', { name: 'p_t', arguments: { a: 1 } }))
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { url1: { method: 'elicitation/create', params: { mode: 'url', url: 'https://x.example' } } },
    })
    const retry = { requestState: result.requestState, inputResponses: { url1: { action: 'accept' } } }
    await askModern(gateway, 'tools/call', { name: 'p_t', arguments: { a: 1 }, ...retry }).response
    expect(p.lastParams).toEqual({ name: 't', arguments: { a: 1 }, _meta: {} })
  })

  it.each([{}, { elicitations: [] }, { elicitations: 'x' }, undefined])(
    'with that code and the data %j stay errors',
    async (data) => {
      const { gateway } = createHarness([
        failing({ code: -32042, message: 'Visit', ...(data === undefined ? {} : { data }) }),
      ])
      expect(await errorOf(askModern(gateway, 'tools/call', { name: 'p_t' }))).toMatchObject({ code: -32042 })
    },
  )

  it.each([{}, { name: { toString: 1 } }, { name: ['x'] }, { name: 0 }])(
    'for a call with %j blame the caller',
    async (params) => {
      expect(await errorOf(askModern(createHarness([]).gateway, 'tools/call', params))).toMatchObject({
        data: { error: { code: 'invalid_request' } },
      })
    },
  )
})

describe('log messages', () => {
  const talkative = new FakeProvider('p', {
    catalog: { tools: [tool('t')], prompts: [prompt('q')] },
    answers: Object.fromEntries(
      ['tools/call', 'completion/complete'].map((method) => [
        method,
        (_params: JsonObject, call) => {
          for (const level of ['debug', 'warning', 'error', 'strange']) call.log?.({ level, data: level })
          return { content: [], level: call.logLevel ?? 'none' }
        },
      ]) as [string, Handler][],
    ),
  })
  const ref = { type: 'ref/prompt', name: 'p_q' }

  it.each([
    ['tools/call', { name: 'p_t' }],
    ['completion/complete', { ref }],
  ])('of %s come only where the request names a level, and from that level on', async (method, params) => {
    const { gateway } = createHarness([talkative])
    const silent = askModern(gateway, method, params)
    expect(await resultOf(silent)).toMatchObject({ level: 'none' })
    expect(silent.notifications).toEqual([])
    const loud = askModern(gateway, method, params, { logLevel: 'warning' })
    expect(await resultOf(loud)).toMatchObject({ level: 'warning' })
    expect(loud.notifications.map(({ params: said }) => said?.level)).toEqual(['warning', 'error'])
  })
})

describe('the level of the servers', () => {
  it('follows what modern requests want, downwards', async () => {
    const asked: string[] = []
    const { gateway } = createHarness([], { onLogLevel: (level) => asked.push(level) })
    for (const logLevel of ['error', 'info', 'debug', 'warning'] as const)
      await askModern(gateway, 'tools/list', {}, { logLevel }).response
    expect(asked).toEqual(['info', 'debug'])
  })
})

describe('progress', () => {
  it('comes in order with the token of the request, also what is said at once', async () => {
    const p = createProvider((_params, call) => {
      for (let progress = 1; progress <= 100; progress++) call.progress?.({ progress })
      return { content: [] }
    })
    const { gateway } = createHarness([p])
    const answer = askModern(gateway, 'tools/call', { name: 'p_t', _meta: { progressToken: 0 } })
    await answer.response
    expect(answer.notifications.map(({ params }) => params?.progress)).toEqual(
      Array.from({ length: 100 }, (_, i) => i + 1),
    )
    expect(answer.notifications[0]).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progress: 1, progressToken: 0 },
    })
    const silent = askModern(gateway, 'tools/call', { name: 'p_t' })
    await silent.response
    expect(silent.notifications).toEqual([])
  })
})
