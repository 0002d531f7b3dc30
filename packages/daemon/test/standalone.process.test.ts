/** `switchboard mcp --standalone`: everything in one process for one agent, and over when the agent is. */
import { readdir, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { type JsonObject, META_KEY } from '@switchboard/protocol'
import { expectNoProcessLeft, waitFor } from '@switchboard/testkit'
import { expect, it } from 'vitest'
import { isCallOf, isCancelOf, watchJournal } from './helpers/journal.ts'
import type { Program } from './helpers/program.ts'
import { useWorkbench } from './helpers/workbench.ts'

const bench = useWorkbench()

/** The agent's end of the pipe: every line has to be a message. */
class PipedAgent {
  readonly program: Program
  readonly received: JsonObject[] = []
  #nextId = 1

  constructor(argv: readonly string[] = []) {
    this.program = bench.program(['mcp', '--standalone', ...argv])
    createInterface(this.program.child.stdout).on('line', (line) => {
      this.received.push(JSON.parse(line) as JsonObject)
    })
  }

  send(message: JsonObject): void {
    this.program.child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }

  async request(method: string, params: JsonObject = {}): Promise<JsonObject> {
    const id = this.#nextId++
    this.send({ id, method, params })
    return waitFor(() => this.received.find((message) => message.id === id), {
      what: `the answer to ${method}; stderr says: ${this.program.err()}`,
      timeout: 20_000,
    })
  }

  async initialize(): Promise<JsonObject> {
    const clientInfo = { name: 'piped', version: '1' }
    const answer = await this.request('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })
    this.send({ method: 'notifications/initialized' })
    return answer
  }

  async waitForTool(name: string): Promise<void> {
    await waitFor(async () => JSON.stringify((await this.request('tools/list')).result).includes(`"${name}"`), {
      what: `the tool ${name}`,
    })
  }
}

it('ends at the end of its input with everything it started, cancels what is under way, and logs why', async () => {
  await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx'), other: bench.fixture('other') } })
  const agent = new PipedAgent()
  await agent.initialize()
  await agent.waitForTool('fx_slow')
  const journal = await watchJournal(bench.journal('fx'))
  agent.send({ id: 'long', method: 'tools/call', params: { name: 'fx_slow', arguments: { ms: 120_000, steps: 1 } } })
  const call = await journal.waitFor(isCallOf('slow'))
  agent.program.child.stdin.end()
  expect(await agent.program.ended).toBe(0)
  expect((await journal.entries()).some(isCancelOf(call))).toBe(true)
  await expectNoProcessLeft(bench.marker, 0)
  expect(await readLogs()).toContain('stdin EOF detected, shutting down')
  expect(agent.program.err()).toBe('')
})

it('ends although a server ignores every polite way to end', async () => {
  const stubborn = { ignoreSignals: true, ignoreEof: true, grandchild: { ignoreSigterm: true } }
  await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx', stubborn) } })
  const agent = new PipedAgent()
  await agent.initialize()
  await agent.waitForTool('fx_echo')
  agent.program.child.stdin.end()
  expect(await agent.program.ended).toBe(0)
  await expectNoProcessLeft(bench.marker, 0)
})

it('speaks both eras on the same pipe, and nothing else on stdout however loud its servers are', async () => {
  const loud = { stderrAtStart: 200_000, stdoutAtStart: { bytes: 50_000 } }
  await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx', loud) } })
  const agent = new PipedAgent()
  const envelope = { [META_KEY.protocolVersion]: '2026-07-28', [META_KEY.clientCapabilities]: {} }
  const discovered = await agent.request('server/discover', { _meta: envelope })
  expect(discovered.result).toMatchObject({ supportedVersions: ['2026-07-28'], resultType: 'complete' })
  expect((await agent.initialize()).result).toMatchObject({ protocolVersion: '2025-11-25' })
  await agent.waitForTool('fx_echo')
  const legacy = await agent.request('tools/call', { name: 'fx_echo', arguments: { text: 'old' } })
  const modern = await agent.request('tools/call', { name: 'fx_echo', arguments: { text: 'new' }, _meta: envelope })
  expect(legacy.result).toEqual({ content: [{ type: 'text', text: 'old' }] })
  expect(modern.result).toMatchObject({ content: [{ type: 'text', text: 'new' }], resultType: 'complete' })
  expect(agent.received.every((message) => message.jsonrpc === '2.0')).toBe(true)
})

it('has the tools of a server in the very first list, also when it was never started before', async () => {
  await bench.writeConfig({
    mcpServers: { fx: bench.fixture('fx', { startDelayMs: 500 }) },
    profiles: { small: { tools: { allow: ['fx_echo'] } } },
  })
  const agent = new PipedAgent(['--profile', 'small'])
  await agent.initialize()
  const { result } = await agent.request('tools/list')
  expect(result).toMatchObject({ tools: [{ name: 'fx_echo' }] })
  const denied = await agent.request('tools/call', { name: 'fx_add', arguments: { a: 1, b: 2 } })
  expect(JSON.stringify(denied)).toContain('profile_denied')
})

it('holds a call of a tool that is not known yet until its server has had time to start', async () => {
  await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx', { startDelayMs: 500 }) } })
  const agent = new PipedAgent()
  await agent.initialize()
  const [called, unknown] = await Promise.all([
    agent.request('tools/call', { name: 'fx_echo', arguments: { text: 'early' } }),
    agent.request('tools/call', { name: 'fx_nobody' }),
  ])
  expect(called.result).toEqual({ content: [{ type: 'text', text: 'early' }] })
  expect(JSON.stringify(unknown.error)).toContain('unknown_tool')
})

it('refuses a profile that is not there before it says a word of the protocol', async () => {
  await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx') }, profiles: { small: {} } })
  const { program, received } = new PipedAgent(['--profile', 'smal'])
  expect(await program.ended).toBe(2)
  expect(program.err()).toContain('"smal"')
  expect(received).toEqual([])
})

it('gives calls the budget that --timeout names', async () => {
  await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx') } })
  const agent = new PipedAgent(['--timeout', '200ms'])
  await agent.initialize()
  await agent.waitForTool('fx_slow')
  const { result } = await agent.request('tools/call', { name: 'fx_slow', arguments: { ms: 120_000, steps: 1 } })
  expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'timeout' } } })
})

it.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('ends at %s with everything it started', async (signal, code) => {
  await bench.writeConfig({ mcpServers: { fx: bench.fixture('fx') } })
  const agent = new PipedAgent()
  await agent.initialize()
  await agent.waitForTool('fx_echo')
  agent.program.child.kill(signal)
  expect(await agent.program.ended).toBe(code)
  await expectNoProcessLeft(bench.marker, 0)
})

async function readLogs(): Promise<string> {
  const directory = bench.home.file('logs')
  const files = await readdir(directory, { recursive: true, withFileTypes: true })
  const texts = files.filter((file) => file.isFile()).map((file) => readFile(`${file.parentPath}/${file.name}`, 'utf8'))
  return (await Promise.all(texts)).join('\n')
}
