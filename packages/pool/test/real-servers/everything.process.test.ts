/** The reference server that uses every feature of the protocol, over each transport it offers. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { AskRequest, AskRequests, AskResponses, JsonObject, LogEntry } from '@switchboard/protocol'
import { createMemoryLogger, type MemoryLogger } from '@switchboard/telemetry'
import { createLeakCheck, waitFor } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServerInput } from '../../src/config/server-fields.ts'
import type { PoolEvent } from '../../src/events.ts'
import { McpPool } from '../../src/mcp-pool.ts'
import { connectDirectly, type DirectTarget } from './direct-client.ts'
import { everythingCommand, type RemoteServer, startRemoteEverything } from './real-servers.ts'

const ROOTS = [{ uri: 'file:///tmp/first', name: 'First' }, { uri: 'file:///tmp/second' }]

/** The one user of the pool: has roots, and answers nothing else. */
async function answerRoots(requests: AskRequests): Promise<AskResponses> {
  return answerEach(requests, ({ method }) => {
    if (method !== 'roots/list') throw new Error(`not expected outside of a call: ${method}`)
    return { roots: ROOTS }
  })
}

function answerEach(requests: AskRequests, answer: (request: AskRequest) => JsonObject): AskResponses {
  return Object.fromEntries(Object.entries(requests).map(([key, request]) => [key, answer(request)]))
}

interface Target {
  readonly entry: ServerInput
  readonly direct: DirectTarget
  readonly remote?: RemoteServer
}

async function openTarget(transport: 'stdio' | 'http' | 'sse'): Promise<Target> {
  if (transport === 'stdio') return { entry: everythingCommand(), direct: everythingCommand() }
  const remote = await startRemoteEverything(transport === 'http' ? 'streamableHttp' : 'sse')
  const { url } = remote
  return { entry: { type: transport, url }, direct: { url, type: transport }, remote }
}

describe.each(['stdio', 'http', 'sse'] as const)('server-everything over %s', (transport) => {
  const leaks = createLeakCheck()
  let target: Target
  let pool: McpPool
  let direct: Client
  let log: MemoryLogger
  let events: PoolEvent[]

  beforeAll(async () => {
    await leaks.begin()
    target = await openTarget(transport)
    log = createMemoryLogger()
    events = []
    pool = new McpPool({ mcpServers: { all: target.entry } }, { log, ask: answerRoots })
    pool.onDidChange((event) => events.push(event))
    pool.start()
    await pool.ready()
    // It adds the tools that need a client's feature only after the handshake.
    await waitFor(() => pool.tools().some(({ own }) => own === 'trigger-sampling-request'))
    direct = await connectDirectly(target.direct, { roots: ROOTS, offersAll: true })
  })

  afterAll(async () => {
    await direct?.close()
    await pool?.close()
    await target?.remote?.stop()
    await leaks.check()
  })

  it('is recognised as legacy, with its own name and version', () => {
    expect(pool.status()).toMatchObject([
      { state: 'ready', transport, era: 'legacy', restarts: 0, serverInfo: { name: 'mcp-servers/everything' } },
    ])
  })

  it('lists the same tools as to a direct client, under exposed names', async () => {
    const { tools } = await direct.listTools()
    const exposed = pool.tools()
    const own = exposed.map(({ server: _server, stale: _stale, own: name, name: _name, ...rest }) => ({
      ...rest,
      name,
    }))
    const byName = (a: { name: string }, b: { name: string }): number => a.name.localeCompare(b.name)
    expect(own.sort(byName)).toEqual(tools.sort(byName))
    expect(exposed.every(({ name, own }) => name === `all_${own}`)).toBe(true)
  })

  it.each([
    ['text', 'echo', { message: 'Grüße, 世界 👋' }],
    ['numbers', 'get-sum', { a: 2.5, b: -7 }],
    ['an image', 'get-tiny-image', {}],
    ['annotations', 'get-annotated-message', { messageType: 'error', includeImage: true }],
    ['structured content', 'get-structured-content', { location: 'Chicago' }],
    ['resource links', 'get-resource-links', { count: 4 }],
  ])('passes %s on exactly as a direct client gets it (%s)', async (_what, name, args) => {
    const expected = await direct.callTool({ name, arguments: args })
    expect(await pool.call(`all_${name}`, args)).toEqual(expected)
    expect(expected.content).not.toEqual([])
  })

  it("passes a tool's own failure on as a result, exactly as a direct client gets it", async () => {
    const args = { resourceType: 'Text', resourceId: -1 }
    const expected = await direct.callTool({ name: 'get-resource-reference', arguments: args })
    expect(expected.isError).toBe(true)
    expect(await pool.call('all_get-resource-reference', args)).toEqual(expected)
  })

  it('refuses arguments that do not fit the schema before the server sees them', async () => {
    await expect(pool.call('all_get-sum', { a: 1, b: 'two' })).rejects.toMatchObject({
      code: 'invalid_arguments',
      executed: false,
      details: { server: 'all', fields: [{ field: 'b', problem: 'must be a number, not "two"' }] },
    })
  })

  it('lists, reads and templates resources as a direct client sees them', async () => {
    const { resources } = await direct.listResources()
    expect(pool.resources().map(({ own }) => own)).toEqual(resources.map(({ uri }) => uri))
    const { resourceTemplates } = await direct.listResourceTemplates()
    expect(pool.templates().map(({ uriTemplate }) => uriTemplate)).toEqual(
      resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    )
    const uri = resources[0]?.uri ?? ''
    expect(await pool.readResource(uri)).toEqual(await direct.readResource({ uri }))
    const fromTemplate = await pool.readResource('demo://resource/dynamic/text/7')
    expect(fromTemplate.contents).toMatchObject([
      { uri: 'demo://resource/dynamic/text/7', mimeType: 'text/plain', text: expect.stringContaining('Resource 7:') },
    ])
  })

  it('gets prompts with and without arguments as a direct client does', async () => {
    const { prompts } = await direct.listPrompts()
    expect(pool.prompts().map(({ own }) => own)).toEqual(prompts.map(({ name }) => name))
    expect(await pool.getPrompt('all_simple-prompt')).toEqual(await direct.getPrompt({ name: 'simple-prompt' }))
    const args = { city: 'Zürich', state: 'ZH' }
    const expected = await direct.getPrompt({ name: 'args-prompt', arguments: args })
    expect(await pool.getPrompt('all_args-prompt', args)).toEqual(expected)
  })

  it('completes arguments of prompts and templates', async () => {
    const ofPrompt = await pool.complete(
      { type: 'ref/prompt', name: 'all_completable-prompt' },
      { name: 'department', value: 'S' },
    )
    expect(ofPrompt.completion.values).toEqual(['Sales', 'Support'])
    const ofTemplate = await pool.complete(
      { type: 'ref/resource', uri: 'demo://resource/dynamic/text/{resourceId}' },
      { name: 'resourceId', value: '12' },
    )
    expect(ofTemplate.completion.values).toEqual(['12'])
  })

  it('announces updates of a subscribed resource, and of no other', async () => {
    const uri = 'demo://resource/dynamic/text/1'
    await pool.request('all', 'resources/subscribe', { uri })
    await pool.call('all_toggle-subscriber-updates')
    await waitFor(() => events.some(({ type }) => type === 'resource_updated'), { what: 'an update' })
    await pool.call('all_toggle-subscriber-updates')
    await pool.request('all', 'resources/unsubscribe', { uri })
    const updates = events.filter((event) => event.type === 'resource_updated')
    expect(new Set(updates.map((event) => event.uri))).toEqual(new Set([uri]))
    expect(updates[0]).toMatchObject({ server: 'all', params: { uri } })
  })

  it("hands a server's log messages to the call they belong to, or to the server's log", async () => {
    const heard: LogEntry[] = []
    const uri = 'demo://resource/dynamic/text/2'
    await pool.request('all', 'resources/subscribe', { uri }, { onLog: (entry) => heard.push(entry) })
    const text = `Received Subscribe Resource request for URI: ${uri}`
    const isIt = (data: unknown): boolean => typeof data === 'string' && data.startsWith(text)
    await waitFor(() => heard.some(({ data }) => isIt(data)) || log.entries.some(({ msg }) => isIt(msg)))
    // On stdio nothing else can be in flight, so the call is known; it comes before the call's own answer.
    if (transport === 'stdio') expect(heard).toMatchObject([{ level: 'info', data: expect.stringContaining(uri) }])
    await pool.request('all', 'resources/unsubscribe', { uri })
  })

  it('delivers all progress of a long operation in order, before its result', async () => {
    const seen: unknown[] = []
    const result = await pool.call(
      'all_trigger-long-running-operation',
      { duration: 0.25, steps: 5 },
      { onProgress: ({ progress, total }) => seen.push([progress, total]) },
    )
    seen.push('result')
    expect(seen).toEqual([[1, 5], [2, 5], [3, 5], [4, 5], [5, 5], 'result'])
    expect(result.content).toMatchObject([{ text: expect.stringContaining('completed') }])
  })

  it('lets a server sample through the call that caused it', async () => {
    const asked: AskRequest[] = []
    const ask = async (requests: AskRequests): Promise<AskResponses> =>
      answerEach(requests, (request) => {
        // It asks for the roots too, a while after its start: that may be now.
        if (request.method === 'roots/list') return { roots: ROOTS }
        asked.push(request)
        return { role: 'assistant', model: 'none', content: { type: 'text', text: 'sampled here' } }
      })
    const result = await pool.call('all_trigger-sampling-request', { prompt: 'say hello', maxTokens: 12 }, { ask })
    expect(asked).toMatchObject([{ method: 'sampling/createMessage', params: { maxTokens: 12 } }])
    expect(result.content).toMatchObject([{ text: expect.stringContaining('sampled here') }])
  })

  it('lets a server elicit a form, and passes an answer and a refusal on', async () => {
    const asked: AskRequest[] = []
    const answerWith =
      (answer: JsonObject) =>
      async (requests: AskRequests): Promise<AskResponses> =>
        answerEach(requests, (request) => {
          asked.push(request)
          return answer
        })
    const accepted = await pool.call(
      'all_trigger-elicitation-request',
      {},
      { ask: answerWith({ action: 'accept', content: { name: 'Ada', integer: 7 } }) },
    )
    expect(JSON.stringify(accepted.content)).toContain('- Name: Ada')
    const declined = await pool.call('all_trigger-elicitation-request', {}, { ask: answerWith({ action: 'decline' }) })
    expect(JSON.stringify(declined.content)).toContain('User declined')
    expect(asked).toMatchObject([
      { method: 'elicitation/create', params: { requestedSchema: { required: ['name'] } } },
      { method: 'elicitation/create' },
    ])
  })

  it('lets the budget of a call stand still while its user is asked', async () => {
    const ask = async (requests: AskRequests): Promise<AskResponses> => {
      // Takes longer than the asking call may.
      await pool.call('all_trigger-long-running-operation', { duration: 3.3, steps: 1 })
      return answerEach(requests, () => ({ action: 'decline' }))
    }
    const result = await pool.call('all_trigger-elicitation-request', {}, { ask, timeout: 3000 })
    expect(JSON.stringify(result.content)).toContain('User declined')
  })

  it('passes a demand for URL elicitation on with its code and data', async () => {
    const args = { url: 'https://example.com/consent', errorPath: true }
    await expect(pool.call('all_trigger-url-elicitation', args)).rejects.toMatchObject({
      code: 'upstream_error',
      details: { rpc: { code: -32042, data: { elicitations: [{ mode: 'url' }] } } },
    })
  })

  it("tells it the roots of the pool's one user", async () => {
    const result = await pool.call('all_get-roots-list')
    expect(JSON.stringify(result.content)).toContain('Current MCP Roots (2 total)')
    expect(JSON.stringify(result.content)).toContain('file:///tmp/first')
  })

  it('cancels a long operation alone, and the same server goes on serving', async () => {
    const before = pool.status()[0]
    const giveUp = new AbortController()
    const call = pool.call(
      'all_trigger-long-running-operation',
      { duration: 30, steps: 300 },
      { signal: giveUp.signal, onProgress: () => giveUp.abort() },
    )
    await expect(call).rejects.toMatchObject({ code: 'cancelled', executed: 'unknown' })
    const result = await pool.call('all_echo', { message: 'still here' })
    expect(result.content).toEqual([{ type: 'text', text: 'Echo: still here' }])
    const after = pool.status()[0]
    expect(after).toMatchObject({ state: 'ready', restarts: 0, inFlight: 0 })
    expect(after?.pid).toBe(before?.pid)
  })
})
