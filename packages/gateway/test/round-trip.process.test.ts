/** What no revision names passes through untouched, in all four combinations of eras and in both directions. */
import { join } from 'node:path'
import { McpPool } from '@switchboard/pool'
import type { JsonObject } from '@switchboard/protocol'
import {
  createLeakCheck,
  createTemporaryDirectory,
  type FixtureScript,
  fixtureCommand,
  startRemoteFixture,
  waitForJournal,
} from '@switchboard/testkit'
import { connectAgent, ERAS, type HttpAgent } from '@switchboard/testkit/http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
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

/** What the agent says of itself. */
const AGENT = {
  capabilities: {
    sampling: {},
    elicitation: { form: {} },
    roots: {},
    extensions: { 'vendor.example/agent': { on: true }, 'io.modelcontextprotocol/tasks': {} },
  },
}

const COMBINATIONS = ERAS.flatMap((agentEra) =>
  ERAS.flatMap((serverEra) => (['stdio', 'http'] as const).map((transport) => ({ agentEra, serverEra, transport }))),
)

describe.each(COMBINATIONS)('between a $agentEra agent and a $serverEra server over $transport', (combination) => {
  const { agentEra, serverEra, transport } = combination
  const stack = new AsyncDisposableStack()
  let agent: HttpAgent
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
    agent = await connectAgent(agentEra, gateway.url, AGENT)
    stack.defer(() => agent.close())
  })

  afterAll(() => stack.disposeAsync())

  /** A result as it must arrive: all of it, and what the agent's era has besides. */
  function expected(result: JsonObject, more: JsonObject = {}): JsonObject {
    if (agentEra === 'legacy') return result
    const serverInfo = { 'io.modelcontextprotocol/serverInfo': expect.anything() }
    return { resultType: 'complete', ...more, ...result, _meta: { ...(result._meta as JsonObject), ...serverInfo } }
  }

  it('capabilities and extensions of the server arrive', async () => {
    const { capabilities } = await agent.welcome()
    expect(capabilities).toMatchObject(CAPABILITIES)
    expect((capabilities as JsonObject).extensions).toEqual(CAPABILITIES.extensions)
  })

  it('the definition of a tool arrives whole', async () => {
    const { result } = await agent.request('tools/list')
    const tools = (result as { tools: JsonObject[] }).tools
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
    const { _meta, ...rest }: JsonObject = message?.params ?? {}
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
    const questions: JsonObject[] = []
    const { result } = await agent.request(
      'tools/call',
      { name: 'ask', arguments: { kind: 'sampling', message: STRANGE['x-text'] } },
      {
        answer: (question) => {
          questions.push(question)
          return answer
        },
      },
    )
    expect(questions).toMatchObject([
      {
        method: 'sampling/createMessage',
        params: { messages: [{ role: 'user', content: { type: 'text', text: STRANGE['x-text'] } }], maxTokens: 100 },
      },
    ])
    expect((result as JsonObject).structuredContent).toEqual({ answers: [answer] })
  })

  it('a modern server sees the extensions that the agent declares', async () => {
    const { result } = await agent.request('tools/call', { name: 'whoami', arguments: {} })
    const seen = (result as { structuredContent: JsonObject }).structuredContent
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
    const agent = await connectAgent('modern', stack.use(await startGateway(pool)).url, AGENT)
    stack.defer(() => agent.close())
    expect((await agent.welcome()).capabilities).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } })
    const made = (await agent.request('tools/call', { name: 'fx_job', arguments: {} })).result
    const { taskId } = made as { taskId: string }
    expect(made).toMatchObject({ ...task, taskId: expect.not.stringContaining('task-1') })
    expect((await agent.request('tasks/get', { taskId })).message).toMatchObject({ result: { ...done, taskId } })
    expect((await agent.request('tasks/cancel', { taskId })).result).toMatchObject({ resultType: 'complete' })
    expect((await agent.request('tasks/get', { taskId: 'task-1' })).message).not.toHaveProperty('result')
    expect((await agent.request('tasks/get', { taskId: 'nobody-knows' })).message).not.toHaveProperty('result')
  })
})

/**
 * Writes what it reads: a server in JavaScript that parsed it would itself be what changes numbers. Its lines begin with a byte
 * order mark, as those of some programs do, and it reports progress.
 */
const VERBATIM = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    const write = (rest) => process.stdout.write('\\ufeff{"jsonrpc":"2.0",' + rest + '}\\n')
    const say = (rest) => id === undefined || write('"id":' + id + ',' + rest)
    const token = params?._meta?.progressToken
    if (token !== undefined)
      write('"method":"notifications/progress","params":{"progress":1,"progressToken":' + token + '}')
    if (method === 'initialize')
      say('"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"v","version":"1"}}')
    else if (method === 'tools/list')
      say('"result":{"tools":[{"name":"echo","inputSchema":{"properties":{"id":{"maximum":9223372036854775807}}}},' +
        '{"name":"bad","inputSchema":{}}]}')
    else if (method === 'tools/call' && params.name === 'bad') say(params.arguments.answer)
    else if (method === 'tools/call')
      say('"result":{"content":[],"structuredContent":' + /"arguments":([^}]*})/.exec(line)[1] + '}')
    else say('"error":{"code":-32601,"message":"Method not found"}')
  })
`

describe('what JavaScript has no number for, and what is no answer', () => {
  const stack = new AsyncDisposableStack()
  let url: string

  beforeAll(async () => {
    const pool = new McpPool({ mcpServers: { v: { command: process.execPath, args: ['-e', VERBATIM] } } })
    stack.defer(() => pool.close())
    pool.start()
    await pool.ready()
    url = stack.use(await startGateway(pool)).url
  })

  afterAll(() => stack.disposeAsync())

  const ask = async (method: string, params: string, { id = '1', token = '' } = {}) => {
    const version = '2026-07-28'
    const progress = token === '' ? '' : `"progressToken":${token},`
    const meta = `"_meta":{${progress}"io.modelcontextprotocol/protocolVersion":"${version}","io.modelcontextprotocol/clientCapabilities":{}}`
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(method === 'tools/call' ? { 'mcp-name': /"name":"(\w+)"/.exec(params)?.[1] ?? '' } : {}),
    }
    const body = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":{${params}${meta}}}`
    return (await fetch(url, { method: 'POST', headers, body })).text()
  }

  it('keeps every digit on its way to a server and back, in definitions, arguments and results', async () => {
    expect(await ask('tools/list', '')).toContain('{"id":{"maximum":9223372036854775807}}')
    const args = '{"id":1790000000000000001,"list":[-9223372036854775808,1e400]}'
    expect(await ask('tools/call', `"name":"v_echo","arguments":${args},`)).toContain(`"structuredContent":${args}`)
  })

  it('keeps every digit of ids and progress tokens', async () => {
    const [id, token] = ['9007199254740993', '9007199254740995']
    const answer = await ask('tools/call', '"name":"v_echo","arguments":{"a":1},', { id, token })
    expect(answer).toContain(`"id":${id}`)
    expect(answer).toContain(`"progressToken":${token}`)
    expect(await ask('tools/call', '"name":"v_echo"', { id })).not.toContain('9007199254740992')
  })

  it.each(['"result":null', '"result":[]', '"result":"text"', '"error":"text"', '"error":null'])(
    'fails a call at once that is answered with %s',
    async (answer) => {
      const args = JSON.stringify({ answer })
      const failed = await ask('tools/call', `"name":"v_bad","arguments":${args},`)
      expect(failed).toContain('[bad_response]')
    },
  )
})
