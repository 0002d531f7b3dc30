import { mkdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { switchboardFile } from '../../src/configuration/switchboard-file.ts'
import { digestEntry, digestVariables } from '../../src/projects/entry-digest.ts'
import { createProjectId, findProject } from '../../src/projects/find-project.ts'
import { ProjectTrust } from '../../src/projects/project-trust.ts'
import { type ReadProjectOptions, readProject } from '../../src/projects/read-project.ts'
import { showEntry } from '../../src/projects/show-entry.ts'

let directory: TemporaryDirectory
let root: string
beforeEach(async () => {
  directory = await createTemporaryDirectory()
  root = await realpath(directory.path)
})
afterEach(() => directory.remove())

const own = () => ({ home: join(root, 'me', '.switchboard'), userHome: join(root, 'me') })

async function put(path: string, content: unknown = {}): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true })
  await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content))
}

describe('the project of a folder', () => {
  test('is the nearest one with a configuration, up to the root of the repository', async () => {
    await put('repo/.git/HEAD', '')
    await put('repo/.mcp.json')
    await put('repo/a/.switchboard/config.json')
    await mkdir(join(root, 'repo', 'a', 'deep'), { recursive: true })
    await mkdir(join(root, 'repo', 'b'))
    expect(findProject(join(root, 'repo', 'a', 'deep'), own())).toEqual({
      folder: join(root, 'repo', 'a'),
      hasFiles: true,
    })
    expect(findProject(join(root, 'repo', 'b'), own())).toEqual({ folder: join(root, 'repo'), hasFiles: true })
  })

  test('is not looked for above a folder that is in no repository', async () => {
    await put('shared/.mcp.json')
    await mkdir(join(root, 'shared', 'mine'))
    expect(findProject(join(root, 'shared', 'mine'), own())).toMatchObject({ hasFiles: false })
  })

  test('is never the home of a person, or what lies above it', async () => {
    await put('me/.mcp.json')
    await put('me/.switchboard/config.json')
    await put('me/.git/HEAD', '')
    await put('.mcp.json')
    await mkdir(join(root, 'me', 'work'))
    expect(findProject(join(root, 'me'), own())).toBeUndefined()
    expect(findProject(root, own())).toBeUndefined()
    expect(findProject(join(root, 'me', 'work'), own())).toMatchObject({ hasFiles: false })
  })

  test('does not take the home of Switchboard for its configuration', async () => {
    await put('repo/.switchboard/config.json')
    expect(findProject(join(root, 'repo'), { ...own(), home: join(root, 'repo', '.switchboard') })).toMatchObject({
      hasFiles: false,
    })
  })

  test('is the same by whatever link one comes', async () => {
    await put('repo/.mcp.json')
    await symlink(join(root, 'repo'), join(root, 'link'))
    expect(findProject(join(root, 'link'), own())?.folder).toBe(join(root, 'repo'))
  })

  test('has a name that tells it from others of its name', () => {
    expect(createProjectId('/a/My Site')).toMatch(/^my-site-[0-9a-f]{6}$/)
    expect(createProjectId('/a/site')).not.toBe(createProjectId('/b/site'))
    expect(createProjectId('/')).toMatch(/^project-/)
  })
})

describe('what is pinned', () => {
  test('is the same however it is laid out, and another with any other value', () => {
    const entry = { command: 'x', args: ['a', 'b'], env: { A: '1', B: '2' } }
    expect(digestEntry({ env: { B: '2', A: '1' }, args: ['a', 'b'], command: 'x' })).toBe(digestEntry(entry))
    for (const other of [{ command: 'y' }, { args: ['b', 'a'] }, { env: { A: '1' } }, { cwd: '/' }]) {
      expect(digestEntry({ ...entry, ...other })).not.toBe(digestEntry(entry))
    }
  })

  test('of variables are names and values, but of secrets the names', () => {
    const pinned = digestVariables({ API_TOKEN: 'one', MODE: 'fast' })
    expect(digestVariables({ MODE: 'fast', API_TOKEN: 'two' })).toBe(pinned)
    expect(digestVariables({ API_TOKEN: 'one', MODE: 'slow' })).not.toBe(pinned)
    expect(digestVariables({ API_TOKEN: 'one', MODE: 'fast', NODE_OPTIONS: '-r x' })).not.toBe(pinned)
  })
})

test('an entry is shown with what would run and whose variables it takes, and without secrets', () => {
  const entry = {
    command: 'npx',
    args: ['-y', 'some server', '--token', 'ghp_0123456789abcdefghijABCDEFGHIJ012345'],
    env: { GITHUB_TOKEN: `\${GITHUB_TOKEN}`, PASSWORD: 'hunter2', MODE: `\${MODE:-fast}` },
    inheritEnv: true,
  }
  expect(showEntry(entry)).toEqual([
    'runs npx -y "some server" --token "[masked]"',
    `env GITHUB_TOKEN=\${GITHUB_TOKEN}`,
    'env PASSWORD=[masked]',
    `env MODE=\${MODE:-fast}`,
    'inheritEnv true',
    'uses your variables GITHUB_TOKEN, MODE',
  ])
})

test('a secret in the login of an entry is masked by its key, however short it is', () => {
  const entry = { url: 'https://example.com/mcp', oauth: { clientId: 'id', clientSecret: 'abc' } }
  expect(showEntry(entry)).toContain('oauth {"clientId":"id","clientSecret":"[masked]"}')
})

describe('a project', () => {
  const options = (more: Partial<ReadProjectOptions> = {}): ReadProjectOptions => ({
    own: own(),
    env: { PATH: '/bin' },
    config: switchboardFile.check({}),
    trusted: undefined,
    ...more,
  })
  const trustAll = async (folder: string) => {
    const trust = new ProjectTrust(join(root, 'trust'))
    const { servers } = await readProject(folder, options())
    const entries = servers.map(({ name, entry, shown }) => [name, { digest: digestEntry(entry), shown }] as const)
    await trust.write({ folder, trustedAt: new Date(0).toISOString(), servers: new Map(entries) })
    return trust.read(folder)
  }

  test('with what other clients write there runs what it can, and says of the rest why not', async () => {
    const folder = join(root, 'repo')
    await put('repo/.mcp.json', {
      mcpServers: {
        github: {
          type: 'http',
          url: `\${API_URL:-https://api.example.com}/mcp`,
          headers: { 'X-Key': `\${KEY:-none}` },
        },
        events: { type: 'sse', url: 'https://example.com/sse' },
        local: { type: 'stdio', command: './server.sh', args: [], env: {}, alwaysLoad: true, timeout: 5000 },
        helper: { type: 'http', url: 'https://x.example', headersHelper: 'print-token' },
        switchboard: { command: 'npx', args: ['switchboard', 'mcp'] },
        us: { command: 'switchboard', args: ['mcp', '--profile', 'x'] },
        here: { type: 'http', serverUrl: `http://127.0.0.1:${options().config.gateway.port}/mcp` },
      },
      other: true,
    })
    const trusted = await trustAll(folder)
    const reading = await readProject(folder, options({ trusted }))
    const id = createProjectId(folder)
    expect(reading.problems).toEqual([])
    expect(reading.runs).toMatchObject([
      { name: `github@${id}`, type: 'http', url: 'https://api.example.com/mcp', headers: { 'X-Key': 'none' } },
      { name: `events@${id}`, type: 'sse' },
      { name: `local@${id}`, command: './server.sh', cwd: folder, timeout: 5000, tools: { prefix: 'local' } },
    ])
    expect(reading.misconfigured).toMatchObject([
      { name: `helper@${id}`, reason: expect.stringContaining('headersHelper') },
    ])
  })

  test('means what Claude Code means by it: the same keys as init and server add understand', async () => {
    const folder = join(root, 'repo')
    const url = 'https://example.com/mcp'
    await put('repo/.mcp.json', {
      mcpServers: {
        chat: { type: 'http', url, oauth: { clientId: 'chat-id', callbackPort: 3118, scopes: 'read write' } },
        tidy: { command: './x', env: { PORT: 80 }, excludeTools: ['drop'], retry: 'never', alwaysAllow: ['a'] },
        strange: { type: 'http', url, oauth: { authorizationUrl: url } },
        both: { command: './x', url },
        half: { command: './x', args: ['a', 7] },
      },
    })
    const trusted = await trustAll(folder)
    const reading = await readProject(folder, options({ trusted }))
    const id = createProjectId(folder)
    expect(reading.runs).toMatchObject([
      {
        name: `chat@${id}`,
        oauth: { clientId: 'chat-id', redirectPort: 3118, redirectHost: 'localhost', scopes: ['read', 'write'] },
      },
      { name: `tidy@${id}`, command: './x', env: { PORT: '80' }, retry: 'never', tools: { deny: ['drop'] } },
    ])
    expect(reading.misconfigured).toMatchObject([
      { name: `strange@${id}`, reason: expect.stringContaining('"oauth.authorizationUrl"') },
      { name: `both@${id}`, reason: expect.stringContaining('both a command and a url') },
      { name: `half@${id}`, reason: expect.stringContaining('args') },
    ])
    // A person is shown what runs, and asked again when a key changes that means something here.
    const shown = new Map(reading.servers.map((server) => [server.name, server.shown]))
    expect(shown.get('chat')).toContain(
      'oauth {"clientId":"chat-id","redirectPort":3118,"redirectHost":"localhost","scopes":["read","write"]}',
    )
    expect(shown.get('tidy')).toEqual(['runs ./x', 'env PORT=80', 'retry never', 'tools {"deny":["drop"]}'])
    const { mcpServers } = JSON.parse(await readFile(join(folder, '.mcp.json'), 'utf8'))
    Object.assign(mcpServers.chat.oauth, { callbackPort: 3119 })
    Object.assign(mcpServers.tidy, { alwaysAllow: ['a', 'b'] })
    await put('repo/.mcp.json', { mcpServers })
    const { servers } = await readProject(folder, options({ trusted }))
    expect(servers.filter(({ state }) => state === 'changed').map(({ name }) => name)).toEqual(['chat'])
  })

  test("in a client's words is yours where it is the same as your own", async () => {
    const folder = join(root, 'repo')
    await put('repo/.mcp.json', {
      mcpServers: { docs: { type: 'streamable-http', serverUrl: 'https://example.com/mcp', headers: { A: 1 } } },
    })
    const mine = { url: 'https://example.com/mcp', headers: { A: '1' } }
    const config = switchboardFile.check({ mcpServers: { docs: mine } })
    expect((await readProject(folder, options({ config }))).servers).toMatchObject([{ state: 'yours' }])
  })

  test('may not show its names without their beginning, nor take the beginning of another', async () => {
    const folder = join(root, 'repo')
    await put('repo/.switchboard/config.json', {
      mcpServers: {
        bare: { command: 'x', tools: { prefix: false } },
        sly: { command: 'x', tools: { prefix: 'mine' } },
        mine_too: { command: 'x' },
      },
      profiles: {},
    })
    const trusted = await trustAll(folder)
    const config = switchboardFile.check({ mcpServers: { mine: { command: 'y' } } })
    const { runs, misconfigured, problems } = await readProject(folder, options({ trusted, config }))
    expect(runs.map(({ tools }) => tools.prefix)).toEqual(['project_mine', 'project_mine_too'])
    expect(misconfigured).toMatchObject([{ reason: expect.stringContaining('begins with its own name') }])
    expect(problems).toEqual([expect.stringContaining('"profiles" is not read')])
  })

  test('that names one server in both files has that of ours, and tells it', async () => {
    const folder = join(root, 'repo')
    await put('repo/.switchboard/config.json', { mcpServers: { db: { command: 'ours' } } })
    await put('repo/.mcp.json', { mcpServers: { db: { command: 'theirs' } } })
    const { servers, problems } = await readProject(folder, options())
    expect(servers).toMatchObject([{ name: 'db', file: '.switchboard/config.json', state: 'new' }])
    expect(problems).toEqual(['db: .switchboard/config.json has another one of that name, which counts'])
  })
})
