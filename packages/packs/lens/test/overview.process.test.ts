/** What a person is told of the whole index, and of one conflict. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { type Lens, useLens } from './helpers/lens.ts'

const bench = useLens()
const FILES = {
  'mods/a/descriptor.mod': 'name="Mod A"\n',
  'mods/a/common/traits/zz_a.txt': '\ufeffbrave = { martial = 2 }\n',
  'mods/b/descriptor.mod': 'name="Mod B"\n',
  'mods/b/common/traits/zz_b.txt': '\ufeffbrave = { martial = 3 learning = 1 }\n',
  'playset.json': '{"name":"mine","mods":["mods/a","mods/b"]}',
}

const run = async (lens: Lens, command: string, params: JsonObject = {}): Promise<JsonObject> => {
  const call = { workspace: '/', signal: new AbortController().signal, progress: () => undefined }
  const answer = await lens.pack.commands?.[command]?.(params, call)
  if (answer === undefined) throw new Error(`There is no command ${command}`)
  return answer
}

describe('the overview', () => {
  it('is empty while nothing was indexed, and makes no index by being asked for', async () => {
    const lens = await bench.open({ isStored: true })
    const nothing = { isBuilt: false, roots: [], playsets: [], state: null }
    expect(await run(lens, 'overview')).toEqual(nothing)
    expect(await run(lens, 'overview')).toEqual(nothing)
    expect(await run(lens, 'state')).toEqual({ state: null })
  })

  it('has every root with its counts, its last build, and how many files have changed since', async () => {
    const folder = await bench.folder(FILES)
    const lens = await bench.open({ isStored: true, config: { watch: false } })
    await run(lens, 'build', { folder: join(folder, 'mods') })
    expect(await run(lens, 'overview')).toMatchObject({
      isBuilt: true,
      roots: [{ files: 4, symbols: expect.any(Number), kind: 'workspace', isMod: false, stale: 0, lookedAt: 4 }],
      // How many files it read depends on how long after they were written it looked at them again.
      state: { queue: { pending: 0, running: 0 }, build: { state: 'complete', errors: 0 } },
    })
    await writeFile(join(folder, 'mods/a/descriptor.mod'), 'name="Another"\n')
    await rm(join(folder, 'mods/b/descriptor.mod'))
    expect(await run(lens, 'overview')).toMatchObject({ roots: [{ stale: 2, lookedAt: 4 }] })
  })
})

describe('one conflict', () => {
  it('has the definitions as they stand in the files, the one in effect first, and says which cannot be read', async () => {
    const folder = await bench.folder(FILES)
    const lens = await bench.open({ isStored: true, config: { watch: false } })
    await run(lens, 'playset_add', { path: join(folder, 'playset.json') })
    const { items } = (await run(lens, 'conflicts', { playset: 'mine' })) as { items: { id: number; name: string }[] }
    const id = items.find(({ name }) => name === 'brave')?.id ?? -1
    const whole = await run(lens, 'conflict', { playset: 'mine', id })
    expect(whole).toMatchObject({
      playset: 'mine',
      conflict: { id, class: 'key_override', effective: 'Mod B: common/traits/zz_b.txt:1' },
      definitions: [
        { layer: 'Mod B', isEffective: true, line: 1, text: 'brave = { martial = 3 learning = 1 }', left: 0 },
        { layer: 'Mod A', isEffective: false, text: 'brave = { martial = 2 }' },
      ],
      moreLosers: 0,
    })
    await rm(join(folder, 'mods/a/common/traits/zz_a.txt'))
    const after = (await run(lens, 'conflict', { playset: 'mine', id })) as { definitions: object[] }
    expect(after.definitions[1]).not.toHaveProperty('text')
    await expect(run(lens, 'conflict', { playset: 'mine', id: 4711 })).rejects.toMatchObject({
      code: 'E_CONFLICT_NOT_FOUND',
    })
    await expect(run(lens, 'conflict', { playset: 'no', id: 0 })).rejects.toMatchObject({ code: 'E_PLAYSET_NOT_FOUND' })
  })

  it('is also told of a mod by its folder, whatever playset is active', async () => {
    const folder = await bench.folder(FILES)
    const lens = await bench.open({ isStored: true, config: { watch: false } })
    await run(lens, 'playset_add', { path: join(folder, 'playset.json') })
    expect(await run(lens, 'conflicts', { modFolder: join(folder, 'mods/a') })).toMatchObject({
      layers: ['Mod A'],
      total: 0,
    })
  })
})
