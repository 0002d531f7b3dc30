import type { JsonObject } from '@switchboard/protocol'
import { parseJson } from '@switchboard/protocol/framing'
import { describe, expect, it } from 'vitest'
import { judge } from '../../src/incoming.ts'
import { FakeProvider, tool, untilAborted } from '../helpers/fake-provider.ts'
import { askModern, connectClient, createHarness, errorOf, type Harness, resultOf } from '../helpers/gateway-harness.ts'
import { REALISTIC_TOOLS } from './realistic-tools.ts'

const IDENTITY = { profile: 'search', transport: 'test' }

function createSearch(provider: FakeProvider): Harness {
  const profiles = [
    { name: 'search', search: true, pinned: ['all_git_status', 'all_absent'], tools: { deny: ['*_redis_*'] } },
  ]
  return createHarness([provider], { profiles })
}

function createProvider(): FakeProvider {
  return new FakeProvider('all', {
    catalog: { tools: REALISTIC_TOOLS },
    answers: {
      'tools/call': async (params, call) => {
        if (params.name === 'shell_run_command') return untilAborted(call)
        call.progress?.({ progress: 1, total: 2 })
        return { content: [], structuredContent: { params } }
      },
    },
  })
}

/** Of an answer in the one envelope. */
async function dataOf(harness: Harness, name: string, args: JsonObject): Promise<unknown> {
  const { structuredContent } = await call(harness, name, args)
  expect(structuredContent).toEqual({
    ok: true,
    type: 'success',
    data: expect.any(Object),
    meta: {
      requestId: expect.any(String),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
      tool: name,
      provider: 'switchboard',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      durationMs: expect.any(Number),
    },
  })
  return (structuredContent as { data: unknown }).data
}

async function call(harness: Harness, name: string, args: JsonObject): Promise<JsonObject> {
  return resultOf(askModern(harness.gateway, 'tools/call', { name, arguments: args }, { identity: IDENTITY }))
}

describe('a profile with search', () => {
  it('lists three tools and the pinned ones that exist', async () => {
    const { tools } = await resultOf(
      askModern(createSearch(createProvider()).gateway, 'tools/list', {}, { identity: IDENTITY }),
    )
    expect((tools as { name: string }[]).map(({ name }) => name)).toEqual([
      'tool_search',
      'tool_describe',
      'tool_call',
      'all_git_status',
    ])
  })

  it('finds tools by what they do, never one that the profile denies', async () => {
    const harness = createSearch(createProvider())
    const { content } = await call(harness, 'tool_search', { query: 'read a file', limit: 2 })
    const data = await dataOf(harness, 'tool_search', { query: 'read a file', limit: 2 })
    const found = data as { tools: { name: string; description: string }[]; total: number }
    expect(found.tools).toHaveLength(2)
    expect(found.tools[0]).toEqual({ name: 'all_filesystem_read_text_file', description: expect.any(String) })
    expect(found.total).toBe(REALISTIC_TOOLS.length - 2)
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual(data)
    const redis = await call(harness, 'tool_search', { query: 'redis key value' })
    expect(JSON.stringify(redis)).not.toContain('redis_get')
  })

  it('costs a model little: eight tools in two kilobytes, each description cut with a mark', async () => {
    const provider = createProvider()
    const harness = createSearch(provider)
    const { content } = await call(harness, 'tool_search', { query: 'read write create list search get file' })
    expect((content as { text: string }[])[0]?.text.length).toBeLessThan(2_000)
    provider.simulateCatalog({ tools: [tool('long', { description: `Long ${'word '.repeat(100)}` })] })
    const [found] = ((await dataOf(harness, 'tool_search', { query: 'long' })) as { tools: { description: string }[] })
      .tools
    expect(found?.description).toHaveLength(300)
    expect(found?.description).toMatch(/…$/)
  })

  it('sees a changed catalog at once', async () => {
    const provider = createProvider()
    const harness = createSearch(provider)
    const names = (): Promise<unknown> => dataOf(harness, 'tool_search', { query: 'xylophone' })
    expect(await names()).toEqual({
      tools: [],
      total: REALISTIC_TOOLS.length - 2,
      hint: expect.stringContaining('the servers here are: all'),
    })
    provider.simulateCatalog({ tools: [tool('xylophone')] })
    expect(await names()).toEqual({ tools: [{ name: 'all_xylophone', description: '' }], total: 1 })
  })

  it('describes a tool in full', async () => {
    expect(await dataOf(createSearch(createProvider()), 'tool_describe', { name: 'all_postgres_query' })).toEqual({
      tool: { ...REALISTIC_TOOLS.find(({ name }) => name === 'postgres_query'), name: 'all_postgres_query' },
    })
  })

  it('describes with it what a tool answers with where the list leaves that out, by an alias too', async () => {
    const outputSchema = { type: 'object', properties: { ok: { type: 'boolean' } } }
    const provider = new FakeProvider('all', {
      catalog: {
        tools: [tool('start'), tool('stop')],
        aliases: { begin: 'start' },
        outputSchemaOf: (tool) => (tool === 'start' ? outputSchema : undefined),
      },
    })
    const harness = createSearch(provider)
    for (const name of ['all_start', 'all_begin']) {
      expect(await dataOf(harness, 'tool_describe', { name })).toMatchObject({
        tool: { name: 'all_start', outputSchema },
      })
    }
    expect(await dataOf(harness, 'tool_describe', { name: 'all_stop' })).not.toMatchObject({
      tool: { outputSchema: {} },
    })
    const { tools } = await resultOf(askModern(createHarness([provider]).gateway, 'tools/list', {}))
    expect(JSON.stringify(tools)).not.toContain('outputSchema')
  })

  it.each([
    ['tool_search', {}, 'query is required (a string, not empty)'],
    ['tool_search', { querry: 'read' }, 'query is required (a string, not empty); "querry" was given; querry is not a'],
    ['tool_search', { query: '' }, 'query must be a string, not empty, not ""'],
    ['tool_search', { query: '  ' }, 'query must be a few words, not "  "'],
    ['tool_search', { query: 'read', limit: 0 }, 'limit must be an integer, at least 1, at most 50, not 0'],
    ['tool_search', { query: 'read', limit: 51 }, 'limit must be an integer, at least 1, at most 50, not 51'],
    ['tool_search', { query: 'read', limit: 2.9 }, 'limit must be an integer, not 2.9'],
    ['tool_search', { query: 'read', limit: 'many' }, 'limit must be an integer, not "many"'],
    ['tool_describe', {}, 'name is required (a string, not empty)'],
    ['tool_call', { name: 7 }, 'name must be a string, not 7'],
    ['tool_call', { name: 'tool_call' }, 'name must be the name of a tool that tool_search returned, not "tool_call"'],
    ['tool_describe', { name: 'tool_search' }, 'name must be'],
    [
      'tool_call',
      { name: 'all_git_log', arguments: '{"repo_path":"/project"}' },
      'arguments must be an object, not "{',
    ],
    ['tool_call', { name: 'all_git_log', arguments: ['/project'] }, 'arguments must be an object, not an array of 1'],
    ['tool_call', { name: 'all_git_log', arguments: null }, 'arguments must be an object, not null'],
  ])('%s refuses %j as a result that the model can read', async (name, args, problem) => {
    const provider = createProvider()
    const result = await call(createSearch(provider), name, args)
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        error: {
          code: 'invalid_arguments',
          executed: false,
          message: expect.stringContaining(`The arguments of ${name} are wrong: ${problem}`),
          details: { fields: expect.arrayContaining([expect.objectContaining({ field: problem.split(' ', 1)[0] })]) },
        },
      },
    })
    expect(provider.requests).toEqual([])
  })

  it('finds eight tools unless it is asked for another number of them', async () => {
    const harness = createSearch(createProvider())
    for (const [limit, count] of [
      [undefined, 8],
      [1, 1],
      [2, 2],
      [50, 'all'],
    ] as const) {
      const query = { query: 'the a of file list create get', ...(limit === undefined ? {} : { limit }) }
      const { length } = ((await dataOf(harness, 'tool_search', query)) as { tools: unknown[] }).tools
      if (count === 'all') expect(length).toBeGreaterThan(8)
      else expect(length).toBe(count)
    }
  })

  it('reports every call once: as itself, or as the tool that it led to', async () => {
    const reports: string[] = []
    const { gateway } = createHarness([createProvider()], {
      profiles: [{ name: 'search', search: true }],
      onCalled: ({ tool, provider, outcome, error }) =>
        reports.push([tool, provider, outcome, ...(error === undefined ? [] : [error.code])].join(' ')),
    })
    const ask = (name: string, args: JsonObject): Promise<unknown> =>
      askModern(gateway, 'tools/call', { name, arguments: args }, { identity: IDENTITY }).response
    await ask('tool_search', { query: 'read' })
    await ask('tool_search', {})
    await ask('tool_describe', { name: 'all_git_lgo' })
    await ask('tool_call', { name: 'all_git_log' })
    await ask('tool_call', { name: 'all_git_lgo' })
    await ask('tool_call', { name: 7 })
    expect(reports).toEqual([
      'tool_search switchboard ok',
      'tool_search switchboard failed invalid_arguments',
      'tool_describe switchboard failed unknown_tool',
      'all_git_log all ok',
      'all_git_lgo switchboard failed unknown_tool',
      'tool_call switchboard failed invalid_arguments',
    ])
  })

  it('knows neither tools of other names nor denied ones', async () => {
    const harness = createSearch(createProvider())
    const ask = (name: string, args: JsonObject) =>
      askModern(harness.gateway, 'tools/call', { name, arguments: args }, { identity: IDENTITY })
    expect(await errorOf(ask('tool_describe', { name: 'all_git_lgo' }))).toMatchObject({
      code: -32602,
      data: { error: { code: 'unknown_tool', details: { suggestions: expect.arrayContaining(['all_git_log']) } } },
    })
    expect(await errorOf(ask('tool_call', { name: 'all_nothing' }))).toMatchObject({
      data: { error: { code: 'unknown_tool' } },
    })
    expect(await call(harness, 'tool_call', { name: 'all_redis_get' })).toMatchObject({
      structuredContent: { error: { code: 'profile_denied' } },
    })
  })
})

describe('tool_call', () => {
  it('is the call itself: arguments, metadata and progress pass', async () => {
    const provider = createProvider()
    const harness = createSearch(provider)
    const asked = askModern(
      harness.gateway,
      'tools/call',
      {
        name: 'tool_call',
        arguments: { name: 'all_postgres_query', arguments: { sql: 'select 1' } },
        _meta: { progressToken: 'p', 'vendor/x': 1 },
      },
      { identity: IDENTITY },
    )
    expect(await resultOf(asked)).toMatchObject({
      structuredContent: { params: { name: 'postgres_query', arguments: { sql: 'select 1' } } },
    })
    expect(asked.notifications).toMatchObject([{ params: { progressToken: 'p', progress: 1, total: 2 } }])
    expect(provider.lastParams?._meta).toMatchObject({ 'vendor/x': 1 })
  })

  it('keeps all digits of the numbers in the arguments', async () => {
    const provider = createProvider()
    const args = parseJson('{"name":"all_postgres_query","arguments":{"id":9007199254740993}}') as JsonObject
    await call(createSearch(provider), 'tool_call', args)
    expect(JSON.stringify(provider.lastParams?.arguments)).toBe('{"id":9007199254740993}')
  })

  it('is cancelled as the call itself', async () => {
    const provider = createProvider()
    const { gateway } = createSearch(provider)
    const client = await connectClient(gateway, { identity: IDENTITY })
    const begun = provider.waitFor('tools/call')
    const params = { name: 'tool_call', arguments: { name: 'all_shell_run_command' } }
    client.session.receive(judge({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params }))
    const { call: running } = await begun
    client.notify('notifications/cancelled', { requestId: 'slow', reason: 'changed my mind' })
    expect(running.signal.aborted).toBe(true)
    expect(String(running.signal.reason)).toContain('changed my mind')
  })
})

describe('a profile without search', () => {
  it('does not have the three tools', async () => {
    const { gateway } = createSearch(createProvider())
    expect(await errorOf(askModern(gateway, 'tools/call', { name: 'tool_search' }))).toMatchObject({
      data: { error: { code: 'unknown_tool' } },
    })
  })
})

describe('a profile that does not list all', () => {
  const few = { name: 'search', unlisted: ['all_git_status'] }

  it('lists the search tools beside the others, and finds, describes and calls the rest', async () => {
    const harness = createHarness([createProvider()], { profiles: [few] })
    const { tools } = await resultOf(askModern(harness.gateway, 'tools/list', {}, { identity: IDENTITY }))
    const names = (tools as { name: string }[]).map(({ name }) => name)
    expect(names).not.toContain('all_git_status')
    expect(names).toHaveLength(REALISTIC_TOOLS.length - 1 + 3)
    const found = await dataOf(harness, 'tool_search', { query: 'git status', limit: 1 })
    expect(found).toMatchObject({ tools: [{ name: 'all_git_status' }], total: REALISTIC_TOOLS.length })
    expect(await dataOf(harness, 'tool_describe', { name: 'all_git_status' })).toMatchObject({
      tool: { name: 'all_git_status' },
    })
    for (const [name, args] of [
      ['tool_call', { name: 'all_git_status' }],
      ['all_git_status', {}],
    ] as const) {
      expect(await call(harness, name, args)).toMatchObject({ structuredContent: { params: { name: 'git_status' } } })
    }
  })

  it('lists no search tools where nothing is left to be found', async () => {
    const harness = createHarness([createProvider()], { profiles: [{ name: 'search', unlisted: ['nobody_has'] }] })
    const { tools } = await resultOf(askModern(harness.gateway, 'tools/list', {}, { identity: IDENTITY }))
    expect(tools).toHaveLength(REALISTIC_TOOLS.length)
    const request = askModern(harness.gateway, 'tools/call', { name: 'tool_search' }, { identity: IDENTITY })
    expect(await errorOf(request)).toMatchObject({ message: expect.stringContaining('Unknown tool "tool_search"') })
  })

  it('has nothing of what it denies', async () => {
    const profiles = [{ ...few, tools: { deny: ['all_git_*'] } }]
    const harness = createHarness([createProvider()], { profiles })
    const { isError, content } = await call(harness, 'all_git_status', {})
    expect(isError).toBe(true)
    expect(JSON.stringify(content)).toContain('profile_denied')
  })
})
