import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Catalog } from '@switchboard/protocol'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createCatalogCache, noCatalogCache } from '../../src/cache/catalog-cache.ts'
import type { RemoteServerConfig } from '../../src/config/server-config.ts'
import { createConfig, NO_LOGIN } from '../helpers/upstream-harness.ts'

const CATALOG: Catalog = {
  tools: [{ name: 'a', inputSchema: { type: 'object' }, 'x-own': 1 }],
  resources: [],
  templates: [],
  prompts: [],
  instructions: 'Say a.',
  capabilities: { tools: {} },
}

let folder: TemporaryDirectory
beforeEach(async () => {
  folder = await createTemporaryDirectory()
})
afterEach(() => folder.remove())

const config = createConfig()

function createRemote(url: string): RemoteServerConfig {
  const { command: _command, args: _args, cwd: _cwd, env: _env, inheritEnv: _inherit, ...common } = config
  return {
    ...common,
    type: 'http',
    typeIsExplicit: true,
    url,
    headers: { Authorization: 'Bearer secret' },
    oauth: NO_LOGIN,
  }
}

describe('createCatalogCache', () => {
  it('gives back what was saved, in another cache over the same folder', async () => {
    const learned = { era: 'modern', transport: 'sse', asks: ['ask'], catalog: CATALOG } as const
    await createCatalogCache(folder.path).save(config, learned)
    expect(createCatalogCache(folder.path).load(config)).toEqual(learned)
  })

  it('knows nothing of a server it never saw, in a folder that is not there yet', async () => {
    const cache = createCatalogCache(folder.file('not', 'there'))
    expect(cache.load(config)).toEqual({})
    await cache.save(config, { era: 'legacy' })
    expect(cache.load(config)).toEqual({ era: 'legacy' })
  })

  it('tells servers apart by what they run, not by how long they may take', async () => {
    const cache = createCatalogCache(folder.path)
    await cache.save(config, { era: 'legacy' })
    expect(cache.load({ ...config, timeout: 5, concurrency: 1 })).toEqual({ era: 'legacy' })
    expect(cache.load({ ...config, command: 'other' })).toEqual({})
    expect(cache.load({ ...config, args: ['--more'] })).toEqual({})
    expect(cache.load({ ...config, cwd: '/elsewhere' })).toEqual({})
  })

  it('tells remote servers apart by origin and path; queries and headers are not part of it', async () => {
    const cache = createCatalogCache(folder.path)
    await cache.save(createRemote('https://example.test/mcp?key=1'), { era: 'modern' })
    expect(cache.load(createRemote('https://example.test/mcp?key=2'))).toEqual({ era: 'modern' })
    expect(cache.load(createRemote('https://example.test/other'))).toEqual({})
    expect(cache.load(createRemote('https://example.test:8443/mcp'))).toEqual({})
    const texts = await Promise.all((await readdir(folder.path)).map((name) => readFile(folder.file(name), 'utf8')))
    expect(texts.join('')).not.toMatch(/secret|key=/)
  })

  it.each([
    ['no JSON', '{"format":1,'],
    ['no object', '[]'],
    ['of another format', '{"format":99,"era":"legacy"}'],
    ['empty', ''],
  ])('takes a file that is %s for none', async (_what, text) => {
    const cache = createCatalogCache(folder.path)
    await cache.save(config, { era: 'legacy' })
    const [name = ''] = await readdir(folder.path)
    await writeFile(join(folder.path, name), text)
    expect(cache.load(config)).toEqual({})
  })

  it('takes what is sound of a file and leaves the rest', async () => {
    const cache = createCatalogCache(folder.path)
    await cache.save(config, { era: 'legacy' })
    const [name = ''] = await readdir(folder.path)
    const odd = { format: 1, era: 'future', transport: 'sse', asks: [7], catalog: { tools: 'none' } }
    await writeFile(join(folder.path, name), JSON.stringify(odd))
    expect(cache.load(config)).toEqual({ transport: 'sse' })
  })

  it('keeps the last of many saves at once, whole, and leaves no temporary file', async () => {
    const cache = createCatalogCache(folder.path)
    const saves = Array.from({ length: 50 }, (_, index) =>
      cache.save(config, { era: 'legacy', catalog: { ...CATALOG, instructions: `save ${index}` } }),
    )
    await Promise.all(saves)
    expect(cache.load(config).catalog?.instructions).toBe('save 49')
    expect(await readdir(folder.path)).toHaveLength(1)
  })

  it('never rejects when its folder cannot be written', async () => {
    const blocked = folder.file('blocked')
    await writeFile(blocked, 'a file where the folder should be')
    const cache = createCatalogCache(blocked)
    await expect(cache.save(config, { era: 'legacy' })).resolves.toBeUndefined()
    expect(cache.load(config)).toEqual({})
  })

  it('remembers nothing where no folder was given', async () => {
    await noCatalogCache.save(config, { era: 'legacy' })
    expect(noCatalogCache.load(config)).toEqual({})
  })
})
