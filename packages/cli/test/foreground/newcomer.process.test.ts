/** A newcomer's path: what the first screen prints is pasted into a shell as it stands, by public clients. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import {
  createTemporaryDirectory,
  expectNoProcessLeft,
  findPackageProgram,
  fixtureCommand,
  PROGRAM,
  waitFor,
} from '@switchboard/testkit'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const INSPECTOR = findPackageProgram('@modelcontextprotocol/inspector', import.meta.url, 'mcp-inspector')

test.skipIf(process.platform === 'win32')(
  'the printed command line serves the inspector and an SDK client, the printed address too, and Ctrl-C ends all of it',
  { timeout: 180_000 },
  async () => {
    await using user = await createTemporaryDirectory('switchboard-newcomer-')
    const { SWITCHBOARD_HOME: _home, SWITCHBOARD_INSTANCE_ID: _window, ...inherited } = process.env
    const env = { ...inherited, HOME: user.path, SWITCHBOARD_HTTP_PORT: '0', NO_COLOR: '1' }
    mkdirSync(user.file('.switchboard'), { mode: 0o700 })
    const mcpServers = { fx: fixtureCommand({ marker: user.path }) }
    writeFileSync(user.file('.switchboard', 'config.json'), JSON.stringify({ mcpServers }))

    const program = spawn(process.execPath, [PROGRAM, 'up', '--foreground'], { cwd: user.path, env })
    const ended = once(program, 'exit')
    let out = ''
    program.stdout.on('data', (chunk) => {
      out += chunk
    })
    try {
      await waitFor(() => out.includes('fx ready (pid'), { timeout: 60_000, what: `the server; ${out}` })
      const command = /the command (.+ mcp)$/m.exec(out)?.[1] ?? ''
      const address = /address {2}(http:\S+)$/m.exec(out)?.[1] ?? ''

      const inspect = async (target: string, ...more: string[]): Promise<unknown> => {
        const line = `exec "$0" "$1" --cli ${target} "\${@:2}"`
        const call = ['--method', 'tools/call', '--tool-name', 'fx_add', '--tool-arg', 'a=19', '--tool-arg', 'b=23']
        const { stdout } = await run('bash', ['-c', line, process.execPath, INSPECTOR, ...call, ...more], { env })
        return JSON.parse(stdout)
      }
      expect(await inspect(command)).toMatchObject({ content: [{ text: '42' }], structuredContent: { sum: 42 } })
      expect(await inspect(address, '--transport', 'http')).toMatchObject({ content: [{ text: '42' }] })

      const client = new Client({ name: 'newcomer', version: '1' })
      await client.connect(new StdioClientTransport({ command: 'bash', args: ['-c', `exec ${command}`], env }))
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain('fx_echo')
      const answer = await client.callTool({ name: 'fx_echo', arguments: { text: 'hello' } })
      expect(answer.content).toEqual([{ type: 'text', text: 'hello' }])
      await waitFor(() => out.includes('attached'), { what: 'the window to be told' })
      await client.close()

      for (const path of ['/healthz', '/readyz']) {
        const response = await fetch(new URL(path, address))
        expect({ path, status: response.status }).toEqual({ path, status: 200 })
      }
    } finally {
      program.kill('SIGINT')
      expect(await ended).toEqual([0, null])
    }
    await expectNoProcessLeft(user.path, 20_000)
  },
)
