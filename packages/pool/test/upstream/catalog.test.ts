import { SwitchboardError } from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import { METHOD_NOT_FOUND } from '../helpers/fake-server.ts'
import { EXITED } from '../helpers/fake-transport.ts'
import { createCall, createHarness, createTool, failureOf, hold } from '../helpers/upstream-harness.ts'

const LISTS = {
  capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, experimental: { x: { y: 1 } } },
  tools: [createTool('a'), createTool('b')],
  resources: [{ uri: 'file:///a', name: 'a' }],
  templates: [{ uriTemplate: 'file:///{x}', name: 't' }],
  prompts: [{ name: 'p' }],
  instructions: 'Use a before b.',
}

function recordChanges(upstream: ReturnType<typeof createHarness>['upstream']) {
  const changes: (readonly string[])[] = []
  upstream.onCatalogChange((parts) => changes.push(parts))
  return changes
}

describe('the catalog of a server', () => {
  it('is read whole when the server starts, unknown members included', async () => {
    const { start, upstream } = createHarness({
      server: { ...LISTS, tools: [createTool('a', { 'x-own': { deep: [1] }, title: 'A' })] },
    })
    const changes = recordChanges(upstream)
    await start()
    expect(upstream.catalog()).toEqual({
      tools: [{ name: 'a', inputSchema: { type: 'object' }, 'x-own': { deep: [1] }, title: 'A' }],
      resources: LISTS.resources,
      templates: LISTS.templates,
      prompts: LISTS.prompts,
      instructions: LISTS.instructions,
      capabilities: LISTS.capabilities,
    })
    expect(changes).toEqual([['tools', 'resources', 'prompts']])
    expect(upstream.status()).toMatchObject({ tools: 1, resources: 1, prompts: 1, stale: false })
  })

  it('is read only where the server offers it', async () => {
    const { start, server } = createHarness({ server: { capabilities: { prompts: {} } } })
    await start()
    expect(server.current.requests('tools/list')).toEqual([])
    expect(server.current.requests('resources/list')).toEqual([])
    expect(server.current.requests('prompts/list')).toHaveLength(1)
  })

  it('is read page by page to the end', async () => {
    const { start, server, upstream } = createHarness({
      server: {
        on: {
          'tools/list': ({ cursor }) => {
            const page = Number(cursor ?? 0)
            return { tools: [createTool(`t${page}`)], ...(page < 7 ? { nextCursor: String(page + 1) } : {}) }
          },
        },
      },
    })
    await start()
    expect(upstream.catalog().tools.map(({ name }) => name)).toEqual(Array.from({ length: 8 }, (_, page) => `t${page}`))
    expect(server.current.requests('tools/list')[0]?.params).toEqual({})
  })

  it('ends at an empty cursor', async () => {
    const { start, server } = createHarness({
      server: { on: { 'tools/list': () => ({ tools: [createTool('a')], nextCursor: '' }) } },
    })
    await start()
    expect(server.current.requests('tools/list')).toHaveLength(1)
  })

  it.each([
    ['pages that run in a circle', { tools: [], nextCursor: 'same' }, 'run in a circle'],
    ['an answer that holds no list', { tools: 'none' }, 'holds no list "tools"'],
    ['an answer that lacks it', {}, 'holds no list "tools"'],
  ])('fails the start with %s', async (_what, answer, reason) => {
    const { start, upstream } = createHarness({ server: { on: { 'tools/list': () => answer } } })
    await start()
    expect(upstream.status()).toMatchObject({ state: 'starting', reason: expect.stringContaining(reason) })
  })

  it('leaves out what could not be called at all and keeps the rest', async () => {
    const { start, upstream } = createHarness({
      server: {
        on: {
          'tools/list': () => ({
            tools: [createTool('good'), { name: 'no schema' }, { inputSchema: {} }, 'text', null, { name: 5 }],
          }),
        },
      },
    })
    await start()
    expect(upstream.catalog().tools.map(({ name }) => name)).toEqual(['good'])
  })

  it('holds a name once, as it was listed first, on whichever page', async () => {
    const pages = [
      { tools: [createTool('a', { title: 'first' }), createTool('a', { title: 'second' })], nextCursor: 'next' },
      { tools: [createTool('b'), createTool('a', { title: 'third' })] },
    ]
    const { start, upstream } = createHarness({
      server: { on: { 'tools/list': ({ cursor }) => pages[cursor === undefined ? 0 : 1] ?? {} } },
    })
    await start()
    expect(upstream.catalog().tools).toEqual([createTool('a', { title: 'first' }), createTool('b')])
  })

  it('does without templates where the server knows none', async () => {
    const { start, upstream } = createHarness({
      server: {
        ...LISTS,
        on: { 'resources/templates/list': () => ({ error: { code: -32601, message: 'Method not found' } }) },
      },
    })
    await start()
    expect(upstream.status().state).toBe('ready')
    expect(upstream.catalog().templates).toEqual([])
  })

  it.each(['resources/list', 'prompts/list'])(
    'does without %s where a server declares what it does not know',
    async (method) => {
      const { start, upstream } = createHarness({ server: { ...LISTS, on: { [method]: () => METHOD_NOT_FOUND } } })
      await start()
      expect(upstream.status()).toMatchObject({ state: 'ready', tools: 2 })
    },
  )

  it('is not taken for empty when the tools cannot be read', async () => {
    const { start, upstream } = createHarness({ server: { ...LISTS, on: { 'tools/list': () => METHOD_NOT_FOUND } } })
    await start()
    expect(upstream.status().state).toBe('starting')
  })

  it('keeps a denied tool from being called, not only from being seen', async () => {
    const { start, server, upstream } = createHarness({
      server: { tools: ['read', 'write'].map((name) => createTool(name)) },
      config: { tools: { allow: [], deny: ['write'], rename: {}, prefix: 'fake' } },
    })
    await start()
    await expect(upstream.request('tools/call', { name: 'write' }, createCall())).rejects.toMatchObject({
      code: 'unknown_tool',
      executed: false,
    })
    expect(server.current.requests('tools/call')).toEqual([])
  })

  it('is filtered by the rules, deny over allow, also after a change', async () => {
    const tools = ['read', 'read_secret', 'write'].map((name) => createTool(name))
    const { start, settle, server, upstream } = createHarness({
      server: { tools },
      config: { tools: { allow: ['read*'], deny: ['*secret*'], rename: {}, prefix: 'fake' } },
    })
    await start()
    expect(upstream.catalog().tools.map(({ name }) => name)).toEqual(['read'])
    server.script.tools = [...tools, createTool('read_more'), createTool('read_secret_too')]
    server.current.simulateNotification('notifications/tools/list_changed')
    await settle()
    expect(upstream.catalog().tools.map(({ name }) => name)).toEqual(['read', 'read_more'])
  })
})

describe('a list that changes', () => {
  it('is read again once for a burst of announcements, and announced once', async () => {
    const { start, settle, server, upstream } = createHarness({ server: LISTS })
    await start()
    const changes = recordChanges(upstream)
    server.script.tools = [createTool('c')]
    for (let index = 0; index < 50; index++) server.current.simulateNotification('notifications/tools/list_changed')
    await settle()
    expect(server.current.requests('tools/list').length).toBeLessThanOrEqual(3)
    expect(changes).toEqual([['tools']])
    expect(upstream.catalog().tools.map(({ name }) => name)).toEqual(['c'])
  })

  it('is read once more when it changes while it is read, so that the last word counts', async () => {
    const { start, settle, server, upstream } = createHarness({ server: LISTS })
    await start()
    server.script.on = { 'tools/list': hold }
    server.current.simulateNotification('notifications/tools/list_changed')
    const reading = await server.current.waitFor('tools/list', 2)
    server.current.simulateNotification('notifications/tools/list_changed')
    server.script.on = {}
    server.script.tools = [createTool('newest')]
    server.current.simulateResult(reading.id, { tools: [createTool('older')] })
    await settle()
    expect(upstream.catalog().tools.map(({ name }) => name)).toEqual(['newest'])
  })

  it('is announced once for each announcement of the server, also when it reads the same as before', async () => {
    const { start, settle, server, upstream, cache } = createHarness({ server: LISTS })
    await start()
    const changes = recordChanges(upstream)
    const { tools } = upstream.catalog()
    const { saves } = cache
    server.script.tools = structuredClone(LISTS.tools)
    for (const part of ['tools', 'resources', 'prompts'])
      server.current.simulateNotification(`notifications/${part}/list_changed`)
    await settle()
    expect(changes.flat().sort()).toEqual(['prompts', 'resources', 'tools'])
    expect(upstream.catalog().tools).toBe(tools)
    expect(cache.saves).toBe(saves)
    server.current.simulateNotification('notifications/tools/list_changed')
    await settle()
    expect(changes.flat().sort()).toEqual(['prompts', 'resources', 'tools', 'tools'])
  })

  it('while it is read for the first time is read again', async () => {
    const { settle, server, upstream } = createHarness({ server: { ...LISTS, on: { 'tools/list': hold } } })
    upstream.start()
    await settle()
    const reading = await server.current.waitFor('tools/list')
    server.current.simulateNotification('notifications/tools/list_changed')
    server.script.on = {}
    server.script.tools = [createTool('newest')]
    server.current.simulateResult(reading.id, { tools: [createTool('older')] })
    await settle()
    expect(upstream.catalog().tools.map(({ name }) => name)).toEqual(['newest'])
  })

  it('is announced for resources when a template changed', async () => {
    const { start, settle, server, upstream } = createHarness({ server: LISTS })
    await start()
    const changes = recordChanges(upstream)
    server.script.templates = []
    server.current.simulateNotification('notifications/resources/list_changed')
    await settle()
    expect(changes).toEqual([['resources']])
  })

  it('stays as it was when it cannot be read, and other lists that changed meanwhile are read all the same', async () => {
    const { start, settle, server, upstream, logged } = createHarness({ server: LISTS })
    await start()
    server.script.on = { 'tools/list': hold }
    server.current.simulateNotification('notifications/tools/list_changed')
    const reading = await server.current.waitFor('tools/list', 2)
    server.script.prompts = [{ name: 'new' }]
    server.current.simulateNotification('notifications/prompts/list_changed')
    server.current.simulateMessage({ jsonrpc: '2.0', id: reading.id, error: { code: -32603, message: 'broken' } })
    await settle()
    expect(upstream.catalog().tools).toHaveLength(2)
    expect(logged('pool.catalog')).toMatchObject([{ level: 'warn' }])
    expect(upstream.catalog().prompts).toEqual([{ name: 'new' }])
  })
})

describe('the catalog of a server that is down', () => {
  it('stays listed and is marked stale', async () => {
    const { start, clock, server, upstream } = createHarness({ server: LISTS })
    await start()
    server.script.failsToOpen = EXITED
    server.current.simulateExit()
    await clock.advanceAsync(5000)
    expect(upstream.status()).toMatchObject({ state: 'backoff', stale: true, tools: 2 })
    expect(upstream.catalog().tools).toHaveLength(2)
  })

  it('is read again after the restart; unchanged tools keep their identity and nobody is told', async () => {
    const { start, settle, server, upstream } = createHarness({ server: LISTS })
    await start()
    const changes = recordChanges(upstream)
    const { tools } = upstream.catalog()
    server.script.tools = structuredClone(LISTS.tools)
    server.current.simulateExit()
    await settle()
    expect(upstream.status()).toMatchObject({ state: 'ready', stale: false, restarts: 1 })
    expect(upstream.catalog().tools).toBe(tools)
    expect(changes).toEqual([])
  })

  it('is announced as changed when it is another one after the restart', async () => {
    const { start, settle, server, upstream } = createHarness({ server: LISTS })
    await start()
    const changes = recordChanges(upstream)
    server.script.tools = [createTool('a')]
    server.current.simulateExit()
    await settle()
    expect(changes).toEqual([['tools']])
  })

  it('never makes an empty success of a call', async () => {
    const { start, clock, server, callTool } = createHarness({ server: LISTS, config: { restartWait: 100 } })
    await start()
    server.script.failsToOpen = EXITED
    server.current.simulateExit()
    await clock.advanceAsync(5000)
    expect(await failureOf(callTool('a'))).toBeInstanceOf(SwitchboardError)
  })
})

describe('the arguments of a call', () => {
  const strict = createTool('strict', {
    inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  })

  it('are checked before anything is sent', async () => {
    const { start, server, callTool } = createHarness({ server: { tools: [strict] }, config: { validate: true } })
    await start()
    const error = await failureOf(callTool('strict', { path: 5 }))
    expect(error).toMatchObject({
      code: 'invalid_arguments',
      executed: false,
      details: { server: 'fake', tool: 'strict', fields: [{ field: 'path', problem: 'must be a string, not 5' }] },
      message: 'The arguments of strict are wrong: path must be a string, not 5',
    })
    expect(server.current.requests('tools/call')).toEqual([])
    await expect(callTool('strict', { path: 'x' })).resolves.toBeDefined()
  })

  it('are not checked where that is turned off', async () => {
    const { start, callTool } = createHarness({ server: { tools: [strict] } })
    await start()
    await expect(callTool('strict', { path: 5 })).resolves.toBeDefined()
  })

  it('are checked against the live schema, not the remembered one, while the server is still starting', async () => {
    const { callTool, upstream, server } = createHarness({
      server: { tools: [createTool('strict')] },
      config: { validate: true, start: 'lazy' },
      learned: {
        era: 'legacy',
        catalog: { tools: [strict], resources: [], templates: [], prompts: [], instructions: '', capabilities: {} },
      },
    })
    expect(upstream.catalog().tools).toEqual([strict])
    await expect(callTool('strict', { path: 5 })).resolves.toBeDefined()
    expect(server.starts).toHaveLength(1)
  })

  it('and results pass unchanged, unknown members included', async () => {
    const answer = { content: [{ type: 'x-new', blob: [1, { a: null }] }], 'x-own': { deep: true }, _meta: { k: 1 } }
    const { start, server, upstream } = createHarness({ server: { on: { 'tools/call': () => answer } } })
    await start()
    const params = {
      name: 'any',
      arguments: { a: [1] },
      'x-param': { b: 2 },
      _meta: { own: 'kept', progressToken: 99 },
    }
    await expect(upstream.request('tools/call', params, createCall())).resolves.toEqual(answer)
    const sent = server.current.requests('tools/call')[0]?.params
    expect(sent).toMatchObject({ name: 'any', arguments: { a: [1] }, 'x-param': { b: 2 }, _meta: { own: 'kept' } })
    expect(sent?._meta).not.toHaveProperty('progressToken')
    expect(params._meta).toEqual({ own: 'kept', progressToken: 99 })
  })
})
