/** The inspector's command line, as people use it to look at a server, against the gateway. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { McpPool } from '@switchboard/pool'
import {
  createLeakCheck,
  createTemporaryDirectory,
  findPackageProgram,
  fixtureCommand,
  type TemporaryDirectory,
} from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startGateway } from './helpers/start-gateway.ts'

const leaks = createLeakCheck()
beforeAll(() => leaks.begin())
afterAll(() => leaks.check())

const run = promisify(execFile)
const INSPECTOR = findPackageProgram('@modelcontextprotocol/inspector', import.meta.url, 'mcp-inspector')
const stack = new AsyncDisposableStack()
let home: TemporaryDirectory
let url: string

beforeAll(async () => {
  home = stack.use(await createTemporaryDirectory('inspector'))
  const pool = new McpPool({ mcpServers: { fx: fixtureCommand({ era: 'dual' }) } })
  stack.defer(() => pool.close())
  pool.start()
  await pool.ready()
  url = stack.use(await startGateway(pool)).url
})

afterAll(() => stack.disposeAsync())

/** It keeps files in the home directory, so it gets one of its own. */
async function inspect(target: string, ...args: string[]): Promise<Record<string, unknown>> {
  const env = { ...process.env, HOME: home.path, USERPROFILE: home.path }
  const { stdout } = await run(process.execPath, [INSPECTOR, '--cli', target, ...args], { env })
  return JSON.parse(stdout)
}

describe.each([
  { transport: 'Streamable HTTP', path: '/mcp' },
  { transport: 'HTTP+SSE', path: '/sse' },
])('the inspector over $transport', ({ path }) => {
  const target = (): string => new URL(path, url).href

  it('lists the tools', async () => {
    const { tools } = (await inspect(target(), '--method', 'tools/list')) as { tools: { name: string }[] }
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(['fx_echo', 'fx_add']))
  })

  it('calls a tool', async () => {
    const call = ['--method', 'tools/call', '--tool-name', 'fx_add', '--tool-arg', 'a=19', '--tool-arg', 'b=23']
    expect(await inspect(target(), ...call)).toMatchObject({
      content: [{ type: 'text', text: '42' }],
      structuredContent: { sum: 42 },
    })
  })

  it('reads a resource', async () => {
    const read = ['--method', 'resources/read', '--uri', 'fixture://text']
    expect(await inspect(target(), ...read)).toMatchObject({ contents: [{ text: 'The text of the fixture.' }] })
  })
})
