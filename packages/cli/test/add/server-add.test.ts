import { mkdir, writeFile } from 'node:fs/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Outcome, TestHome, type TestIoOptions } from '../run-main.ts'

class Adding {
  readonly home: TestHome

  private constructor(home: TestHome) {
    this.home = home
  }

  static async create(): Promise<Adding> {
    const home = await TestHome.create()
    onTestFinished(() => home[Symbol.asyncDispose]())
    await mkdir(home.file('work'))
    return new Adding(home)
  }

  add(args: readonly string[], options: TestIoOptions & { input?: string } = {}): Promise<Outcome> {
    return this.home.run(['server', 'add', ...args], { cwd: this.home.file('work'), ...options })
  }

  async servers(): Promise<Record<string, Record<string, unknown>>> {
    const { readFile } = await import('node:fs/promises')
    return JSON.parse(await readFile(this.home.configFile, 'utf8')).mcpServers
  }

  async file(name: string, content: unknown): Promise<string> {
    await writeFile(this.home.file('work', name), typeof content === 'string' ? content : JSON.stringify(content))
    return name
  }
}

const MEMORY = { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] }

describe('a snippet', () => {
  it.each([
    ['Claude and Cursor', { mcpServers: { memory: MEMORY } }],
    ['VS Code', { servers: { memory: { type: 'stdio', ...MEMORY } } }],
    ['the settings of VS Code', { mcp: { servers: { memory: MEMORY } } }],
    ['Zed', { context_servers: { memory: { source: 'custom', ...MEMORY, env: {} } } }],
    ['Zed, as it was', { context_servers: { memory: { command: { path: MEMORY.command, args: MEMORY.args } } } }],
    ['nobody', { memory: MEMORY }],
    ['one entry alone', MEMORY],
    [
      'a README',
      `Add this:\n\n\`\`\`json\n{\n  // here\n  "mcpServers": { "memory": ${JSON.stringify(MEMORY)}, },\n}\n\`\`\`\n`,
    ],
    ['the middle of a file', `"memory": ${JSON.stringify(MEMORY)},`],
    ['Codex', `[mcp_servers.memory]\ncommand = "npx"\nargs = ["-y", "@modelcontextprotocol/server-memory"]\n`],
  ])('of %s is taken as a word, from stdin and from a file', async (_name, snippet) => {
    const text = typeof snippet === 'string' ? snippet : JSON.stringify(snippet)
    for (const way of ['word', 'stdin', 'file']) {
      const adding = await Adding.create()
      const source = way === 'word' ? text : way === 'stdin' ? '-' : await adding.file('snippet.md', text)
      const { code, err } = await adding.add([source], way === 'stdin' ? { input: text } : {})
      // A word that begins as a table of TOML or as prose is told by its line breaks.
      expect({ way, code, err }).toEqual({ way, code: 0, err: '' })
      expect(await adding.servers()).toEqual({ memory: MEMORY })
    }
  })

  it('is found in a README, wherever it stands among what is to be typed, and in the words of the first client', async () => {
    const fence = (kind: string, text: string): string => `\`\`\`${kind}\n${text}\n\`\`\`\n`
    const readme = [
      '# A server',
      fence('sh', 'npm install -g server-memory'),
      '1. Its package:',
      fence('json', '{ "name": "server-memory", "repository": { "type": "git", "url": "https://example.com/git" } }'),
      '2. In your client:',
      `~~~~json\n{ "mcpServers": { "memory": ${JSON.stringify(MEMORY)} } }\n~~~~`,
      fence('toml', '[mcp_servers.other]\ncommand = "docker"'),
    ].join('\n')
    const adding = await Adding.create()
    const { code, err } = await adding.add([await adding.file('README.md', readme)])
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(await adding.servers()).toEqual({ memory: MEMORY })
    const none = await adding.file('NONE.md', fence('sh', 'npm i x') + fence('json', '{ "a": 1 }'))
    expect((await adding.add([none])).err).toContain('There is no server in its 2 blocks of code')
  })

  it('keeps the letters of a name whose marks no name may have', async () => {
    const adding = await Adding.create()
    expect((await adding.add([JSON.stringify({ mcpServers: { Überblick: { command: 'x' } } })])).code).toBe(0)
    expect(Object.keys(await adding.servers())).toEqual(['Uberblick'])
  })

  it('with several servers adds all of them, or none', async () => {
    const adding = await Adding.create()
    const snippet = JSON.stringify({ mcpServers: { a: { command: 'a' }, b: { url: 'https://b.example.com/mcp' } } })
    const { code, out } = await adding.add([snippet])
    expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/added a: a\nadded b: https/) })
    const again = JSON.stringify({ mcpServers: { c: { command: 'c' }, a: { command: 'other' } } })
    expect((await adding.add([again])).err).toContain('"a" is already configured')
    expect(Object.keys(await adding.servers())).toEqual(['a', 'b'])
    expect((await adding.add(['mine', again])).err).toContain('There are 2 servers in it')
  })

  it('is renamed and changed by what the command line says, and says what is still to be set', async () => {
    const adding = await Adding.create()
    const env = { KEY: `\${input:api-key}`, HOST: `\${env:HOST_NAME}`, LITERAL: `\${a b}` }
    const { out } = await adding.add([
      'mine',
      JSON.stringify({ command: 'x', env, other: 1 }),
      '-e',
      'MORE=1',
      '--set',
      'timeout=9s',
    ])
    expect(out).toContain('other mean nothing here')
    expect(out).toContain(`\${API_KEY} is still to be set`)
    expect(await adding.servers()).toEqual({
      mine: {
        command: 'x',
        env: { KEY: `\${API_KEY}`, HOST: `\${HOST_NAME}`, LITERAL: '$${a b}', MORE: '1' },
        timeout: '9s',
      },
    })
  })

  it('with a login is taken in our words, and one in the words of ourselves as it is', async () => {
    const adding = await Adding.create()
    const url = 'https://example.com/mcp'
    const own = { url, oauth: { clientId: 'id', redirectPort: 8080 }, retry: 'never', tools: { deny: ['x'] } }
    const foreign = { type: 'http', url: `${url}/2`, oauth: { clientId: 'id', callbackPort: 8080 } }
    const { err } = await adding.add([JSON.stringify({ mcpServers: { own, foreign } })])
    expect(err).toBe('')
    expect(await adding.servers()).toEqual({
      own,
      foreign: {
        type: 'http',
        url: `${url}/2`,
        oauth: { clientId: 'id', redirectPort: 8080, redirectHost: 'localhost' },
      },
    })
    const strange = JSON.stringify({ url, oauth: { tokenUrl: url } })
    expect((await adding.add([strange])).err).toContain('in a way of its own ("oauth.tokenUrl")')
  })

  it.each([
    ['{"mcpServers": {', 'It is not JSON: line 1'],
    ['{"mcpServers": {}}', 'There is no server in it'],
    ['x: 1\ny: 2', 'neither JSON nor TOML'],
    ['{"a": {"command": "a", "envFile": ".env"}}', 'it reads its variables from a file'],
  ])('that cannot be added is refused: %s', async (snippet, problem) => {
    const adding = await Adding.create()
    const { code, err } = await adding.add([snippet])
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(problem) })
  })
})

it.each([
  [['https://mcp.example.com/mcp'], 'example'],
  [['mine', 'https://mcp.example.com/mcp'], 'mine'],
  [['--url', 'http://localhost:8080/sse'], 'localhost'],
])('an address is enough: %j', async (args, name) => {
  const adding = await Adding.create()
  expect((await adding.add(args)).code).toBe(0)
  expect(Object.keys(await adding.servers())).toEqual([name])
})

it('a forgotten -- before the command is what the hint is about', async () => {
  const adding = await Adding.create()
  expect((await adding.add(['x', 'npx'])).err).toContain('behind a "--"')
})

it('a command names its server, where nobody does', async () => {
  const adding = await Adding.create()
  await adding.add(['--', 'npx', '-y', '@modelcontextprotocol/server-everything@2.0.0'])
  await adding.add(['--', 'uvx', 'mcp-server-fetch'])
  await adding.add(['--', '/opt/weather.py', '--stdio'])
  expect(Object.keys(await adding.servers())).toEqual(['everything', 'fetch', 'weather'])
})

/** As publishers write it, cut to what is read. */
const WEATHER = {
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-10-17/server.schema.json',
  name: 'io.github.somebody/weather',
  description: 'Weather',
  version: '1.0.2',
  packages: [
    {
      registryType: 'npm',
      identifier: '@somebody/weather-mcp',
      version: '1.0.2',
      transport: { type: 'stdio' },
      packageArguments: [
        { type: 'positional', value: 'start' },
        { type: 'named', name: '--units', default: 'metric' },
        { type: 'named', name: '--place', isRequired: true, valueHint: 'place', description: 'Where' },
        { type: 'named', name: '--optional', valueHint: 'x' },
      ],
      environmentVariables: [
        { name: 'WEATHER_KEY', description: 'The key', isRequired: true, isSecret: true },
        { name: 'WEATHER_LANG', default: 'en' },
        { name: 'WEATHER_TRACE' },
      ],
    },
    { registryType: 'pypi', identifier: 'weather-mcp', version: '1.0.3', transport: { type: 'stdio' } },
    {
      registryType: 'oci',
      identifier: 'images.example.com/somebody/weather',
      version: '1.0.2',
      transport: { type: 'stdio' },
      runtimeArguments: [
        { type: 'named', name: '-v', value: '{folder}:/data', variables: { folder: { isRequired: true } } },
      ],
      environmentVariables: [{ name: 'WEATHER_KEY', isRequired: true }],
    },
    { registryType: 'mcpb', identifier: 'https://example.com/weather.mcpb', transport: { type: 'stdio' } },
  ],
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{region}.example.com/mcp',
      variables: { region: { default: 'eu' } },
      headers: [{ name: 'X-API-Key', isRequired: true, isSecret: true }],
    },
  ],
}

describe('a server.json', () => {
  it('is added by its npm package; what is required and secret becomes a variable', async () => {
    const adding = await Adding.create()
    const file = await adding.file('server.json', WEATHER)
    const refused = await adding.add([file])
    expect(refused.err).toContain('needs place')
    expect(refused.err).toContain('--input place=…')
    const { code, out } = await adding.add([file, '--input', 'place=Oslo'])
    expect(code).toBe(0)
    expect(out).toContain(
      `\${WEATHER_KEY} is still to be set where Switchboard is started, or given with --input WEATHER_KEY=… (The key)`,
    )
    expect(out).toContain('--way pypi|oci|remote takes another one')
    expect(await adding.servers()).toEqual({
      weather: {
        command: 'npx',
        args: ['-y', '@somebody/weather-mcp@1.0.2', 'start', '--units', 'metric', '--place', 'Oslo'],
        env: { WEATHER_KEY: `\${WEATHER_KEY}`, WEATHER_LANG: 'en' },
      },
    })
  })

  it.each([
    [['--way', 'pypi'], { command: 'uvx', args: ['weather-mcp@1.0.3'] }],
    [
      ['--way', 'oci', '--input', 'folder=/srv', '--input', 'WEATHER_KEY=k'],
      {
        command: 'docker',
        args: [
          'run',
          '-i',
          '--rm',
          '-e',
          'WEATHER_KEY',
          '-v',
          '/srv:/data',
          'images.example.com/somebody/weather:1.0.2',
        ],
        env: { WEATHER_KEY: 'k' },
      },
    ],
    [
      ['--way', 'remote', '--input', 'region=us'],
      { type: 'http', url: 'https://us.example.com/mcp', headers: { 'X-API-Key': `\${X_API_KEY}` } },
    ],
  ])('is added by %j', async (args, entry) => {
    const adding = await Adding.create()
    const file = await adding.file('server.json', { server: WEATHER, _meta: {} })
    expect((await adding.add(['w', file, ...args])).err).toBe('')
    expect(await adding.servers()).toEqual({ w: entry })
  })

  it('in the older spelling is understood, and one that cannot be run says what it has', async () => {
    const adding = await Adding.create()
    const old = {
      name: 'io.github.somebody/old',
      packages: [
        {
          registry_type: 'npm',
          identifier: 'old',
          version: '2.0.0',
          environment_variables: [{ name: 'A', is_required: true }],
        },
      ],
    }
    await adding.add([await adding.file('server.json', old)])
    expect(await adding.servers()).toEqual({ old: { command: 'npx', args: ['-y', 'old@2.0.0'], env: { A: `\${A}` } } })
    const bundle = { name: 'x/y', packages: [{ registryType: 'mcpb', identifier: 'https://example.com/x.mcpb' }] }
    expect((await adding.add([await adding.file('other.json', bundle)])).err).toContain('it has mcpb')
    const option = { name: 'x/y', packages: [{ registryType: 'npm', identifier: '--eval=1' }] }
    expect((await adding.add([await adding.file('evil.json', option)])).code).toBe(2)
  })
})
