// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of variables is what is written here
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { DAEMON_TABLE, TCP_TABLE } from '../../src/config/daemon-fields.ts'
import { POOL_TABLE, QUEUE_TABLE, SERVER_TABLE, TOOLS_TABLE } from '../../src/config/fields.ts'
import {
  GATEWAY_TABLE,
  OAUTH_TABLE,
  PROFILE_TABLE,
  PROFILE_TOOLS_TABLE,
  RATE_TABLE,
} from '../../src/config/gateway-fields.ts'
import { checkPoolConfig } from '../../src/config/pool-config.ts'
import type { McpPoolInput, ServerInput, ToolRulesInput } from '../../src/config/pool-input.ts'
import { ProblemList } from '../../src/config/problems.ts'
import type { FieldTable } from '../../src/config/read-fields.ts'
import { createNodeOfValue } from '../../src/config/source-node.ts'
import { BASE_DIRECTORY, catchError, readServer, readText } from './read-config.ts'

const COMMON_DEFAULTS = {
  name: 's',
  enabled: true,
  shared: true,
  start: 'eager',
  healthProbe: 'ping',
  timeout: 60_000,
  toolTimeouts: {},
  initTimeout: 30_000,
  idleTimeout: undefined,
  concurrency: 16,
  queue: undefined,
  tools: { allow: [], deny: [], rename: {}, prefix: 's' },
  interactive: 'auto',
  validate: true,
  retry: 'safe',
  restartWait: 5000,
  install: undefined,
}

describe('defaults', () => {
  it('fills a local server', () => {
    expect({ ...readServer({ command: 'program' }) }).toEqual({
      ...COMMON_DEFAULTS,
      type: 'stdio',
      command: 'program',
      args: [],
      cwd: undefined,
      env: {},
      inheritEnv: false,
    })
  })

  it('fills a remote server', () => {
    expect({ ...readServer({ url: 'https://example.com/mcp' }) }).toEqual({
      ...COMMON_DEFAULTS,
      type: 'http',
      typeIsExplicit: false,
      url: 'https://example.com/mcp',
      headers: {},
    })
  })

  it('fills an empty file', () => {
    expect(readText('{}')).toMatchObject({ servers: [], queues: {}, startParallelism: 8, profiles: {} })
    expect(readText('{}').gateway).toMatchObject({ host: '127.0.0.1', port: 19_877, requireAuth: false, rates: {} })
    expect(readText('{}').daemon).toEqual({ tcp: undefined, idleTimeout: undefined, drain: 5_000 })
  })

  it.each([
    [false, undefined],
    [true, { port: 19_876 }],
    [{}, { port: 19_876 }],
    [{ port: 0 }, { port: 0 }],
  ])('reads daemon.tcp %j as %j', (tcp, expected) => {
    expect(readText(JSON.stringify({ daemon: { tcp } })).daemon.tcp).toEqual(expected)
  })

  it.each(['yes', 19_876, null, []])('refuses daemon.tcp %j', (tcp) => {
    expect(() => readText(JSON.stringify({ daemon: { tcp } }))).toThrow('daemon.tcp')
  })

  const tables: readonly FieldTable[] = [
    POOL_TABLE.fields,
    SERVER_TABLE.fields,
    TOOLS_TABLE.fields,
    QUEUE_TABLE.fields,
    PROFILE_TABLE.fields,
    PROFILE_TOOLS_TABLE.fields,
    GATEWAY_TABLE.fields,
    OAUTH_TABLE.fields,
    RATE_TABLE.fields,
    DAEMON_TABLE.fields,
    TCP_TABLE.fields,
  ]
  const written = tables.flatMap((table) => Object.entries(table)).filter(([, { written }]) => written !== undefined)
  it.each(written)('reads the documented default of %s as what is used without the key', (key, field) => {
    const context = { problems: new ProblemList(), env: {}, unresolved: 'refuse' } as const
    expect(field.type.read(createNodeOfValue(field.written), [key], context)).toEqual({ value: field.fallback })
    context.problems.throwOnAny()
  })

  const examples = tables.flatMap((table) => Object.entries(table)).filter(([, field]) => field.examples !== undefined)
  it.each(examples)('accepts the documented examples of %s', (key, field) => {
    const context = { problems: new ProblemList(), env: {}, unresolved: 'keep' } as const
    for (const example of field.examples ?? []) field.type.read(createNodeOfValue(example), [key], context)
    context.problems.throwOnAny()
  })
})

describe('every key', () => {
  it('of a local server is read', () => {
    const queues = { heavy: { concurrent: 2 } }
    const entry = {
      type: 'stdio',
      command: 'program',
      args: ['--flag', ''],
      cwd: 'work',
      env: { KEY: 'value', __proto__x: 'y' },
      inheritEnv: true,
      install: 'pipx install program',
      enabled: true,
      shared: false,
      start: 'lazy',
      healthProbe: 'listTools',
      timeout: '2m',
      toolTimeouts: { build: '1h', constructor: 5 },
      initTimeout: 1500,
      idleTimeout: '15m',
      restartWait: '0.5s',
      concurrency: 1,
      queue: 'heavy',
      tools: { allow: ['r*'], deny: ['w?'], rename: { run: 'go', constructor: 'make' }, prefix: 'p' },
      interactive: 'private',
      validate: false,
      retry: 'never',
    }
    const { name, ...rest } = readServer(entry, {}, { queues, startParallelism: 3 })
    expect(rest).toEqual({
      ...entry,
      cwd: resolve(BASE_DIRECTORY, 'work'),
      timeout: 120_000,
      toolTimeouts: { build: 3_600_000, constructor: 5 },
      idleTimeout: 900_000,
      restartWait: 500,
    })
  })

  it('has no inherited members where names are looked up', () => {
    const { toolTimeouts, tools } = readServer({ command: 'x' })
    expect(toolTimeouts.constructor).toBeUndefined()
    expect(tools.rename.toString).toBeUndefined()
  })

  it('of the tables is a key of the input types, and the other way round', () => {
    // Compile-time: a key that is missing on either side is a type error here.
    const server: Record<keyof ServerInput, true> = { ...mapKeys(SERVER_TABLE.fields) }
    const tools: Record<keyof ToolRulesInput, true> = { ...mapKeys(TOOLS_TABLE.fields) }
    const pool: Record<keyof McpPoolInput, true> = { ...mapKeys(POOL_TABLE.fields) }
    const serverBack: Record<keyof typeof SERVER_TABLE.fields, true> = server
    const toolsBack: Record<keyof typeof TOOLS_TABLE.fields, true> = tools
    const poolBack: Record<keyof typeof POOL_TABLE.fields, true> = pool
    expect(Object.keys({ ...serverBack, ...toolsBack, ...poolBack }).length).toBe(25 + 4 + 10)
  })
})

function mapKeys<T extends object>(table: T): Record<keyof T, true> {
  return Object.fromEntries(Object.keys(table).map((key) => [key, true])) as Record<keyof T, true>
}

describe('the transport', () => {
  it.each([
    [{ command: 'x' }, 'stdio', undefined],
    [{ command: 'x', type: 'stdio' }, 'stdio', undefined],
    [{ command: 'x', type: 'local' }, 'stdio', undefined],
    [{ url: 'http://localhost:1/mcp' }, 'http', false],
    [{ url: 'https://example.com', type: 'http' }, 'http', true],
    [{ url: 'https://example.com', type: 'streamable-http' }, 'http', true],
    [{ url: 'https://example.com', type: 'streamableHttp' }, 'http', true],
    [{ url: 'https://example.com', type: 'remote' }, 'http', false],
    [{ url: 'https://example.com', type: 'sse' }, 'sse', true],
    [{ url: 'ws://localhost:1' }, 'websocket', false],
    [{ url: 'wss://example.com', type: 'websocket' }, 'websocket', true],
  ])('of %j is %s', (entry, type, typeIsExplicit) => {
    const server = readServer(entry)
    expect(server.type).toBe(type)
    expect(server.type === 'stdio' ? undefined : server.typeIsExplicit).toBe(typeIsExplicit)
  })
})

describe('switching off', () => {
  it.each([
    [{}, true],
    [{ enabled: false }, false],
    [{ disabled: true }, false],
    [{ disabled: false }, true],
    [{ enabled: true, disabled: false }, true],
    [{ enabled: false, disabled: true }, false],
  ])('understands %j as enabled: %s', (flags, enabled) => {
    expect(readServer({ command: 'x', ...flags }).enabled).toBe(enabled)
  })

  it('keeps unresolved variables of a disabled server as they are written', () => {
    expect(
      readServer({ enabled: false, command: '${NOPE}', env: { A: '${NOPE}', B: '${SET}' } }, { SET: 'b' }),
    ).toMatchObject({
      command: '${NOPE}',
      env: { A: '${NOPE}', B: 'b' },
    })
    expect(readServer({ enabled: false, url: '${NOPE}' }).type).toBe('http')
    expect(readServer({ disabled: true, url: 'wss://${NOPE}/x' }).type).toBe('websocket')
  })

  it('lets disabled servers have no prefix beside an enabled one', () => {
    const server = { command: 'x', tools: { prefix: false } }
    const text = JSON.stringify({ mcpServers: { a: server, b: { ...server, enabled: false } } })
    expect(readText(text).servers.map(({ tools }) => tools.prefix)).toEqual([false, false])
  })

  it('reads idleTimeout off and false as no idle timeout', () => {
    expect(readServer({ command: 'x', idleTimeout: 'off' }).idleTimeout).toBeUndefined()
    expect(readServer({ command: 'x', idleTimeout: false }).idleTimeout).toBeUndefined()
  })
})

describe('texts', () => {
  const env = { HOME: join(BASE_DIRECTORY, 'home'), USERPROFILE: join(BASE_DIRECTORY, 'home'), DIR: 'dir', TOKEN: 't' }

  it('expands variables in command, args, env, cwd, url and headers', () => {
    expect(
      readServer(
        { command: '${DIR}/x', args: ['--dir=${DIR}', '$${DIR}'], env: { A: '${TOKEN}' }, cwd: '${DIR}' },
        env,
      ),
    ).toMatchObject({
      command: 'dir/x',
      args: ['--dir=dir', '${DIR}'],
      env: { A: 't' },
      cwd: resolve(BASE_DIRECTORY, 'dir'),
    })
    expect(readServer({ url: '${SCHEME:-wss}://h/${DIR}', headers: { A: 'Bearer ${TOKEN}' } }, env)).toMatchObject({
      type: 'websocket',
      url: 'wss://h/dir',
      headers: { A: 'Bearer t' },
    })
  })

  it('expands ~ at the start of command and cwd only', () => {
    expect(readServer({ command: '~/bin/x', cwd: '~', args: ['~/y'] }, env)).toMatchObject({
      command: `${env.HOME}/bin/x`,
      cwd: env.HOME,
      args: ['~/y'],
    })
    expect(readServer({ command: '~other/x', cwd: '~/sub' }, {})).toMatchObject({
      command: '~other/x',
      cwd: resolve(homedir(), 'sub'),
    })
  })

  it('leaves an absolute cwd alone', () => {
    const cwd = resolve(BASE_DIRECTORY, '..', 'elsewhere')
    expect(readServer({ command: 'x', cwd })).toMatchObject({ cwd })
  })
})

describe('checkPoolConfig', () => {
  it('takes a plain object and ignores undefined members', () => {
    const { servers } = checkPoolConfig({ mcpServers: { s: { command: 'x', url: undefined } } }, { env: {} })
    expect(servers).toMatchObject([{ name: 's', command: 'x' }])
  })

  it('reports key paths without lines, and the source if there is one', () => {
    const input: McpPoolInput = JSON.parse('{"mcpServers":{"a.b":{"command":"x","timout":1}}}')
    const message = 'mcpServers["a.b"].timout: unknown key. Expected a key of a server. Did you mean "timeout"?'
    expect(catchError(() => checkPoolConfig(input, { env: {} })).message).toBe(message)
    const named = catchError(() => checkPoolConfig(input, { env: {}, source: 'options' }))
    expect(named.message).toBe(`options: ${message}`)
    expect(named.details).toEqual({
      problems: [
        {
          file: 'options',
          key: 'mcpServers["a.b"].timout',
          problem: 'unknown key',
          expected: 'a key of a server',
          nearest: 'timeout',
        },
      ],
    })
  })

  it.each([
    [{ mcpServers: new Map() }, 'mcpServers: is a value that JSON cannot hold. Expected an object of servers.'],
    [[], 'is a list. Expected an object: the configuration.'],
    [
      { mcpServers: { s: { command: 'x', concurrency: Number.NaN } } },
      'mcpServers.s.concurrency: is the number NaN. Expected a whole number from 1 to 1024.',
    ],
  ])('refuses what is no JSON: %s', (input, message) => {
    expect(catchError(() => checkPoolConfig(input as unknown as McpPoolInput, { env: {} })).message).toBe(message)
  })
})
