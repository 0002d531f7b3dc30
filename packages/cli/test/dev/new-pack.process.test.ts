/** From `dev new-pack` to an agent that calls its tool: in a copy of this repository, in which one line is written by hand. */
import { execFile } from 'node:child_process'
import { cp, writeFile } from 'node:fs/promises'
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
const INSTALLED = 'node_modules/.cache/switchboard/install-stamp'
const LIST = 'packages/daemon/src/packs/packs.ts'
const BUNDLE = 'packages/cli/dist/switchboard.mjs'

let copy: RepositoryCopy
let home: TemporaryDirectory

beforeAll(async () => {
  copy = await copyRepository()
  home = await createTemporaryDirectory()
  // What the lockfile asks for is there, as in a clone in which somebody works.
  await cp(join(ROOT, INSTALLED), copy.file(INSTALLED))
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

const runScript = (...args: string[]): Promise<string> => run(copy.file('scripts/run.mjs'), ...args)
const switchboard = (...args: string[]): Promise<string> => run(copy.file(BUNDLE), ...args)

async function configure(configuration: object): Promise<void> {
  await writeFile(home.file('config.json'), JSON.stringify({ mcpServers: {}, ...configuration }))
}

async function withAgent<T>(use: (client: Client) => Promise<T>, profile = 'default'): Promise<T> {
  const client = new Client({ name: 'agent', version: '1' })
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [copy.file(BUNDLE), 'mcp', '--standalone', '--workspace', home.path, '--profile', profile],
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

const listTools = (): Promise<string[]> =>
  withAgent(async (client) => (await client.listTools()).tools.map(({ name }) => name))
const echo = { name: 'clock_echo', arguments: { message: 'hello', times: 2 } }

describe('a pack that was scaffolded in a copy of the repository', { timeout: 240_000 }, () => {
  it('needs one line by hand, and then passes every check of the repository', async () => {
    // The command of this repository, which is built: a clone's own scripts do the work.
    expect(await run(join(ROOT, BUNDLE), 'dev', 'new-pack', 'clock')).toContain("import('@switchboard/pack-clock'),")
    const others = "  import('@switchboard/pack-debug'),\n"
    await copy.replace(LIST, others, `${others}  import('@switchboard/pack-clock'),\n`)
    await runScript('generate')
    const written = ['packages/packs/clock', 'packages/daemon/package.json', 'tsconfig.json', 'tsconfig.tests.json']
    const tests = ['packages/packs/clock', 'scripts/test/layers.test.ts', 'scripts/test/packs.test.ts']
    const [, , report] = await Promise.all([
      runScript('exec', 'biome', 'check', '--vcs-enabled=false', ...written),
      runScript('exec', 'tsc', '-b', 'packages/daemon'),
      runScript('exec', 'vitest', 'run', '--project', 'unit', ...tests),
    ])
    expect(report).toMatch(/Test Files\s+3 passed/)
  })

  it('is refused by a name that is taken, or is none, and where there is no clone', async () => {
    const newPack = (...args: string[]): Promise<string> => run(join(ROOT, BUNDLE), 'dev', 'new-pack', ...args)
    const refusals = [
      [['clock'], 'packages/packs/clock exists already'],
      [['My Pack'], '"My Pack" is no name of a pack'],
    ] as const
    for (const [args, message] of refusals) {
      await expect(newPack(...args)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(message) })
    }
    await expect(
      promisify(execFile)(process.execPath, [join(ROOT, BUNDLE), 'dev', 'new-pack', 'x'], { cwd: home.path }),
    ).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('only there a pack can be added') })
  })

  it('is built into the command, and documented', async () => {
    await runScript('start', '--version')
    expect(await switchboard('help', 'clock_echo')).toContain('Ask for fewer, or set maxTimes of the pack higher.')
    expect(await copy.read('docs/clock-tools.md')).toContain('### clock_echo')
    expect(await copy.read('docs/configuration.md')).toMatch(/\| `maxTimes` \|.*\| `10` \|/)
    expect(JSON.parse(await copy.read('schema/switchboard.schema.json'))).toMatchObject({
      $defs: { clockPack: { properties: { maxTimes: { maximum: 100 }, enabled: { type: 'boolean' } } } },
    })
  })

  it('is listed and called by a public client', async () => {
    await configure({})
    await withAgent(async (client) => {
      const { tools } = await client.listTools()
      expect(tools.find(({ name }) => name === echo.name)).toMatchObject({ inputSchema: { required: ['message'] } })
      expect(await client.callTool(echo)).toMatchObject({
        content: [{ type: 'text', text: 'hello hello' }],
        structuredContent: { ok: true, data: { answer: 'hello hello' }, meta: { tool: echo.name } },
      })
    })
  })

  it('is configured by its own section, in which a wrong key is refused', async () => {
    await configure({ packs: { clock: { maxTimes: 1 } } })
    expect(await withAgent((client) => client.callTool(echo))).toMatchObject({
      isError: true,
      structuredContent: { ok: false, error: { code: 'E_TOO_OFTEN' } },
    })
    await configure({ packs: { clock: { maxTime: 1 } } })
    await expect(switchboard('tools', '--no-daemon')).rejects.toMatchObject({
      stderr: expect.stringMatching(/packs\.clock\.maxTime: unknown key.*Did you mean "maxTimes"\?/s),
    })
  })

  it('is found by tool_search', async () => {
    await configure({ profiles: { searching: { search: true } } })
    const found = await withAgent(
      (client) => client.callTool({ name: 'tool_search', arguments: { query: 'answer with a message' } }),
      'searching',
    )
    expect(JSON.stringify(found)).toContain(echo.name)
  })

  it('is switched off by its key', async () => {
    await configure({})
    expect(await listTools()).toContain(echo.name)
    await configure({ packs: { clock: { enabled: false } } })
    expect(await listTools()).not.toContain(echo.name)
    await withAgent((client) => expect(client.callTool(echo)).rejects.toThrow(echo.name))
  })

  it('is listed only where it applies, once it says where that is', async () => {
    await configure({})
    await copy.replace(
      'packages/packs/clock/src/pack.ts',
      '  guides: manifest.guides,\n',
      "  guides: manifest.guides,\n  applies: (workspace) => workspace !== undefined && existsSync(join(workspace, 'clock.txt')),\n",
    )
    const imports = "import { existsSync } from 'node:fs'\nimport { join } from 'node:path'\n"
    await copy.write(
      'packages/packs/clock/src/pack.ts',
      imports + (await copy.read('packages/packs/clock/src/pack.ts')),
    )
    await runScript('start', '--version')
    expect(await listTools()).not.toContain(echo.name)
    // A person sees it all the same, and whoever asks for it by its profile.
    expect(await switchboard('tools', '--no-daemon')).toContain(echo.name)
    expect(await withAgent((client) => client.callTool(echo), 'clock')).toMatchObject({
      structuredContent: { ok: true },
    })
    await writeFile(home.file('clock.txt'), '')
    expect(await listTools()).toContain(echo.name)
  })
})
