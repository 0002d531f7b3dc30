/** From `dev new-tool` to an agent that calls the tool: in a copy of this repository, with nothing else touched in it. */
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import {
  copyRepository,
  createTemporaryDirectory,
  type RepositoryCopy,
  type TemporaryDirectory,
} from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const NODE_OPTIONS = ['--conditions=switchboard-source', '--disable-warning=ExperimentalWarning']
const TOOLS = 'packages/packs/debug/src/tools'
let copy: RepositoryCopy
let home: TemporaryDirectory

beforeAll(async () => {
  copy = await copyRepository()
  home = await createTemporaryDirectory()
}, 120_000)
afterAll(async () => {
  await copy.remove()
  await home.remove()
})

async function run(...args: string[]): Promise<string> {
  const env = { ...process.env, SWITCHBOARD_HOME: home.path, NO_COLOR: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: copy.path, env })
  return stdout
}

const switchboard = (...argv: string[]): Promise<string> =>
  run(...NODE_OPTIONS, copy.file('packages/cli/src/main.ts'), ...argv)
/** Of this repository, which is built: the clone's own scripts do the work. */
const newTool = (...argv: string[]): Promise<string> =>
  run(join(ROOT, 'packages/cli/dist/switchboard.mjs'), 'dev', 'new-tool', ...argv)
const generate = (): Promise<string> => run(...NODE_OPTIONS, copy.file('scripts/generate.mjs'))
const typeCheck = (): Promise<string> =>
  run(join(ROOT, 'node_modules/typescript/bin/tsc'), '-b', copy.file('packages/packs/debug'))

const runTests = (path: string): Promise<string> =>
  run(join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', path, '--reporter=default')

async function withAgent<T>(use: (client: Client) => Promise<T>, profile = 'debug-full'): Promise<T> {
  const client = new Client({ name: 'agent', version: '1' })
  const args = [...NODE_OPTIONS, copy.file('packages/cli/src/main.ts'), 'mcp', '--standalone']
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...args, '--workspace', home.path, '--profile', profile],
      env: { PATH: process.env.PATH ?? '', SWITCHBOARD_HOME: home.path },
      stderr: 'ignore',
    }),
  )
  try {
    return await use(client)
  } finally {
    await client.close()
  }
}

describe('a tool that was scaffolded in a copy of the repository', { timeout: 240_000 }, () => {
  it('compiles, passes its test, is listed by the real program and is called by a public client', async () => {
    expect(await newTool('debug', 'echo.say-twice')).toContain('is called echo_say_twice')
    await generate()
    expect(readFileSync(copy.file('packages/packs/debug/src/generated/tools.ts'), 'utf8')).toContain(
      'echo-say-twice.ts',
    )
    await typeCheck()
    expect(await runTests('packages/packs/debug/test/tools/')).toMatch(/Tests\s+2 passed/)
    await withAgent(async (client) => {
      const { tools } = await client.listTools()
      expect(tools.find(({ name }) => name === 'echo_say_twice')).toMatchObject({
        description: expect.stringContaining('Answer with the message that was given.'),
        annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
        inputSchema: { required: ['message'] },
      })
      const answer = await client.callTool({ name: 'echo_say_twice', arguments: { message: 'hello', times: 2 } })
      expect(answer).toMatchObject({
        content: [{ type: 'text', text: 'hello hello' }],
        structuredContent: { ok: true, data: { answer: 'hello hello' } },
      })
      const refused = await client.callTool({ name: 'echo_say_twice', arguments: { message: ' ' } })
      expect(refused).toMatchObject({
        isError: true,
        structuredContent: { error: { code: 'E_EMPTY_MESSAGE', hint: 'Give a message that is more than spaces.' } },
      })
    })
    expect(await switchboard('help', 'echo_say_twice')).toContain('Give a message that is more than spaces.')
  })

  it('answers to another name and to its aliases, and one that is switched off to none', async () => {
    await newTool('debug', 'echo.renamed')
    await newTool('debug', 'echo.hidden')
    change(
      'echo-renamed',
      (text) => `${text}aliases: [echo.old-name]\nmcp: {tool: echo_other, core: true, description: Another one}\n`,
    )
    change('echo-hidden', (text) => `${text}mcp: {enabled: false}\n`)
    await generate()
    await withAgent(async (client) => {
      const { tools } = await client.listTools()
      const own = tools.filter(({ name }) => name.startsWith('echo_') && name !== 'echo_say_twice')
      expect(own).toMatchObject([{ name: 'echo_other', description: expect.stringMatching(/^Another one\./) }])
      const args = { message: 'x' }
      for (const name of ['echo_other', 'echo_old_name']) {
        expect(await client.callTool({ name, arguments: args })).toMatchObject({ content: [{ text: 'x' }] })
      }
      for (const name of ['echo_renamed', 'echo_hidden']) {
        await expect(client.callTool({ name, arguments: args })).rejects.toThrow(name)
      }
    })
    // What agents get by default is the short list; a declaration says itself that it belongs there.
    const listed = await withAgent(async (client) => (await client.listTools()).tools, 'default')
    expect(listed.map(({ name }) => name).filter((name) => name.startsWith('echo_'))).toEqual(['echo_other'])
  })

  it('with a mistake in its declaration or its code stops the build with file, line and column', async () => {
    await newTool('debug', 'echo.broken')
    change('echo-broken', (text) => text.replace('summary:', 'sumary:'))
    await expect(generate()).rejects.toMatchObject({
      stderr: expect.stringContaining(
        `${TOOLS}/echo-broken.meta.yaml:4:1 sumary: unknown key. Expected a key of a tool. Did you mean "summary"?`,
      ),
    })
    change('echo-broken', (text) => text.replace('sumary:', 'summary:').replace('E_EMPTY_MESSAGE', 'E_NO_MESSAGE'))
    await expect(generate()).rejects.toMatchObject({
      stderr: expect.stringContaining(`${TOOLS}/echo-broken.ts:5:36 throws E_EMPTY_MESSAGE`),
    })
    change('echo-broken', (text) =>
      text.replace('E_NO_MESSAGE', 'E_EMPTY_MESSAGE').replace('answer: {type: string}', 'answer: {type: integer}'),
    )
    await generate()
    await expect(typeCheck()).rejects.toMatchObject({
      stdout: expect.stringMatching(/echo-broken\.ts\(\d+,\d+\): error TS2322/),
    })
  })
})

function change(name: string, edit: (text: string) => string): void {
  const path = copy.file(TOOLS, `${name}.meta.yaml`)
  writeFileSync(path, edit(readFileSync(path, 'utf8')))
}
