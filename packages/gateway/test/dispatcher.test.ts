import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { createMemoryLogger } from '@switchboard/telemetry'
import { describe, expect, it } from 'vitest'
import type { CallReport } from '../src/dispatcher.ts'
import { judge } from '../src/incoming.ts'
import { FakeProvider, prompt, resource, template, tool, untilAborted } from './helpers/fake-provider.ts'
import {
  connectClient,
  createHarness,
  errorOf,
  type HarnessOptions,
  type LegacyClient,
  resultOf,
} from './helpers/gateway-harness.ts'

async function connect(
  providers: FakeProvider[],
  options: HarnessOptions & { profile?: string } = {},
): Promise<LegacyClient> {
  const { profile = 'default', ...rest } = options
  return connectClient(createHarness(providers, rest).gateway, { identity: { profile, transport: 'test' } })
}

const echo = (params: JsonObject): JsonObject => ({ content: [], structuredContent: params })

describe('a tool call', () => {
  it('reaches its provider under its own name, with everything else as it came', async () => {
    const files = new FakeProvider('files', { catalog: { tools: [tool('read')] }, answers: { 'tools/call': echo } })
    const client = await connect([files])
    const params = { name: 'files_read', arguments: { path: '/x', deep: [{ a: null }] }, task: { ttl: 5 }, vendor: 1 }
    expect(await resultOf(client.request('tools/call', params))).toEqual({
      content: [],
      structuredContent: { ...params, name: 'read' },
    })
  })

  it('by an alias is one of the listed tool, for its provider and in the report', async () => {
    const reports: CallReport[] = []
    const p = new FakeProvider('p', {
      catalog: { tools: [tool('add')], aliases: { set: 'add' } },
      answers: { 'tools/call': echo },
    })
    const client = await connect([p], { onCalled: (report) => reports.push(report) })
    expect(await resultOf(client.request('tools/call', { name: 'p_set' }))).toMatchObject({
      structuredContent: { name: 'add' },
    })
    expect(reports).toMatchObject([{ tool: 'p_add' }])
  })

  it('returns unknown members and content of the result untouched', async () => {
    const result = {
      content: [{ type: 'hologram', x: 1 }],
      'vendor/y': { z: [] },
      _meta: { 'a/b': 'c' },
      isError: true,
    }
    const p = new FakeProvider('p', { catalog: { tools: [tool('t')] }, answers: { 'tools/call': () => result } })
    expect(await resultOf((await connect([p])).request('tools/call', { name: 'p_t' }))).toEqual(result)
  })

  it('knows its caller, its trace and its signal', async () => {
    const p = new FakeProvider('p', { catalog: { tools: [tool('t')] }, answers: { 'tools/call': echo } })
    const { gateway } = createHarness([p])
    const client = await connectClient(gateway, {
      identity: { instance: 'abcd-123456', profile: 'default', transport: 'test' },
      capabilities: { roots: {} },
    })
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    await client.request('tools/call', { name: 'p_t', _meta: { traceparent } })
    const { call } = p.requests[0] ?? {}
    expect(call?.traceId).toBe('0af7651916cd43dd8448eb211c80319c')
    expect(call?.caller).toMatchObject({
      instance: 'abcd-123456',
      session: client.session.id,
      era: 'legacy',
      capabilities: { roots: {} },
      clientInfo: { name: 'test', version: '1' },
    })
    await client.request('tools/call', { name: 'p_t' })
    expect(p.requests[1]?.call.traceId).toMatch(/^[0-9a-f]{32}$/)
    expect(p.requests[1]?.call.progress).toBeUndefined()
  })
})

describe('the checks on a call', () => {
  const profiles = [{ name: 'narrow', tools: { deny: ['p_secret'] } }]
  const limits = { maxInFlight: 1, rate: () => ({ perSecond: 1, burst: 1 }) }
  const create = (): FakeProvider =>
    new FakeProvider('p', {
      catalog: { tools: [tool('open'), tool('secret')] },
      answers: {
        'tools/call': () => {
          throw new SwitchboardError('restart_in_progress', 'p is being restarted', { retryAfterMs: 1_000 })
        },
      },
    })

  it('come in order: known, allowed, within limits, and only then the provider', async () => {
    const p = create()
    const client = await connect([p], { profiles, limits, profile: 'narrow' })
    // The bucket of a tool that is unknown or denied is never touched.
    for (let round = 0; round < 3; round++) {
      expect(await errorOf(client.request('tools/call', { name: 'p_secrets' }))).toMatchObject({
        data: { error: { code: 'unknown_tool' } },
      })
      expect(await resultOf(client.request('tools/call', { name: 'p_secret' }))).toMatchObject({
        structuredContent: { error: { code: 'profile_denied', category: 'forbidden', executed: false } },
      })
    }
    expect(p.requests).toEqual([])
    expect(await resultOf(client.request('tools/call', { name: 'p_open' }))).toMatchObject({
      structuredContent: { error: { code: 'restart_in_progress', retryAfterMs: 1_000, executed: false } },
    })
    expect(await resultOf(client.request('tools/call', { name: 'p_open' }))).toMatchObject({
      structuredContent: { error: { code: 'rate_limited', retryAfterMs: expect.any(Number), executed: false } },
    })
    expect(p.requests).toHaveLength(1)
  })

  it('give the place of a call in flight back when it ends, however it ends', async () => {
    const p = new FakeProvider('p', {
      catalog: { tools: [tool('t')] },
      answers: {
        'tools/call': ({ arguments: args }, call) =>
          (args as JsonObject)?.hang ? untilAborted(call) : { content: [] },
      },
    })
    const client = await connect([p], { limits: { maxInFlight: 1 } })
    const begun = p.waitFor('tools/call')
    client.session.receive(
      judge({
        jsonrpc: '2.0',
        id: 9,
        method: 'tools/call',
        params: { name: 'p_t', arguments: { hang: true } },
      }),
    )
    await begun
    expect(await resultOf(client.request('tools/call', { name: 'p_t' }))).toMatchObject({
      structuredContent: { error: { code: 'rate_limited', details: { inFlight: 1, limit: 1 } } },
    })
    client.notify('notifications/cancelled', { requestId: 9 })
    // One turn of the queue for the cancelled call to leave.
    await client.request('ping')
    await new Promise((resolve) => setImmediate(resolve))
    expect(await resultOf(client.request('tools/call', { name: 'p_t' }))).toEqual({ content: [] })
  })

  it('name the server that would have the tool, where it has none to list', async () => {
    const down = new FakeProvider('ghost', { state: 'not_installed' })
    const client = await connectClient(createHarness([down, new FakeProvider('up')]).gateway)
    const hintOf = async (name: string) => (await errorOf(client.request('tools/call', { name }))).data
    expect(await hintOf('ghost_read')).toMatchObject({
      error: { code: 'unknown_tool', hint: 'The server "ghost" lists no tools now: it is not_installed.' },
    })
    expect(JSON.stringify(await hintOf('ghostly_read'))).not.toContain('lists no tools')
  })

  it('say of a server that has never been up that its tools may still come', async () => {
    const starting = new FakeProvider('slow', { state: 'starting' })
    const failing = new FakeProvider('bad', { state: 'backoff' })
    const client = await connect([create(), starting, failing])
    const call = (name: string) => client.request('tools/call', { name })
    expect(await resultOf(call('slow_read'))).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: 'restart_in_progress', retryable: true, retryAfterMs: 1_000, executed: false },
      },
    })
    expect(await resultOf(call('bad_read'))).toMatchObject({
      structuredContent: { error: { code: 'restart_failed', retryable: true } },
    })
    expect(await errorOf(call('p_opne'))).toMatchObject({
      message:
        'Unknown tool "p_opne". Did you mean "p_open"? "slow" may have it, and is still starting: call again in a second.',
      data: { error: { code: 'unknown_tool', retryable: true, retryAfterMs: 1_000 } },
    })
  })

  it('suggest the nearest names that this profile lists', async () => {
    const client = await connect([create()], { profiles, profile: 'narrow' })
    const error = await errorOf(client.request('tools/call', { name: 'p_opne' }))
    expect(error).toMatchObject({
      code: -32602,
      message: 'Unknown tool "p_opne". Did you mean "p_open"?',
      data: { error: { hint: 'Did you mean "p_open"?', details: { suggestions: ['p_open'] } } },
    })
    const hidden = await errorOf(client.request('tools/call', { name: 'p_secrte' }))
    expect(JSON.stringify(hidden)).not.toContain('p_secret"')
  })
})

describe('a failure', () => {
  const failing = (error: unknown): FakeProvider =>
    new FakeProvider('p', {
      catalog: { tools: [tool('t')], prompts: [prompt('q')] },
      answers: {
        'tools/call': () => Promise.reject(error),
        'prompts/get': () => Promise.reject(error),
      },
    })

  it('of a tool is a result with text for the model and an envelope for programs', async () => {
    const error = new SwitchboardError('timeout', 'read took more than 5 s', { details: { budget: 5_000 } })
    const client = await connect([failing(error)])
    const result = await resultOf(client.request('tools/call', { name: 'p_t' }))
    expect(result).toEqual({
      isError: true,
      content: [{ type: 'text', text: `[timeout] read took more than 5 s. ${error.hint}` }],
      structuredContent: {
        ok: false,
        type: 'error',
        error: {
          code: 'timeout',
          category: 'timeout',
          message: 'read took more than 5 s',
          hint: error.hint,
          executed: 'unknown',
          retryable: true,
          retryAfterMs: null,
          details: { budget: 5_000 },
        },
        meta: {
          requestId: 'c2',
          traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
          tool: 'p_t',
          provider: 'p',
          timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
          durationMs: expect.any(Number),
        },
      },
    })
  })

  it('of a tool with an output schema has its envelope in the metadata, where no client checks it', async () => {
    const p = new FakeProvider('p', {
      catalog: { tools: [tool('t', { outputSchema: { type: 'object', required: ['x'] } })] },
      answers: { 'tools/call': () => Promise.reject(new SwitchboardError('timeout', 'late')) },
    })
    const result = await resultOf((await connect([p])).request('tools/call', { name: 'p_t' }))
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('[timeout] late.') }] })
    expect(result.structuredContent).toBeUndefined()
    expect(Object.values(result._meta as JsonObject)).toMatchObject([{ ok: false, error: { code: 'timeout' } }])
  })

  it('of a prompt is a protocol error with the same envelope', async () => {
    const client = await connect([failing(new SwitchboardError('server_exited', 'p ended'))])
    expect(await errorOf(client.request('prompts/get', { name: 'p_q' }))).toMatchObject({
      code: -32000,
      message: expect.stringMatching(/^p ended\. \w.+\.$/),
      data: { ok: false, error: { code: 'server_exited', executed: 'unknown' }, meta: { requestId: 'c2' } },
    })
  })

  it('that the server itself answered passes with its code, message and data', async () => {
    const rpc = { code: -32050, message: 'out of paper', data: { tray: 2 } }
    const client = await connect([failing(new SwitchboardError('upstream_error', rpc.message, { details: { rpc } }))])
    expect(await errorOf(client.request('tools/call', { name: 'p_t' }))).toEqual(rpc)
    expect(await errorOf(client.request('prompts/get', { name: 'p_q' }))).toEqual(rpc)
  })

  it('that is our own bug is logged with its stack, which the agent never sees', async () => {
    const log = createMemoryLogger()
    const client = await connect([failing(new TypeError('x is not a function'))], { log })
    const result = await resultOf(client.request('tools/call', { name: 'p_t' }))
    expect(result).toMatchObject({ structuredContent: { error: { code: 'internal' } } })
    expect(JSON.stringify(result)).not.toContain('dispatcher.test')
    const [traceId] = log.entries.flatMap(({ trace_id }) => trace_id ?? [])
    expect(log.entries.filter(({ level }) => level === 'error')).toMatchObject([
      { cat: 'mcp.tool', trace_id: traceId, data: { code: 'internal' } },
      { cat: 'gateway.bug', trace_id: traceId, data: { stack: expect.stringContaining('TypeError') } },
    ])
  })

  it.each([
    [new SwitchboardError('timeout', 'p was slow'), 'error'],
    [new SwitchboardError('cancelled', 'not wanted'), 'debug'],
    [new SwitchboardError('invalid_arguments', 'a is missing'), 'debug'],
  ])('ends in the log: %s at the level %s', async (error, level) => {
    const log = createMemoryLogger()
    const client = await connect([failing(error)], { log })
    await client.request('tools/call', { name: 'p_t' })
    expect(log.entries.map((entry) => [entry.level, entry.cat, entry.msg])).toEqual([
      ['debug', 'mcp.tool', 'start p_t'],
      [level, 'mcp.tool', `end p_t: ${error.code}: ${error.message}`],
    ])
  })

  it.each([
    ['tools/call', {}],
    ['tools/call', { name: '' }],
    ['tools/call', { name: { toString: 1 } }],
    ['resources/read', { uri: 5 }],
    ['prompts/get', { name: null }],
    ['completion/complete', {}],
    ['completion/complete', { ref: { type: 'ref/prompt' } }],
    ['resources/subscribe', {}],
  ])('of %s with %j is an invalid request', async (method, params) => {
    const client = await connect([failing('x')])
    expect(await errorOf(client.request(method, params))).toMatchObject({
      data: { error: { code: 'invalid_request' } },
    })
  })

  it('quotes no more than a piece of what was sent', async () => {
    const client = await connect([failing('x')])
    const error = await errorOf(client.request('tools/call', { name: { long: 'x'.repeat(100_000) } }))
    expect(JSON.stringify(error).length).toBeLessThan(2_000)
  })
})

describe('reports of calls', () => {
  it('say what became of each', async () => {
    const reports: CallReport[] = []
    const p = new FakeProvider('p', {
      catalog: { tools: [tool('ok'), tool('sad'), tool('bad')] },
      answers: {
        'tools/call': ({ name }) => {
          if (name === 'bad') throw new SwitchboardError('timeout', 'late')
          return { content: [], ...(name === 'sad' ? { isError: true } : {}) }
        },
      },
    })
    const client = await connect([p], { onCalled: (report) => reports.push(report) })
    for (const name of ['p_ok', 'p_sad', 'p_bad', 'p_none'])
      await client.request('tools/call', { name, arguments: { a: 1 } })
    expect(reports.map(({ tool: name, provider, outcome, error }) => [name, provider, outcome, error?.code])).toEqual([
      ['p_ok', 'p', 'ok', undefined],
      ['p_sad', 'p', 'tool_error', undefined],
      ['p_bad', 'p', 'failed', 'timeout'],
      ['p_none', 'switchboard', 'failed', 'unknown_tool'],
    ])
    expect(reports[0]).toMatchObject({ params: { a: 1 }, durationMs: expect.any(Number) })
  })

  it('of a call through tool_call come once', async () => {
    const reports: CallReport[] = []
    const p = new FakeProvider('p', { catalog: { tools: [tool('ok')] }, answers: { 'tools/call': echo } })
    const profiles = [{ name: 'default', search: true }]
    const client = await connect([p], { profiles, onCalled: (report) => reports.push(report) })
    await client.request('tools/call', { name: 'tool_call', arguments: { name: 'p_ok' } })
    await client.request('tools/call', { name: 'tool_call', arguments: { name: 'p_none' } })
    expect(reports.map(({ tool: name }) => name)).toEqual(['p_ok', 'p_none'])
  })
})

describe('resources', () => {
  const reading = (name: string, uris: string[], templates: string[] = []): FakeProvider =>
    new FakeProvider(name, {
      catalog: { resources: uris.map(resource), templates: templates.map(template), capabilities: { resources: {} } },
      answers: {
        'resources/read': ({ uri }) => ({
          contents: [
            { uri, text: name },
            { uri: 'other://', text: '' },
          ],
          extra: 1,
        }),
        'completion/complete': (params) => ({ completion: { values: [name] }, params }),
      },
    })

  it('that two servers list are read from the right one, and come back under the URI that was asked', async () => {
    const client = await connect([reading('a', ['doc://x']), reading('b', ['doc://x'])])
    expect(await resultOf(client.request('resources/read', { uri: 'doc://x' }))).toEqual({
      contents: [
        { uri: 'doc://x', text: 'a' },
        { uri: 'other://', text: '' },
      ],
      extra: 1,
    })
    expect(await resultOf(client.request('resources/read', { uri: 'switchboard+b:doc://x' }))).toEqual({
      contents: [
        { uri: 'switchboard+b:doc://x', text: 'b' },
        { uri: 'other://', text: '' },
      ],
      extra: 1,
    })
  })

  it('that nobody lists are asked of the only server that has resources', async () => {
    const client = await connect([reading('a', []), new FakeProvider('tools-only')])
    expect(await resultOf(client.request('resources/read', { uri: 'any://x' }))).toMatchObject({
      contents: [{ uri: 'any://x' }, {}],
    })
    const two = await connect([reading('a', []), reading('b', [])])
    expect(await errorOf(two.request('resources/read', { uri: 'any://x' }))).toMatchObject({
      code: -32002,
      data: { error: { code: 'unknown_resource', details: { uri: 'any://x' } } },
    })
  })

  it('that fit a template go to the server that lists it', async () => {
    const client = await connect([reading('a', ['doc://x']), reading('b', [], ['file:///{+path}'])])
    expect(await resultOf(client.request('resources/read', { uri: 'file:///a/b' }))).toMatchObject({
      contents: [{ text: 'b' }, {}],
    })
    const templates = await resultOf(client.request('resources/templates/list'))
    expect(templates).toMatchObject({ resourceTemplates: [{ uriTemplate: 'file:///{+path}' }] })
  })

  it('and prompts are completed by the server that has them', async () => {
    const prompting = new FakeProvider('p', {
      catalog: { prompts: [prompt('review')] },
      answers: { 'completion/complete': (params) => ({ completion: { values: ['p'] }, params }) },
    })
    const client = await connect([reading('a', []), reading('b', [], ['file:///{path}']), prompting])
    const argument = { name: 'path', value: 'x' }
    const byTemplate = { ref: { type: 'ref/resource', uri: 'file:///{path}' }, argument }
    expect(await resultOf(client.request('completion/complete', byTemplate))).toMatchObject({
      completion: { values: ['b'] },
      params: byTemplate,
    })
    const byPrompt = { ref: { type: 'ref/prompt', name: 'p_review', title: 'T' }, argument, context: {} }
    expect(await resultOf(client.request('completion/complete', byPrompt))).toMatchObject({
      params: { ...byPrompt, ref: { type: 'ref/prompt', name: 'review', title: 'T' } },
    })
    const unknown = { ref: { type: 'ref/prompt', name: 'p_nothing' }, argument }
    expect(await errorOf(client.request('completion/complete', unknown))).toMatchObject({
      data: { error: { code: 'unknown_prompt' } },
    })
  })
})

describe('prompts', () => {
  it('are got by their own name, and an unknown one gets the nearest', async () => {
    const p = new FakeProvider('p', {
      catalog: { prompts: [prompt('review')] },
      answers: { 'prompts/get': (params) => ({ messages: [], params }) },
    })
    const client = await connect([p])
    expect(await resultOf(client.request('prompts/get', { name: 'p_review', arguments: { a: 'b' } }))).toEqual({
      messages: [],
      params: { name: 'review', arguments: { a: 'b' } },
    })
    expect(await errorOf(client.request('prompts/get', { name: 'p_reveiw' }))).toMatchObject({
      code: -32602,
      data: { error: { details: { suggestions: ['p_review'] } } },
    })
  })
})

describe('other methods', () => {
  const SKILLS = 'io.modelcontextprotocol/skills'
  const skilled = (name: string): FakeProvider =>
    new FakeProvider(name, {
      catalog: {
        resources: [resource(`skill://${name}/SKILL.md`)],
        capabilities: { extensions: { [SKILLS]: {} } },
      },
      answers: {
        'skills/list': () => ({ skills: [{ name }] }),
        'skills/get': () => ({ skill: name }),
        'resources/directory/read': () => ({ read: name }),
      },
    })

  it('of skills are merged, and go by their URI', async () => {
    const client = await connect([skilled('a'), skilled('b')])
    expect(await resultOf(client.request('skills/list'))).toEqual({ skills: [{ name: 'a' }, { name: 'b' }] })
    expect(await resultOf(client.request('skills/get', { uri: 'skill://b/SKILL.md' }))).toEqual({ skill: 'b' })
    const one = await connect([skilled('a'), new FakeProvider('plain')])
    expect(await resultOf(one.request('resources/directory/read', { uri: 'skill://a' }))).toEqual({ read: 'a' })
  })

  it('of skills bring all pages of all servers, without one that fails', async () => {
    const paged = new FakeProvider('paged', {
      catalog: { capabilities: { extensions: { [SKILLS]: {} } } },
      answers: {
        'skills/list': ({ cursor }) =>
          cursor === '2' ? { skills: [{ name: 'second' }] } : { skills: [{ name: 'first' }], nextCursor: '2' },
      },
    })
    const broken = (name: string) =>
      new FakeProvider(name, {
        catalog: { capabilities: { extensions: { [SKILLS]: {} } } },
        answers: {
          'skills/list': () => {
            throw new SwitchboardError('unknown_method', 'Method not found: skills/list')
          },
        },
      })
    const client = await connect([paged, broken('one'), skilled('a')])
    expect(await resultOf(client.request('skills/list'))).toEqual({
      skills: [{ name: 'first' }, { name: 'second' }, { name: 'a' }],
    })
    const both = await connect([broken('one'), broken('two')])
    expect(await errorOf(both.request('skills/list'))).toMatchObject({ code: -32601 })
  })

  it('that nobody knows are not found', async () => {
    const client = await connect([new FakeProvider('p')])
    for (const method of ['nonsense', 'skills/list', 'tasks/get', 'server/discover', 'constructor', '']) {
      expect(await errorOf(client.request(method))).toMatchObject({ code: -32601 })
    }
  })
})
