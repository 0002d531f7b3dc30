import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
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
    const { structuredContent, content } = await call(harness, 'tool_search', { query: 'read a file', limit: 2 })
    const found = structuredContent as { tools: { name: string; description: string }[]; total: number }
    expect(found.tools).toHaveLength(2)
    expect(found.tools[0]).toEqual({ name: 'all_filesystem_read_text_file', description: expect.any(String) })
    expect(found.total).toBe(REALISTIC_TOOLS.length - 2)
    expect(JSON.parse((content as { text: string }[])[0]?.text ?? '')).toEqual(structuredContent)
    const redis = await call(harness, 'tool_search', { query: 'redis key value' })
    expect(JSON.stringify(redis)).not.toContain('redis_get')
  })

  it('costs a model little: eight tools in two kilobytes, each description cut with a mark', async () => {
    const provider = createProvider()
    const harness = createSearch(provider)
    const { content } = await call(harness, 'tool_search', { query: 'read write create list search get file' })
    expect((content as { text: string }[])[0]?.text.length).toBeLessThan(2_000)
    provider.simulateCatalog({ tools: [tool('long', { description: `Long ${'word '.repeat(100)}` })] })
    const { structuredContent } = await call(harness, 'tool_search', { query: 'long' })
    const [found] = (structuredContent as { tools: { description: string }[] }).tools
    expect(found?.description).toHaveLength(300)
    expect(found?.description).toMatch(/…$/)
  })

  it('sees a changed catalog at once', async () => {
    const provider = createProvider()
    const harness = createSearch(provider)
    const names = async (): Promise<unknown> =>
      (await call(harness, 'tool_search', { query: 'xylophone' })).structuredContent
    expect(await names()).toEqual({
      tools: [],
      total: REALISTIC_TOOLS.length - 2,
      hint: expect.stringContaining('the servers here are: all'),
    })
    provider.simulateCatalog({ tools: [tool('xylophone')] })
    expect(await names()).toEqual({ tools: [{ name: 'all_xylophone', description: '' }], total: 1 })
  })

  it('describes a tool in full', async () => {
    const { structuredContent } = await call(createSearch(createProvider()), 'tool_describe', {
      name: 'all_postgres_query',
    })
    expect(structuredContent).toEqual({
      tool: { ...REALISTIC_TOOLS.find(({ name }) => name === 'postgres_query'), name: 'all_postgres_query' },
    })
  })

  it('describes with it what a tool answers with where the list leaves that out, by an alias too', async () => {
    const outputSchema = { type: 'object', properties: { ok: { type: 'boolean' } } }
    const provider = new FakeProvider('all', {
      catalog: {
        tools: [tool('start'), tool('stop')],
        aliases: { begin: 'start' },
        outputSchemas: { start: outputSchema },
      },
    })
    const harness = createSearch(provider)
    for (const name of ['all_start', 'all_begin']) {
      const { structuredContent } = await call(harness, 'tool_describe', { name })
      expect(structuredContent).toMatchObject({ tool: { name: 'all_start', outputSchema } })
    }
    const { structuredContent } = await call(harness, 'tool_describe', { name: 'all_stop' })
    expect(structuredContent).not.toMatchObject({ tool: { outputSchema: {} } })
    const { tools } = await resultOf(askModern(createHarness([provider]).gateway, 'tools/list', {}))
    expect(JSON.stringify(tools)).not.toContain('outputSchema')
  })

  it.each([
    ['tool_search', {}],
    ['tool_search', { query: '  ' }],
    ['tool_describe', {}],
    ['tool_call', { name: 7 }],
    ['tool_call', { name: 'tool_call' }],
    ['tool_describe', { name: 'tool_search' }],
    ['tool_call', { name: 'all_git_log', arguments: '{"repo_path":"/project"}' }],
    ['tool_call', { name: 'all_git_log', arguments: ['/project'] }],
    ['tool_call', { name: 'all_git_log', arguments: null }],
  ])('%s refuses %j as a result that the model can read', async (name, args) => {
    const provider = createProvider()
    const result = await call(createSearch(provider), name, args)
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { code: 'invalid_arguments', executed: false } },
    })
    expect(provider.requests).toEqual([])
  })

  it('has limits between 1 and 50 for a search, whatever is asked', async () => {
    const harness = createSearch(createProvider())
    for (const [limit, count] of [
      [0, 1],
      [-5, 1],
      [1e9, 'all'],
      ['many', 8],
      [2.9, 2],
    ] as const) {
      const { structuredContent } = await call(harness, 'tool_search', {
        query: 'the a of file list create get',
        limit,
      })
      const { length } = (structuredContent as { tools: unknown[] }).tools
      if (count === 'all') expect(length).toBeGreaterThan(8)
      else expect(length).toBe(count)
    }
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

  it('is cancelled as the call itself', async () => {
    const provider = createProvider()
    const { gateway } = createSearch(provider)
    const client = await connectClient(gateway, { identity: IDENTITY })
    const begun = provider.waitFor('tools/call')
    const params = { name: 'tool_call', arguments: { name: 'all_shell_run_command' } }
    client.session.receive({ jsonrpc: '2.0', id: 'slow', method: 'tools/call', params })
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
