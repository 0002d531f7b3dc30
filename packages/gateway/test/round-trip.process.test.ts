/** What no revision names passes through untouched, in all four combinations of eras and in both directions. */
import { join } from 'node:path'
import { McpPool } from '@switchboard/pool'
import {
  createLeakCheck,
  createTemporaryDirectory,
  type FixtureScript,
  fixtureCommand,
  startRemoteFixture,
  waitForJournal,
} from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectRawAgent, type Json, type RawAgent } from './helpers/raw-agent.ts'
import { startGateway } from './helpers/start-gateway.ts'

const leaks = createLeakCheck()
beforeAll(() => leaks.begin())
afterAll(() => leaks.check())

const STRANGE = {
  'x-flag': false,
  'x-nothing': null,
  'x-list': [1, 'two', null, { three: [] }],
  'x-numbers': [0.1, -1e-7, 1e21, 9_007_199_254_740_991],
  'x-text': 'é\u2028😀\u0000 "quoted" \\ / </script>',
  'x-object': { '': 'empty key', nested: { deep: { deeper: {} } } },
}

const DEFINITION = {
  title: 'A strange tool',
  annotations: { readOnlyHint: true, 'vendor.example/hint': STRANGE },
  icons: [{ src: 'data:image/png;base64,AA==', sizes: ['48x48'], theme: 'dark', ...STRANGE }],
  outputSchema: { type: 'object', $defs: { a: { $anchor: 'a' } }, 'x-schema': STRANGE },
  _meta: { 'vendor.example/tool': STRANGE, ui: { resourceUri: 'ui://app/main.html' } },
  ...STRANGE,
}
const INPUT_SCHEMA = { type: 'object', unevaluatedProperties: true, $comment: 'kept', 'x-schema': STRANGE }
const SCRIPTED_RESULT = {
  content: [
    { type: 'hologram', frames: [1, 2, 3], ...STRANGE },
    { type: 'text', text: 'known', annotations: { audience: ['user'], ...STRANGE }, _meta: STRANGE, ...STRANGE },
    { type: 'resource_link', uri: 'x://y', name: 'y', ...STRANGE },
  ],
  structuredContent: { any: STRANGE },
  _meta: { 'vendor.example/trace': STRANGE },
  ...STRANGE,
}
const READ_RESULT = {
  contents: [{ uri: 'fixture://text', mimeType: 'text/x-strange', text: '', _meta: STRANGE, ...STRANGE }],
  _meta: { 'vendor.example/read': STRANGE },
  ...STRANGE,
}
const PROMPT_RESULT = {
  messages: [{ role: 'narrator', content: { type: 'hologram', ...STRANGE }, ...STRANGE }],
  ...STRANGE,
}
const COMPLETION = { completion: { values: ['one'], ...STRANGE }, ...STRANGE }
const CAPABILITIES = {
  experimental: { 'vendor.example/experiment': STRANGE },
  extensions: { 'vendor.example/extension': STRANGE },
  'vendor.example/capability': STRANGE,
}

const ERAS = ['legacy', 'modern'] as const
const COMBINATIONS = ERAS.flatMap((agentEra) =>
  ERAS.flatMap((serverEra) => (['stdio', 'http'] as const).map((transport) => ({ agentEra, serverEra, transport }))),
)

describe.each(COMBINATIONS)('between a $agentEra agent and a $serverEra server over $transport', (combination) => {
  const { agentEra, serverEra, transport } = combination
  const stack = new AsyncDisposableStack()
  let agent: RawAgent
  let journal: string

  beforeAll(async () => {
    const directory = stack.use(await createTemporaryDirectory('round-trip'))
    journal = join(directory.path, 'journal.ndjson')
    // A modern server's results carry what its era requires; the gateway adds it for the others.
    const complete = serverEra === 'modern' ? { resultType: 'complete' } : {}
    const script: FixtureScript = {
      era: serverEra,
      journal,
      capabilities: CAPABILITIES,
      tools: [{ name: 'odd', inputSchema: INPUT_SCHEMA, more: DEFINITION, result: SCRIPTED_RESULT }],
      on: {
        'resources/read': { do: 'result', result: { ...complete, ...READ_RESULT } },
        'prompts/get': { do: 'result', result: { ...complete, ...PROMPT_RESULT } },
        'completion/complete': { do: 'result', result: { ...complete, ...COMPLETION } },
      },
    }
    const tools = { prefix: false } as const
    const server =
      transport === 'stdio'
        ? { ...fixtureCommand(script), tools }
        : { type: 'http' as const, url: stack.use(await startRemoteFixture(script, 'http')).url, tools }
    const pool = new McpPool({ mcpServers: { fx: server } }, { timings: { eraProbeTimeout: 20_000 } })
    stack.defer(() => pool.close())
    pool.start()
    await pool.ready()
    expect(pool.status()).toMatchObject([{ state: 'ready', era: serverEra }])
    const gateway = stack.use(await startGateway(pool))
    agent = await connectRawAgent(agentEra, gateway.url)
  })

  afterAll(() => stack.disposeAsync())

  /** A result as it must arrive: all of it, and what the agent's era has besides. */
  function expected(result: Json, more: Json = {}): Json {
    if (agentEra === 'legacy') return result
    const serverInfo = { 'io.modelcontextprotocol/serverInfo': expect.anything() }
    return { resultType: 'complete', ...more, ...result, _meta: { ...(result._meta as Json), ...serverInfo } }
  }

  it('capabilities and extensions of the server arrive', () => {
    expect(agent.welcome.capabilities).toMatchObject(CAPABILITIES)
    expect((agent.welcome.capabilities as Json).extensions).toEqual(CAPABILITIES.extensions)
  })

  it('the definition of a tool arrives whole', async () => {
    const { result } = await agent.request('tools/list')
    const tools = (result as { tools: Json[] }).tools
    expect(tools.find(({ name }) => name === 'odd')).toEqual({
      name: 'odd',
      description: 'Declared by the script.',
      inputSchema: INPUT_SCHEMA,
      ...DEFINITION,
    })
  })

  it.each([
    ['tools/call', { name: 'odd', arguments: {} }, SCRIPTED_RESULT, {}],
    ['prompts/get', { name: 'greet', arguments: { name: 'Ada' } }, PROMPT_RESULT, {}],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'language', value: '' } },
      COMPLETION,
      {},
    ],
    ['resources/read', { uri: 'fixture://text' }, READ_RESULT, { ttlMs: 0, cacheScope: 'private' }],
  ])('the result of %s arrives whole', async (method, params, result, more) => {
    expect((await agent.request(method, params)).result).toEqual(expected(result, more))
  })

  it('the data of an error arrives whole', async () => {
    const given = { code: -32050, message: 'é', data: { ...STRANGE, list: [STRANGE] } }
    const { error } = await agent.request('tools/call', { name: 'rpc_error', arguments: given })
    expect(error).toEqual(given)
  })

  it('arguments, metadata and unknown parameters of a call arrive at the server', async () => {
    const meta = {
      'vendor.example/request': STRANGE,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    }
    const params = { name: 'odd', arguments: { given: STRANGE, ...STRANGE }, ...STRANGE, _meta: meta }
    await agent.request('tools/call', params)
    const { message } = await waitForJournal(
      journal,
      (entry) => entry.message?.method === 'tools/call' && 'x-flag' in (entry.message.params ?? {}),
    )
    const { _meta, ...rest }: Json = message?.params ?? {}
    const { _meta: _, ...given } = params
    expect(rest).toEqual(given)
    expect(_meta).toMatchObject({
      'vendor.example/request': STRANGE,
      traceparent: expect.stringContaining('0af7651916cd'),
    })
  })

  it('a question and its answer arrive whole', async () => {
    const answer = {
      role: 'assistant',
      model: 'm',
      content: { type: 'hologram', ...STRANGE },
      _meta: STRANGE,
      ...STRANGE,
    }
    const questions: Json[] = []
    const { result } = await agent.request(
      'tools/call',
      { name: 'ask', arguments: { kind: 'sampling', message: STRANGE['x-text'] } },
      (question) => {
        questions.push(question)
        return answer
      },
    )
    expect(questions).toMatchObject([
      {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: STRANGE['x-text'] } }], maxTokens: 100 },
      },
    ])
    expect((result as Json).structuredContent).toEqual({ answers: [answer] })
  })

  it('a modern server sees the extensions that the agent declares', async () => {
    const { result } = await agent.request('tools/call', { name: 'whoami', arguments: {} })
    const seen = (result as { structuredContent: Json }).structuredContent
    expect(seen.era).toBe(serverEra)
    if (serverEra === 'modern') {
      expect(seen.capabilities).toMatchObject({ extensions: { 'vendor.example/agent': { on: true } } })
    }
  })
})

describe('tasks between a modern agent and a modern server', () => {
  const stack = new AsyncDisposableStack()
  afterAll(() => stack.disposeAsync())

  it('are made, looked at and cancelled, whole', async () => {
    const task = {
      resultType: 'task',
      taskId: 'task-1',
      status: 'working',
      createdAt: '2026-07-28T00:00:00Z',
      lastUpdatedAt: '2026-07-28T00:00:00Z',
      ttlMs: 60_000,
      ...STRANGE,
    }
    const done = { ...task, resultType: 'complete', status: 'completed', result: { content: [], ...STRANGE } }
    const script: FixtureScript = {
      era: 'modern',
      capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
      tools: [{ name: 'job', result: task }],
      on: {
        'tasks/get': { do: 'result', result: done },
        'tasks/cancel': { do: 'result', result: { resultType: 'complete' } },
      },
    }
    // Another one in front, so that a task has to be routed to the server that made it.
    const pool = new McpPool(
      { mcpServers: { other: fixtureCommand({ era: 'modern' }), fx: fixtureCommand(script) } },
      { timings: { eraProbeTimeout: 20_000 } },
    )
    stack.defer(() => pool.close())
    pool.start()
    await pool.ready()
    const agent = await connectRawAgent('modern', stack.use(await startGateway(pool)).url)
    expect(agent.welcome.capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } })
    expect((await agent.request('tools/call', { name: 'fx_job', arguments: {} })).result).toMatchObject(task)
    expect(await agent.request('tasks/get', { taskId: 'task-1' })).toMatchObject({ result: done })
    expect((await agent.request('tasks/cancel', { taskId: 'task-1' })).result).toMatchObject({ resultType: 'complete' })
    expect(await agent.request('tasks/get', { taskId: 'nobody-knows' })).not.toHaveProperty('result')
  })
})

/** Writes what it reads: a server in JavaScript that parsed it would itself be what changes numbers. */
const VERBATIM = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const say = (rest) => id === undefined || process.stdout.write('{"jsonrpc":"2.0","id":' + id + ',' + rest + '}\\n')
    if (method === 'initialize')
      say('"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"v","version":"1"}}')
    else if (method === 'tools/list')
      say('"result":{"tools":[{"name":"echo","inputSchema":{"properties":{"id":{"maximum":9223372036854775807}}}}]}')
    else if (method === 'tools/call')
      say('"result":{"content":[],"structuredContent":' + /"arguments":([^}]*})/.exec(line)[1] + '}')
    else say('"error":{"code":-32601,"message":"Method not found"}')
  })
`

describe('integers of 64 bits', () => {
  it('keep every digit on their way to a server and back, in definitions, arguments and results', async () => {
    await using stack = new AsyncDisposableStack()
    const pool = new McpPool({ mcpServers: { v: { command: process.execPath, args: ['-e', VERBATIM] } } })
    stack.defer(() => pool.close())
    pool.start()
    await pool.ready()
    const { url } = stack.use(await startGateway(pool))
    const ask = async (method: string, params: string) => {
      const version = '2026-07-28'
      const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"${version}","io.modelcontextprotocol/clientCapabilities":{}}`
      const headers = {
        'content-type': 'application/json',
        'mcp-protocol-version': version,
        'mcp-method': method,
        ...(method === 'tools/call' ? { 'mcp-name': 'v_echo' } : {}),
      }
      const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params}${meta}}}`
      return (await fetch(url, { method: 'POST', headers, body })).text()
    }
    expect(await ask('tools/list', '')).toContain('{"id":{"maximum":9223372036854775807}}')
    const args = '{"id":1790000000000000001,"list":[-9223372036854775808]}'
    expect(await ask('tools/call', `"name":"v_echo","arguments":${args},`)).toContain(`"structuredContent":${args}`)
  })
})
