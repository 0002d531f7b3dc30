/** Modes through a whole Switchboard: real servers, real conversations, the public SDKs' clients as agents. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { PassThrough } from 'node:stream'
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { ModeFiles, Switchboard } from '@switchboard/daemon'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { createAuditTrail, createMemoryLogger, silentLogger } from '@switchboard/telemetry'
import { LineAgent, programCommand, waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { type SwitchboardInput, switchboardFile } from '../../src/configuration/switchboard-file.ts'
import { useWorkbench, WITHOUT_PACKS } from '../helpers/workbench.ts'

const bench = useWorkbench()
/** In the order in which they are listed. */
const OWN_TOOLS = ['debug_get_logs', 'mode_get_instructions', 'mode_status', 'switchboard_status']
const ME = 'aaaa-000001'
const OTHER = 'bbbb-000002'

const MODES: SwitchboardInput['modes'] = {
  talk: { description: 'Only talks', tools: { allow: ['fx_echo'] }, instructions: 'Say it once.' },
  sums: { description: 'Only adds', tools: { allow: ['fx_add'] }, instructions: 'Add.' },
  boss: { description: 'Everything', approval: 'person', instructions: 'Mind what you do.' },
}

function configOf(rest: SwitchboardInput = {}): SwitchboardInput {
  return { mcpServers: { fx: bench.fixture('fx') }, modes: MODES, ...WITHOUT_PACKS, ...rest }
}

async function openSwitchboard(config: SwitchboardInput) {
  const log = createMemoryLogger({ level: 'info' })
  const trail = createAuditTrail({ directory: bench.home.file('traces'), inst: ME })
  const switchboard = await Switchboard.open({
    config: switchboardFile.check(config),
    serverInfo: { name: 'switchboard', version: '0.1.0' },
    log,
    openServerLog: () => silentLogger,
    cacheDirectory: bench.home.file('cache'),
    storeFile: bench.home.file('store.db'),
    serversDirectory: bench.home.file('servers'),
    tokensFile: bench.home.file('tokens.json'),
    secretsDirectory: bench.home.file('secrets'),
    home: {
      directory: bench.home.file('.'),
      logs: bench.home.file('logs'),
      modes: bench.home.file('modes'),
      trust: bench.home.file('trust'),
    },
    trailOf: () => trail,
  })
  bench.defer(() => trail.close())
  bench.defer(() => switchboard.close())
  switchboard.start({ isForAgents: true })
  await switchboard.pool.ready()
  return { switchboard, log, trail }
}

/** One agent on streams of its own, as a front's connection is. */
class WindowAgent {
  readonly agent: LineAgent

  constructor(switchboard: Switchboard, instance: string, transport = 'front') {
    const [input, output] = [new PassThrough(), new PassThrough()]
    this.agent = new LineAgent(output, input)
    const server = switchboard.serveStdio(input, output, { instance, transport, profile: 'default' })
    bench.defer(() => server.close('the test is over'))
  }

  get notifications(): string[] {
    return this.agent.notifications
  }

  initialize(): Promise<JsonObject> {
    return this.agent.initialize()
  }

  request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    return this.agent.request(method, params)
  }

  /** The text, or the code of the failure. */
  async call(name: string, args: JsonObject = {}): Promise<string> {
    const { result, error } = await this.request('tools/call', { name, arguments: args })
    if (!isJsonObject(result)) return JSON.stringify(error)
    const [block] = result.content as { text: string }[]
    return result.isError === true ? (/^\[(\w+)\]/.exec(block?.text ?? '')?.[1] ?? 'error') : (block?.text ?? '')
  }

  async toolNames(): Promise<string[]> {
    const { result } = await this.request('tools/list')
    return (result as { tools: { name: string }[] }).tools.map(({ name }) => name)
  }
}

async function converse(switchboard: Switchboard, instance: string, transport?: string): Promise<WindowAgent> {
  const conversation = new WindowAgent(switchboard, instance, transport)
  await conversation.initialize()
  return conversation
}

describe('two windows side by side', () => {
  // Both share one event loop, so a busy machine makes it long: 17 s, and over a minute beside two busy processes.
  it('never see each other’s mode: one flips it a thousand times, the other calls all the time', {
    timeout: 300_000,
  }, async () => {
    const { switchboard } = await openSwitchboard(configOf())
    const [calm, restless] = [await converse(switchboard, ME), await converse(switchboard, OTHER)]
    expect(await calm.call('fx_echo', { text: 'x' })).toBe('mode_required')
    await calm.call('mode_get_instructions', { mode: 'talk' })
    const person = new ModeFiles({ directory: bench.home.file('modes') })

    let isOver = false
    const outcomes = new Map<string, number>()
    const calling = (async () => {
      while (!isOver) {
        const [allowed, denied, mode] = await Promise.all([
          calm.call('fx_echo', { text: 'mine' }),
          calm.call('fx_add', { a: 1, b: 2 }),
          calm.call('mode_status'),
        ])
        const outcome = `${allowed} ${denied} ${mode.split('\n')[0]}`
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      }
    })()
    for (let flip = 0; flip < 1_000; flip++) {
      const mode = flip % 2 === 0 ? 'sums' : 'talk'
      // By the agent's own tool, by a person, and away.
      if (flip % 3 === 0) await restless.call('mode_get_instructions', { mode })
      else if (flip % 3 === 1) await person.set(OTHER, mode, 'person')
      else await person.clear(OTHER, 'person')
      const expected = flip % 3 === 2 ? 'mode_required' : mode === 'sums' ? '3' : 'mode_denied'
      expect(await restless.call('fx_add', { a: 1, b: 2 })).toBe(expected)
    }
    isOver = true
    await calling
    expect([...outcomes.keys()]).toEqual(['mine mode_denied Mode: talk'])
    expect(switchboard.modes?.read(ME)).toMatchObject({ mode: 'talk', setBy: 'agent' })
  })
})

describe('a mode', () => {
  it('is blank for a new window, survives its reconnection, and is told to who listens', async () => {
    const { switchboard, log } = await openSwitchboard(configOf())
    const changes: unknown[] = []
    switchboard.modes?.onDidChange((change) => changes.push(change))
    const first = await converse(switchboard, ME)
    const file = bench.home.file('modes', `agent_mode_${ME}.json`)
    const content = await waitFor(async () => JSON.parse(await readFile(file, 'utf8')) as JsonObject)
    expect(content).toMatchObject({ mode: null, instance_id: ME, set_by: 'activation' })
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect(await first.call('mode_get_instructions', { mode: 'talk' })).toBe(
      'Mode: talk. Only talks\nTools: fx_echo\n\nSay it once.',
    )
    const again = await converse(switchboard, ME)
    expect(await again.call('fx_echo', { text: 'still' })).toBe('still')
    expect(changes).toEqual([{ instance: ME, mode: 'talk', setBy: 'agent' }])
    expect(log.entries.find(({ cat }) => cat === 'policy.mode')).toMatchObject({ inst: ME, msg: 'mode set to talk' })
  })

  it('of a person holds from the next call, and binds no command of a person', async () => {
    const { switchboard } = await openSwitchboard(configOf())
    const [agent, person] = [await converse(switchboard, ME), await converse(switchboard, 'cccc-000003', 'command')]
    await agent.call('mode_get_instructions', { mode: 'talk' })
    expect(await agent.call('fx_add', { a: 1, b: 2 })).toBe('mode_denied')
    await new ModeFiles({ directory: bench.home.file('modes') }).set(ME, 'boss', 'person')
    expect(await agent.call('fx_add', { a: 1, b: 2 })).toBe('3')
    expect(await person.call('fx_add', { a: 1, b: 2 })).toBe('3')
  })

  it('that is refused is in the audit trail, with its code', async () => {
    const { switchboard, trail } = await openSwitchboard(configOf())
    const agent = await converse(switchboard, ME)
    await agent.call('fx_echo', { text: 'x' })
    await agent.call('mode_get_instructions', { mode: 'tlak' })
    await trail.flush()
    const [name = ''] = await readdir(bench.home.file('traces'))
    const lines = (await readFile(bench.home.file('traces', name), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line) as JsonObject)).toMatchObject([
      { tool: 'fx_echo', provider: 'fx', outcome: 'error', code: 'mode_required' },
      { tool: 'mode_get_instructions', provider: 'switchboard', outcome: 'error', code: 'unknown_mode' },
    ])
  })

  it('comes and goes with the configuration: lists change, and nothing is asked without one', async () => {
    const { switchboard } = await openSwitchboard(configOf({ modes: {} }))
    const agent = await converse(switchboard, ME)
    expect((await agent.toolNames()).slice(-2)).toEqual(['debug_get_logs', 'switchboard_status'])
    expect(await agent.call('fx_add', { a: 1, b: 2 })).toBe('3')
    expect(await readdir(bench.home.file('modes')).catch(() => [])).toEqual([])
    await switchboard.reconfigure(switchboardFile.check(configOf()))
    await waitFor(() => agent.notifications.includes('notifications/tools/list_changed'))
    expect((await agent.toolNames()).slice(-4)).toEqual(OWN_TOOLS)
    expect(await agent.call('fx_add', { a: 1, b: 2 })).toBe('mode_required')
    // So that a person can choose for it.
    expect(await readdir(bench.home.file('modes'))).toEqual([`agent_mode_${ME}.json`])
    await switchboard.reconfigure(switchboardFile.check(configOf({ modes: {} })))
    expect(await agent.call('fx_add', { a: 1, b: 2 })).toBe('3')
    expect(await agent.call('mode_status')).toContain('unknown_tool')
  })

  it('lists the same tools whatever it is', async () => {
    const { switchboard } = await openSwitchboard(configOf())
    const agent = await converse(switchboard, ME)
    const before = await agent.toolNames()
    await agent.call('mode_get_instructions', { mode: 'talk' })
    expect(await agent.toolNames()).toEqual(before)
    expect(before.filter((name) => name.startsWith('fx_')).length).toBeGreaterThan(30)
  })

  it('is asked for in the instructions that every agent gets', async () => {
    const { switchboard } = await openSwitchboard(configOf())
    const { result } = await new WindowAgent(switchboard, ME).initialize()
    expect((result as { instructions: string }).instructions).toContain(
      'declare what you are about with mode_get_instructions. Modes: talk (Only talks); sums (Only adds); boss (Everything).',
    )
  })
})

describe('a server with a tool of the same name', () => {
  const TAKEN = { builtInTools: false, tools: [{ name: 'get_logs' }, { name: 'run' }] }
  const BARE = { builtInTools: false, tools: [{ name: 'mode_get_instructions' }, { name: 'free' }] }

  it('gets a hash for it, the same in the pool and for agents, and no way around a mode', async () => {
    const mcpServers = {
      debug: bench.fixture('debug', TAKEN),
      bare: bench.fixture('bare', BARE, { tools: { prefix: false } }),
    }
    const { switchboard } = await openSwitchboard(configOf({ mcpServers }))
    const agent = await converse(switchboard, ME)
    const names = await agent.toolNames()
    expect(names).toEqual([
      expect.stringMatching(/^debug_get_logs_[0-9a-f]{8}$/),
      'debug_run',
      expect.stringMatching(/^mode_get_instructions_[0-9a-f]{8}$/),
      'free',
      ...OWN_TOOLS,
    ])
    const ofPool = switchboard.pool.tools().map(({ name }) => name)
    expect(ofPool).toEqual(names.slice(0, 4))
    for (const name of ofPool) expect(await agent.call(name)).toBe('mode_required')
    await new ModeFiles({ directory: bench.home.file('modes') }).set(ME, 'boss', 'person')
    expect(await agent.call(names[0] ?? '')).toBe('get_logs')
    expect(await agent.call('debug_get_logs')).toContain(' lines')
  })
})

describe('switchboard_status', () => {
  it('tells of servers, the caller and how many others there are, and of no other window anything more', async () => {
    const missing = { command: 'no-such-program-at-all' }
    const { switchboard } = await openSwitchboard(configOf({ mcpServers: { fx: bench.fixture('fx'), missing } }))
    const [agent] = [await converse(switchboard, ME), await converse(switchboard, OTHER)]
    await agent.call('mode_get_instructions', { mode: 'talk' })
    const { result } = await agent.request('tools/call', { name: 'switchboard_status' })
    const { content, structuredContent } = result as { content: { text: string }[]; structuredContent: JsonObject }
    expect(structuredContent).toMatchObject({
      ok: true,
      data: {
        daemon: null,
        servers: [
          { name: 'fx', state: 'ready', restarts: 0 },
          { name: 'missing', state: 'not_installed', tools: 0 },
        ],
        instance: { id: ME, profile: 'default', mode: 'talk' },
        otherWindows: 1,
      },
      meta: { tool: 'switchboard_status', provider: 'switchboard' },
    })
    expect(content[0]?.text).toContain(
      'Switchboard 0.1.0, without a daemon; 1 other window\nThis session: aaaa-000001, mode talk\n- fx: ready',
    )
    expect(JSON.stringify(result)).not.toContain(OTHER)
  })
})

type Answer = { action: 'accept'; content: Record<string, string> } | { action: 'decline' } | { action: 'cancel' }

/** A real front (`switchboard mcp --standalone`) with a client of the SDK that answers as it is told. */
async function connectPerson(sdk: 'v1' | 'v2', answer: Answer | undefined) {
  await bench.writeConfig(configOf())
  const env = { SWITCHBOARD_INSTANCE_ID: ME }
  const command = programCommand(['mcp', '--standalone'], { home: bench.home.path, env })
  const questions: JsonObject[] = []
  const capabilities = answer === undefined ? {} : { elicitation: { form: {} } }
  const reply = (params: object): Answer => {
    questions.push({ ...params })
    return answer ?? { action: 'cancel' }
  }
  if (sdk === 'v1') {
    const client = new ClientV1({ name: 'v1', version: '1' }, { capabilities })
    if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => reply(params))
    await client.connect(new StdioV1({ ...command, stderr: 'ignore' }))
    bench.defer(() => client.close())
    return { questions, call: (name: string, args: JsonObject) => client.callTool({ name, arguments: args }) }
  }
  const mode = { pin: '2026-07-28' }
  const client = new ClientV2({ name: 'v2', version: '2' }, { capabilities, versionNegotiation: { mode } })
  if (answer !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => reply(params))
  await client.connect(new StdioV2({ ...command, stderr: 'ignore' }))
  bench.defer(() => client.close())
  return { questions, call: (name: string, args: JsonObject) => client.callTool({ name, arguments: args }) }
}

describe.each(['v1', 'v2'] as const)('a person’s approval, with a client of SDK %s', (sdk) => {
  // The blank file is made beside the first messages: no file is no mode as well.
  const readMode = (): Promise<JsonObject> =>
    waitFor(
      async () => JSON.parse(await readFile(bench.home.file('modes', `agent_mode_${ME}.json`), 'utf8')) as JsonObject,
    )

  it('given, the mode is set, and it is written that a person did it', async () => {
    const { questions, call } = await connectPerson(sdk, { action: 'accept', content: { answer: 'yes' } })
    await call('mode_get_instructions', { mode: 'talk' })
    expect(questions).toEqual([])
    const result = await call('mode_get_instructions', { mode: 'boss' })
    expect(result.structuredContent).toMatchObject({ data: { mode: 'boss', previous: 'talk', setBy: 'person' } })
    expect(questions.map(({ message }) => message)).toEqual([
      `The agent in window ${ME} wants to work in the mode "boss". Its mode is "talk" now. Let it?`,
    ])
    expect(await readMode()).toMatchObject({ mode: 'boss', set_by: 'person' })
    // Not a second time for what it has already.
    await call('mode_get_instructions', { mode: 'boss' })
    expect(questions).toHaveLength(1)
  })

  it.each<[string, Answer | undefined, string]>([
    ['answered with no', { action: 'accept', content: { answer: 'no' } }, 'the answer was no'],
    ['declined', { action: 'decline' }, 'it was declined'],
    ['dismissed', { action: 'cancel' }, 'the question was dismissed'],
    ['impossible for want of somebody to ask', undefined, 'this client cannot ask (it has no form elicitation)'],
  ])('%s, nothing changes', async (_title, answer, why) => {
    const { call } = await connectPerson(sdk, answer)
    const result = await call('mode_get_instructions', { mode: 'boss' })
    expect(result).toMatchObject({
      isError: true,
      content: [
        {
          text: `[approval_denied] The change to the mode "boss" needs a person's yes: ${why}. Ask the person to choose it: \`switchboard mode set ${ME} boss\`, or the button in VS Code.`,
        },
      ],
    })
    expect(await readMode()).toMatchObject({ mode: null, set_by: 'activation' })
  })
})

describe('a caller over HTTP', () => {
  it('is bound by the configuration, and told so where it tries to choose', async () => {
    const { switchboard } = await openSwitchboard(configOf({ gateway: { port: 0, modeForHttp: 'talk' } }))
    const { url } = await switchboard.listen()
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    const client = new ClientV2({ name: 'http', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)))
    bench.defer(() => client.close())
    const textOf = async (name: string, args: JsonObject) =>
      ((await client.callTool({ name, arguments: args })).content as { text: string }[])[0]?.text
    expect(await textOf('fx_echo', { text: 'hello' })).toBe('hello')
    expect(await textOf('fx_slow', { ms: 1 })).toContain('[mode_denied] The mode "talk" does not allow fx_slow.')
    expect(await textOf('mode_get_instructions', { mode: 'talk' })).toContain('Say it once.')
    expect(await textOf('mode_get_instructions', { mode: 'sums' })).toContain(
      '[mode_denied] Callers over HTTP are bound to the mode "talk".',
    )
    expect(await textOf('mode_status', {})).toContain('Mode: talk\n- talk: Only talks\n')
    expect(await readdir(bench.home.file('modes')).catch(() => [])).toEqual([])
  })
})
