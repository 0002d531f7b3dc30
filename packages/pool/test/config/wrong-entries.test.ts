// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of variables is what is written here
import { catchError } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { readPoolConfig } from '../../src/config/pool-config.ts'
import type { PoolConfig } from '../../src/config/pool-section.ts'
import { BASE_DIRECTORY } from './read-config.ts'

function settle(config: unknown): PoolConfig {
  const text = typeof config === 'string' ? config : JSON.stringify(config)
  const place = { text, file: 'config.json', env: { SET: 'x' }, baseDirectory: BASE_DIRECTORY }
  return readPoolConfig({ ...place, wrongEntries: 'settle' })
}

const good = { command: 'x', env: { A: '${SET}' } }

describe('an entry that is wrong, where entries stand for themselves', () => {
  it('is told with its place and its variable, and the others are as they are', () => {
    const { servers, misconfigured } = settle({
      mcpServers: { first: good, v: { command: 'y', env: { T: '${NOT_SET}' } }, last: good },
    })
    expect(servers.map(({ name }) => name)).toEqual(['first', 'last'])
    expect(misconfigured).toEqual([
      {
        name: 'v',
        reason: expect.stringMatching(/^config\.json:1:\d+: mcpServers\.v\.env\.T: the variable NOT_SET is not set\./),
        problems: [expect.objectContaining({ key: 'mcpServers.v.env.T', line: 1 })],
      },
    ])
  })

  it.each([
    ['an unknown key', { command: 'x', comand: 'y' }, 'Did you mean "command"?'],
    ['no object', 7, 'is the number 7'],
    ['no transport', {}, 'has neither a command nor a url'],
    ['a queue that is not there', { command: 'x', queue: 'heavy' }, 'there is no queue "heavy"'],
    ['a second one without a prefix', { command: 'x', tools: { prefix: false } }, 'as it is on the server "first"'],
  ])('may have %s', (_name, entry, reason) => {
    const first = { command: 'x', tools: { prefix: false } }
    const { servers, misconfigured } = settle({ mcpServers: { first, bad: entry } })
    expect(servers.map(({ name }) => name)).toEqual(['first'])
    expect(misconfigured).toMatchObject([{ name: 'bad', reason: expect.stringContaining(reason) }])
  })

  it.each(['bad name', 'switchboard', ''])('may have the name %j', (name) => {
    const { servers, misconfigured } = settle({ mcpServers: { good, [name]: good } })
    expect(servers.map((server) => server.name)).toEqual(['good'])
    expect(misconfigured).toMatchObject([{ name }])
  })

  it('is there twice', () => {
    const { servers, misconfigured } = settle(
      '{"mcpServers": {"a": {"command": "x"}, "a": {"command": "y"}, "b": {"command": "z"}}}',
    )
    expect(servers.map(({ name }) => name)).toEqual(['b'])
    expect(misconfigured).toMatchObject([{ name: 'a', reason: expect.stringContaining('is there twice') }])
  })

  it('keeps the name from a preset', () => {
    const { servers, misconfigured } = settle({ presets: ['dmn'], mcpServers: { memory: { comand: 'x' } } })
    expect(servers.map(({ name }) => name)).not.toContain('memory')
    expect(misconfigured).toMatchObject([{ name: 'memory' }])
  })

  it('does not make up for what is wrong with the file', () => {
    const error = catchError(() => settle({ mcpServers: { v: { comand: 'x' } }, startParallelism: 0 }))
    expect(error.message).toMatch(/^config\.json:1:\d+: startParallelism: is the number 0/)
    expect(catchError(() => settle({ mcpServers: [] })).code).toBe('invalid_configuration')
  })
})
