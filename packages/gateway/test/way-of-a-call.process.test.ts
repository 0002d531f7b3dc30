/**
 * Which files a call passes on its way to a server's stdin: each owns a step of it, and docs/architecture.md walks them. The way
 * is read from the stack at the moment when the call is written, so nothing on it is waited for.
 */
import { Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { McpPool } from '@switchboard/pool'
import { createLeakCheck, fixtureCommand } from '@switchboard/testkit'
import { connectAgent } from '@switchboard/testkit/http'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { serveStdio } from '../src/stdio/stdio-server.ts'
import { type StartedGateway, startGateway } from './helpers/start-gateway.ts'

const ECHO = { name: 'fx_echo', arguments: { text: 'to the server' } }
/** As the server is called; an agent calls it by its exposed name. */
const WRITTEN = '"name":"echo"'

const leaks = createLeakCheck()
const stackTraceLimit = Error.stackTraceLimit
const write = Socket.prototype.write
let ways: string[][] = []
let pool: McpPool
let started: StartedGateway

beforeAll(async () => {
  leaks.begin()
  Error.stackTraceLimit = 100
  vi.spyOn(Socket.prototype, 'write').mockImplementation(function (this: Socket, ...args: unknown[]) {
    if (String(args[0]).includes(WRITTEN)) ways.push(readWay(new Error().stack ?? ''))
    return Reflect.apply(write, this, args)
  })
  pool = new McpPool({ mcpServers: { fx: fixtureCommand() } }, { timings: { eraProbeTimeout: 20_000 } })
  pool.start()
  await pool.ready()
  started = await startGateway(pool)
  // The first call of a tool waits for its schema to be compiled.
  await pool.call(ECHO.name, ECHO.arguments)
})

afterAll(async () => {
  vi.restoreAllMocks()
  Error.stackTraceLimit = stackTraceLimit
  await started[Symbol.asyncDispose]()
  await pool.close()
  await leaks.check()
})

/** From where it came in to where it went out; the framing of bytes is the protocol's. */
function readWay(stack: string): string[] {
  const files = [...stack.matchAll(/packages\/((?:gateway|pool)\/src\/[\w/-]+\.ts)/g)].map(([, file = '']) => file)
  return [...new Set(files.reverse())]
}

async function wayOf(call: () => Promise<unknown>): Promise<string[]> {
  ways = []
  await call()
  expect(ways).toHaveLength(1)
  return ways[0] ?? []
}

const TO_THE_SERVER = [
  'pool/src/upstream/upstream.ts',
  'pool/src/connection/connection.ts',
  'pool/src/transport/stdio-transport.ts',
]

describe('the way of a call', () => {
  it.each([
    ['legacy', 'gateway/src/http/legacy-endpoint.ts', 'gateway/src/legacy/legacy-session.ts'],
    ['modern', 'gateway/src/http/modern-http.ts', 'gateway/src/modern/modern-endpoint.ts'],
  ] as const)('over HTTP in the %s era is eight files long', async (era, endpoint, session) => {
    const agent = await connectAgent(era, started.url)
    const way = await wayOf(() => agent.request('tools/call', ECHO))
    await agent.close()
    expect(way).toEqual([
      'gateway/src/http/read-message.ts',
      'gateway/src/http/http-edge.ts',
      endpoint,
      session,
      'gateway/src/dispatcher.ts',
      ...TO_THE_SERVER,
    ])
  })

  it('over stdio is six files long', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const identity = { profile: 'default', transport: 'stdio' }
    const server = serveStdio({ gateway: started.gateway, identity, input, output })
    const send = (message: object): void => void input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    const answers: string[] = []
    output.on('data', (chunk: Buffer) => answers.push(String(chunk)))
    const answerTo = (id: number): Promise<void> =>
      vi.waitFor(() => expect(answers.join('')).toContain(`"id":${id},`), { timeout: 10_000 })
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    send({ id: 1, method: 'initialize', params: hello })
    await answerTo(1)
    const way = await wayOf(async () => {
      send({ id: 2, method: 'tools/call', params: ECHO })
      await answerTo(2)
    })
    expect(way).toEqual([
      'gateway/src/stdio/stdio-server.ts',
      'gateway/src/legacy/legacy-session.ts',
      'gateway/src/dispatcher.ts',
      ...TO_THE_SERVER,
    ])
    server.close('the test is over')
  })

  it('through the pool as a library is four files long', async () => {
    const way = await wayOf(() => pool.call(ECHO.name, ECHO.arguments))
    expect(way).toEqual(['pool/src/mcp-pool.ts', ...TO_THE_SERVER])
  })
})
