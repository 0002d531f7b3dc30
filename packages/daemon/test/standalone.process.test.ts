/** `switchboard mcp --standalone`: everything in one process for one agent, and over when the agent is. */
import { readdir, readFile } from 'node:fs/promises'
import { META_KEY } from '@switchboard/protocol/modern'
import { expectNoProcessLeft, LineAgent, type PipedProgram, waitFor } from '@switchboard/testkit'
import { expect, it } from 'vitest'
import { isCallOf, isCancelOf, watchJournal } from './helpers/journal.ts'
import { useWorkbench } from './helpers/workbench.ts'

const bench = useWorkbench()

/** The agent's end of the pipe: every line has to be a message. */
class PipedAgent extends LineAgent {
  readonly program: PipedProgram

  constructor(argv: readonly string[] = []) {
    const program = bench.program(['mcp', '--standalone', ...argv])
    super(program.child.stdout, program.child.stdin, { describe: program.err })
    this.program = program
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
