/** A key for an upstream is one entry in the table of a server's keys: everything else follows. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { copyRepository, type RepositoryCopy } from '@switchboard/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'

const run = promisify(execFile)

const ENTRY = `
  patience: field(durationType, {
    fallback: 7000,
    written: '7s',
    unit: 'ms',
    kinds: STDIO,
    doc: 'How long a server may think before anybody wonders.',
  }),`

const READER = `
import { generateConfigurationFiles } from './packages/daemon/src/configuration/generate-configuration-files.ts'
import { switchboardFile } from './packages/daemon/src/configuration/switchboard-file.ts'

function check(entry) {
  try {
    const text = JSON.stringify({ mcpServers: { s: entry } }, null, 2)
    const [server] = switchboardFile.read({ text, file: 'config.json', env: {}, baseDirectory: '/' }).servers
    return server.patience
  } catch (error) {
    return error.message
  }
}

const [schema, docs] = generateConfigurationFiles('<!-- generated:configuration -->\\n<!-- /generated -->')
console.log(JSON.stringify({
  given: check({ command: 'x', patience: '90s' }),
  absent: check({ command: 'x' }),
  wrong: check({ command: 'x', patience: 'soon' }),
  near: check({ command: 'x', patiense: '90s' }),
  remote: check({ url: 'https://example.com', patience: '90s' }),
  schema: JSON.parse(schema.content).$defs.server.properties.patience,
  docs: docs.content.split('\\n').filter((line) => line.includes('patience')),
}))
`

const RIGHT = `
import type { ServerConfig, ServerInput } from '@switchboard/pool/config'
export const patienceOf = (server: ServerConfig): number => (server.type === 'stdio' ? server.patience : 0)
export const text: ServerInput = { command: 'x', patience: '90s' }
export const number: ServerInput = { command: 'x', patience: 90_000 }
`

const WRONG = `
import type { ServerConfig, ServerInput } from '@switchboard/pool/config'
export const asText = (server: ServerConfig): string => (server.type === 'stdio' ? server.patience : '')
export const ofRemote = (server: ServerConfig): unknown => (server.type === 'http' ? server.patience : '')
export const flag: ServerInput = { command: 'x', patience: true }
`

let copy: RepositoryCopy

beforeAll(async () => {
  copy = await copyRepository()
  const table = 'export const SERVER_FIELDS = {'
  await copy.replace('packages/pool/src/config/server-fields.ts', table, table + ENTRY)
})
afterAll(() => copy.remove())

it('is accepted, refused with its place, described in the schema and documented', async () => {
  await copy.write('reader.mjs', READER)
  const options = ['--conditions=switchboard-source', '--disable-warning=ExperimentalWarning']
  const { stdout } = await run(process.execPath, [...options, copy.file('reader.mjs')], { cwd: copy.path })
  expect(JSON.parse(stdout)).toEqual({
    given: 90_000,
    absent: 7000,
    wrong: expect.stringMatching(
      /^config\.json:5:19: mcpServers\.s\.patience: is the string "soon"\. Expected a duration/,
    ),
    near: expect.stringMatching(
      /^config\.json:5:7: mcpServers\.s\.patiense: unknown key\..* Did you mean "patience"\?$/,
    ),
    remote: expect.stringContaining('mcpServers.s.patience: does not apply to a server of type "http"'),
    schema: expect.objectContaining({
      description: 'How long a server may think before anybody wonders.',
      default: '7s',
    }),
    docs: ['| `patience` | duration | `"7s"` | stdio | How long a server may think before anybody wonders. |'],
  })
})

it('has its type, of what is read and of what is written', async () => {
  const options = { extends: './tsconfig.base.json', compilerOptions: { noEmit: true, composite: false } }
  for (const [name, text] of Object.entries({ right: RIGHT, wrong: WRONG })) {
    await copy.write(`${name}.ts`, text)
    await copy.write(`tsconfig.${name}.json`, JSON.stringify({ ...options, files: [`${name}.ts`] }))
  }
  const compile = (name: string): Promise<unknown> =>
    run(
      process.execPath,
      [join(copy.path, 'node_modules/typescript/bin/tsc'), '-p', copy.file(`tsconfig.${name}.json`)],
      {
        cwd: copy.path,
      },
    )
  await compile('right')
  const { stdout } = await compile('wrong').then(
    () => ({ stdout: 'nothing was refused' }),
    (error: { stdout: string }) => error,
  )
  expect(stdout.match(/^wrong\.ts\(\d+/gm)).toEqual(['wrong.ts(3', 'wrong.ts(4', 'wrong.ts(5'])
})
