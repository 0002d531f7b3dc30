// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the syntax of variables is what is written here
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listTables } from '@switchboard/config/file'
import { formatJson } from '@switchboard/config/text'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import {
  CONFIGURATION_DOCUMENT,
  generateConfigurationFiles,
} from '../../src/configuration/generate-configuration-files.ts'
import { switchboardFile } from '../../src/configuration/switchboard-file.ts'
import { readText } from './read-config.ts'

const validate = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true }).compile(
  switchboardFile.createSchema(),
)

function isAccepted(config: unknown): boolean {
  try {
    readText(JSON.stringify(config))
    return true
  } catch {
    return false
  }
}

const x = { command: 'x' }
const remote = { url: 'https://example.com' }

describe('the JSON Schema and the checker agree', () => {
  it.each<[object]>([
    [{}],
    [
      {
        $schema: './s.json',
        mcpServers: {},
        queues: { q: { concurrent: 1024 } },
        presets: ['dmn'],
        startParallelism: 256,
      },
    ],
    [{ mcpServers: { a: x, 'b.c-d_e': remote } }],
  ])('that %j is valid', (config) => {
    expect({ checker: isAccepted(config), schema: validate(config) }).toEqual({ checker: true, schema: true })
  })

  it.each<[unknown]>([
    [[]],
    [{ other: 1 }],
    [{ mcpServers: [] }],
    [{ mcpServers: { '-a': x } }],
    [{ mcpServers: { ['a'.repeat(65)]: x } }],
    [{ queues: { q: {} } }],
    [{ queues: { q: { concurrent: 0 } } }],
    [{ queues: { q: { concurrent: 1, more: 1 } } }],
    [{ presets: ['other'] }],
    [{ presets: ['dmn', 'dmn'] }],
    [{ startParallelism: 257 }],
    [{ $schema: 1 }],
  ])('that %j is invalid', (config) => {
    expect({ checker: isAccepted(config), schema: validate(config) }).toEqual({ checker: false, schema: false })
  })

  it.each<[object]>([
    [{ ...x, type: 'local' }],
    [{ ...x, type: 'stdio', args: [], cwd: '~', env: { A: '' }, inheritEnv: true, install: 'how' }],
    [{ ...remote, type: 'remote', headers: { A: '' } }],
    [{ ...remote, type: 'streamable-http' }],
    [{ url: 'wss://h', type: 'websocket' }],
    [{ url: '${UNSET:-https}://h' }],
    [{ ...x, enabled: false, disabled: true }],
    [{ ...x, timeout: 1, initTimeout: '0.5s', idleTimeout: 'off', restartWait: '1h', toolTimeouts: { t: '1ms' } }],
    [{ ...x, idleTimeout: false }],
    [{ ...x, idleTimeout: '1m', start: 'lazy', shared: false, interactive: 'private' }],
    [{ ...x, interactive: true, healthProbe: 'listTools', validate: false, retry: 'never', concurrency: 1 }],
    [{ ...x, tools: {} }],
    [{ ...x, tools: { allow: ['a*'], deny: [], rename: { a: 'b' }, prefix: false } }],
    [{ ...x, tools: { prefix: 'p' } }],
    [{ ...x, autoApprove: ['a'], description: 'y', trust: true }],
    [{ httpUrl: 'https://h' }],
  ])('that the server %j is valid', (server) => {
    const config = { mcpServers: { s: server } }
    expect({ checker: isAccepted(config), schema: validate(config) }).toEqual({ checker: true, schema: true })
  })

  it.each<[unknown]>([
    ['x'],
    [{}],
    [{ type: 'stdio' }],
    [{ ...x, ...remote }],
    [{ ...x, type: 'http' }],
    [{ ...remote, type: 'stdio' }],
    [{ ...remote, type: 'other' }],
    [{ ...x, headers: {} }],
    ...['args', 'cwd', 'env', 'inheritEnv', 'install'].map((key): [unknown] => [{ ...remote, [key]: 'y' }]),
    [{ url: 'ftp://h' }],
    [{ url: 'nowhere' }],
    [{ command: '' }],
    [{ command: ['x'] }],
    [{ ...x, args: 'y' }],
    [{ ...x, args: [1] }],
    [{ ...x, env: { A: 1 } }],
    [{ ...x, env: { '': 'a' } }],
    [{ ...remote, headers: { 'a b': 'c' } }],
    [{ ...x, comand: 'y' }],
    [{ ...x, disabledTools: ['y'] }],
    [{ ...x, enabled: 1 }],
    [{ ...x, timeout: '0s' }],
    [{ ...x, timeout: 0 }],
    [{ ...x, timeout: '5' }],
    [{ ...x, timeout: 604_800_001 }],
    [{ ...x, timeout: 'off' }],
    [{ ...x, idleTimeout: true }],
    [{ ...x, toolTimeouts: { t: 'soon' } }],
    [{ ...x, concurrency: 1025 }],
    [{ ...x, concurrency: 1.5 }],
    [{ ...x, interactive: 'yes' }],
    [{ ...x, tools: { allow: [] } }],
    [{ ...x, tools: { deny: ['[a]'] } }],
    [{ ...x, tools: { prefix: '' } }],
    [{ ...x, tools: { prefix: true } }],
    [{ ...x, tools: { rename: { a: 'b c' } } }],
    [{ ...x, tools: { other: 1 } }],
  ])('that the server %j is invalid', (server) => {
    const config = { mcpServers: { s: server } }
    expect({ checker: isAccepted(config), schema: validate(config) }).toEqual({ checker: false, schema: false })
  })
})

describe('every key', () => {
  const tables = listTables(switchboardFile.table).map(({ table }) => table)
  const keys = new Set(tables.flatMap(({ fields }) => Object.keys(fields)))

  it.each([...keys])('%s is documented in the table and described in the schema', (key) => {
    expect(switchboardFile.createDocs()).toContain(`| \`${key}\` |`)
    expect(formatJson(switchboardFile.createSchema())).toContain(`"${key}": {\n`)
  })

  it('has a description that is a sentence', () => {
    for (const { fields } of tables) {
      for (const [key, { doc }] of Object.entries(fields)) expect(doc, key).toMatch(/^[A-Z`].*\.$/)
    }
  })
})

describe('the generated files', () => {
  const root = join(import.meta.dirname, '../../../..')
  const readRepositoryFile = (path: string): string => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n')
  const document = readRepositoryFile(CONFIGURATION_DOCUMENT)

  it.each(generateConfigurationFiles(document))(
    'are current: $path (else run `npm run generate`)',
    ({ path, content }) => {
      expect(readRepositoryFile(path)).toBe(content)
    },
  )

  it('keep what is written by hand around the generated part', () => {
    const text = 'before\n<!-- generated:configuration -->\noutdated\n<!-- /generated -->\nafter\n'
    const content = generateConfigurationFiles(text)[1]?.content
    expect(content).toMatch(/^before\n<!-- generated:configuration -->\n\n### The file/)
    expect(content).toMatch(/\n\n<!-- \/generated -->\nafter\n$/)
    expect(content).not.toContain('outdated')
  })

  it('refuse a document without the marks', () => {
    expect(() => generateConfigurationFiles('text')).toThrow('docs/configuration.md needs the lines')
  })

  it('show an example that is valid', () => {
    const [, example = ''] = /```jsonc\n(.*?)```/s.exec(document) ?? []
    expect(readText(example, { TRACKER_TOKEN: 't' }).servers.map(({ name }) => name)).toEqual(['memory', 'tracker'])
  })
})
