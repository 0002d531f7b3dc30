// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of variables is what is written here

import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { FieldTable } from '@switchboard/config'
import { catchError } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { checkPoolConfig, type McpPoolInput } from '../../src/config/pool-config.ts'
import { SERVER_FIELDS } from '../../src/config/server-fields.ts'
import { BASE_DIRECTORY, readServer, readText } from './read-config.ts'

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
}

describe('defaults', () => {
  /** Those of the table: a new key has its default there. */
  const keysOf = (kind: string): readonly string[] =>
    Object.entries<FieldTable[string]>(SERVER_FIELDS)
      .filter(([key, { kinds }]) => key !== 'disabled' && kinds?.includes(kind) !== false)
      .map(([key]) => key)

  it('fill a local server', () => {
    const server = readServer({ command: 'program' })
    expect(server).toMatchObject({
      ...COMMON_DEFAULTS,
      type: 'stdio',
      command: 'program',
      args: [],
      cwd: undefined,
      env: {},
      inheritEnv: false,
      install: undefined,
    })
    expect(Object.keys(server).sort()).toEqual([...keysOf('stdio'), 'name'].sort())
  })

  it('fill a remote server', () => {
    const server = readServer({ url: 'https://example.com/mcp' })
    expect(server).toMatchObject({
      ...COMMON_DEFAULTS,
      type: 'http',
      typeIsExplicit: false,
      url: 'https://example.com/mcp',
      headers: {},
    })
    expect(Object.keys(server).sort()).toEqual([...keysOf('http'), 'name', 'typeIsExplicit'].sort())
  })

  it('fills an empty file', () => {
    expect(readText('{}')).toEqual({
      servers: [],
      misconfigured: [],
      queues: {},
      startParallelism: 8,
      definitions: 'pin',
    })
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
    const { name: _name, ...defaults } = readServer({ command: 'program' })
    expect(rest).toEqual({
      ...defaults,
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
})

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

  it('takes what is pasted from other clients, whatever only they read', () => {
    const cline = { command: 'x', autoApprove: ['a'], alwaysAllow: [], disabled: false, description: 'about' }
    expect(readServer(cline)).toEqual(readServer({ command: 'x' }))
    const gemini = { httpUrl: 'https://example.com/mcp', trust: true, headers: { A: 'b' } }
    expect(readServer(gemini)).toEqual(readServer({ url: 'https://example.com/mcp', headers: { A: 'b' } }))
    expect(readServer({ serverUrl: 'wss://example.com/mcp' }).type).toBe('websocket')
    expect(readServer({ url: 'https://one.example', serverUrl: 'https://two.example' })).toMatchObject({
      url: 'https://one.example',
    })
  })

  it('gives a server with a long name a prefix that leaves its tools their names', () => {
    const prefixOf = (name: string) => readText(JSON.stringify({ mcpServers: { [name]: { command: 'x' } } }))
    const long = (end: string) => prefixOf('a'.repeat(60) + end).servers[0]?.tools.prefix
    expect(prefixOf('b'.repeat(32)).servers[0]?.tools.prefix).toBe('b'.repeat(32))
    expect(long('')).toMatch(/^a{23}_[0-9a-f]{8}$/)
    expect(long('1')).not.toBe(long('2'))
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
