import type { Catalog } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCatalogCache } from '../src/cache/catalog-cache.ts'
import { checkPoolConfig, type McpPoolInput } from '../src/config/pool-config.ts'
import { McpPool } from '../src/mcp-pool.ts'
import { createTool, failureOf } from './helpers/upstream-harness.ts'

/** Lazy servers list what is remembered of them, so a whole pool can be looked at without a single process. */
const CONFIG: McpPoolInput = {
  mcpServers: {
    files: { command: 'files-server', start: 'lazy' },
    off: { command: 'off-server', start: 'lazy', enabled: false },
  },
}
const CATALOG: Catalog = {
  tools: ['read_file', 'write_file'].map((name) => createTool(name)),
  resources: [],
  templates: [],
  prompts: [{ name: 'summarize' }],
  instructions: '',
  capabilities: { tools: {}, prompts: {} },
}

let folder: TemporaryDirectory
let pool: McpPool
beforeEach(async () => {
  folder = await createTemporaryDirectory()
  const cache = createCatalogCache(folder.path)
  for (const server of checkPoolConfig(CONFIG, { env: {} }).servers) {
    await cache.save(server, { era: 'legacy', catalog: CATALOG })
  }
  pool = new McpPool(CONFIG, { cacheDirectory: folder.path })
})
afterEach(async () => {
  await pool.close()
  await folder.remove()
})

describe('a pool that was not started', () => {
  it('lists the remembered tools of its lazy servers, but none of a disabled one', () => {
    expect(pool.tools().map(({ name }) => name)).toEqual(['files_read_file', 'files_write_file'])
    expect(pool.prompts().map(({ name }) => name)).toEqual(['files_summarize'])
    expect(pool.status().map(({ name, state }) => [name, state])).toEqual([
      ['files', 'idle'],
      ['off', 'disabled'],
    ])
  })

  it('suggests the nearest tools for a name that nobody has', async () => {
    const error = await failureOf(pool.call('files_raed_file'))
    expect(error).toMatchObject({ code: 'unknown_tool', executed: false })
    expect(error.hint).toContain('"files_read_file"')
    expect(error.details.suggestions).toContain('files_read_file')
    expect(await failureOf(pool.call('entirely different'))).toMatchObject({ details: { suggestions: [] } })
  })

  it('does not know the tools of a disabled server, and says what is the matter when it is named', async () => {
    expect(await failureOf(pool.call('off_read_file'))).toMatchObject({ code: 'unknown_tool' })
    expect(await failureOf(pool.request('off', 'ping'))).toMatchObject({ code: 'server_disabled' })
    expect(await failureOf(pool.request('flies', 'ping'))).toMatchObject({ hint: 'Did you mean "files"?' })
  })

  it('does not know prompts, resources and templates that nobody lists', async () => {
    expect(await failureOf(pool.getPrompt('files_sumarize'))).toMatchObject({ code: 'unknown_prompt' })
    expect(await failureOf(pool.readResource('file:///nowhere'))).toMatchObject({ code: 'unknown_resource' })
    const argument = { name: 'a', value: '' }
    const unknown = pool.complete({ type: 'ref/resource', uri: 'x://{y}' }, argument)
    expect(await failureOf(unknown)).toMatchObject({ code: 'unknown_resource' })
  })

  it('cannot be started once it is closed', async () => {
    await pool.close()
    expect(() => pool.start()).toThrow(SwitchboardError)
    expect(pool.status().map(({ state }) => state)).toEqual(['stopped', 'disabled'])
  })

  it('refuses a configuration that is wrong before anything is made of it', () => {
    expect(() => new McpPool({ mcpServers: { a: { comand: 'x' } } } as unknown as McpPoolInput)).toThrow(
      expect.objectContaining({ code: 'invalid_configuration' }),
    )
  })

  it('keeps its servers when a new configuration is wrong', async () => {
    const wrong = { mcpServers: { a: { comand: 'x' } } } as unknown as McpPoolInput
    expect(await failureOf(pool.reconfigure(wrong))).toMatchObject({ code: 'invalid_configuration' })
    expect(pool.tools()).toHaveLength(2)
  })
})
