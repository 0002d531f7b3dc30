/** Playsets, what is in effect in them, and who sees which. */
import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { type Lens, useLens, writeFiles } from './helpers/lens.ts'

const bench = useLens()

const MARK = '\ufeff'

async function makeGame(): Promise<string> {
  return bench.folder({
    'game/game/common/traits/00_traits.txt': `${MARK}brave = { diplomacy = 1 }\nshy = { diplomacy = -1 }\n`,
    'mods/a/descriptor.mod': 'name="Mod A"\n',
    'mods/a/common/traits/zz_a.txt': `${MARK}brave = { martial = 2 }\n`,
    'mods/a/common/decisions/a.txt': `${MARK}go_home = { ai_check_interval = 1 }\n`,
    'mods/b/descriptor.mod': 'name="Mod B"\n',
    'mods/b/common/traits/zz_b.txt': `${MARK}brave = { martial = 3 learning = 1 }\n`,
    'mods/b/common/decisions/a.txt': `${MARK}go_away = { ai_check_interval = 2 }\n`,
    'playset.json': '{"name":"mine","game":"game/game","mods":["mods/a","mods/b"]}',
    'logs/error.log':
      '[10:00:00][E][jomini_script_system.cpp:303]: Script system error!\n  Error: unknown effect xx\n  Script location: file: common/decisions/a.txt line: 1\n',
  })
}

async function addPlayset(lens: Lens, folder: string, gamePath?: string): Promise<void> {
  const call = { workspace: folder, signal: new AbortController().signal, progress: () => undefined }
  const params: JsonObject = {
    path: join(folder, 'playset.json'),
    name: 'mine',
    ...(gamePath === undefined ? {} : { gamePath: join(folder, gamePath) }),
    userFolder: folder,
  }
  await lens.pack.commands?.playset_add?.(params, call)
}

describe('conflicts in SQL', () => {
  it('are those of the own playset alone', async () => {
    const sql = 'SELECT name FROM conflicts'
    const mod = (name: string) => `name="${name}"\n`
    const twice = { 'common/traits/a.txt': 'brave = { a = 1 }\n', 'common/traits/b.txt': 'brave = { a = 2 }\n' }
    const one = await bench.folder({ 'descriptor.mod': mod('One'), ...twice })
    const two = await bench.folder({ 'descriptor.mod': mod('Two'), 'common/traits/a.txt': 'shy = { a = 1 }\n' })
    const none = await bench.folder({ 'a.txt': 'conflicts\n' })
    const lens = await bench.open({ isStored: true })
    for (const folder of [one, two, none]) await lens.settle(folder)
    expect((await lens.call('lens_query', { sql }, one)).data.rows).toEqual([['brave']])
    expect((await lens.call('lens_query', { sql }, two)).data.rows).toEqual([])
    expect(await lens.call('lens_query', { sql }, none)).toMatchObject({ code: 'E_NO_PLAYSET' })
    // Without one there is still all the rest.
    expect((await lens.call('lens_query', { sql: 'SELECT path FROM files' }, none)).data.rows).toEqual([['a.txt']])
  })
})

describe('the playset of a person', () => {
  it('is shown, its conflicts are told with what is in effect, and a patch resolves one', async () => {
    const folder = await makeGame()
    const workspace = join(folder, 'mods')
    const lens = await bench.open({ workspace, isStored: true })
    await addPlayset(lens, folder, 'game')
    await lens.call('lens_playset')
    await lens.settle()
    const shown = await lens.call('lens_playset')
    expect(shown.data).toMatchObject({
      active: 'mine',
      layers: [{ name: 'game' }, { name: 'Mod A' }, { name: 'Mod B' }],
      left: [],
    })
    const { data, text } = await lens.call('lens_conflicts')
    expect(data).toMatchObject({ playset: 'mine', index: { completeness: 'complete' } })
    expect(text).toContain('lost: decision go_home')
    const brave = await lens.call('lens_conflicts', { kind: 'trait', name: 'brave' })
    expect(brave.data.items).toMatchObject([
      {
        class: 'key_override',
        name: 'brave',
        effective: 'Mod B: common/traits/zz_b.txt:1',
        difference: 'differs',
        confidence: 'high',
      },
    ])
    const [{ id }] = brave.data.items as [{ id: number }]
    const sql = 'SELECT id, class, name, effective_path, effective_line, losers FROM conflicts WHERE name = '
    expect((await lens.call('lens_query', { sql: `${sql}'brave'` })).data.rows).toEqual([
      [id, 'key_override', 'brave', 'common/traits/zz_b.txt', 1, 2],
    ])
    const dry = await lens.call('lens_patch', { conflict: id })
    expect(dry.data).toMatchObject({ path: expect.stringMatching(/^common\/traits\/zz/) })
    expect(dry.data.written).toBeUndefined()
    await writeFiles(folder, { 'mods/patch/descriptor.mod': 'name="Patch"\n' })
    expect(await lens.call('lens_patch', { conflict: id, write: true, into: folder })).toMatchObject({
      code: 'E_OUTSIDE_WORKSPACE',
    })
    // A folder of the mod that leads elsewhere is no way out.
    const outside = await bench.folder({})
    await writeFiles(folder, { 'mods/linked/descriptor.mod': 'name="Linked"\n' })
    await symlink(outside, join(folder, 'mods/linked/common'), 'dir')
    expect(await lens.call('lens_patch', { conflict: id, write: true, into: 'linked' })).toMatchObject({
      code: 'E_PATCH_FAILED',
    })
    expect(await readdir(outside)).toEqual([])
    const done = await lens.call('lens_patch', { conflict: id, write: true, into: 'patch' })
    expect(await readFile(String(done.data.written), 'utf8')).toBe(done.data.content)
    expect(await lens.call('lens_patch', { conflict: id, write: true, into: 'patch' })).toMatchObject({
      code: 'E_PATCH_FAILED',
    })
  })

  it('is judged by what the game reads: what is injected adds up, and no ignore file of a mod hides anything', async () => {
    const folder = await bench.folder({
      'a/descriptor.mod': 'name="A"\n',
      'a/.gitignore': 'generated/\n*.txt\n',
      'a/common/modifiers/generated/a.txt': 'iron = { cost = 1 }\nwood = { cost = 1 }\n',
      'a/map_data/default.map': 'definitions = "definition.csv"\n',
      'b/descriptor.mod': 'name="B"\n',
      'b/Common/Modifiers/target/b.txt': 'INJECT:iron = { cost = 2 }\nREPLACE:wood = { cost = 3 }\n',
      'b/map_data/default.map': 'definitions = "other.csv"\n',
      'playset.json': '{"name":"mine","mods":["a","b"]}',
    })
    const lens = await bench.open({ workspace: await bench.folder({ 'own.txt': '' }), isStored: true })
    await addPlayset(lens, folder)
    await lens.call('lens_playset')
    await lens.settle()
    const { data } = await lens.call('lens_conflicts', { intended: true })
    expect(data.items).toMatchObject([
      { class: 'file_shadow', name: 'map_data/default.map', effective: 'B: map_data/default.map' },
      { class: 'key_override', name: 'wood', effective: 'B: Common/Modifiers/target/b.txt:2', intended: true },
    ])
  })

  it('has its log read by cause, with the mod of each message', async () => {
    const folder = await makeGame()
    const lens = await bench.open({ workspace: join(folder, 'mods'), isStored: true })
    await addPlayset(lens, folder, 'game')
    await lens.call('lens_playset')
    await lens.settle()
    const { data } = await lens.call('lens_game_log')
    expect(data).toMatchObject({ entries: 1, groups: [{ mod: 'Mod B', count: 1 }] })
    expect(await lens.call('lens_game_log', { log: 'game' })).toMatchObject({ code: 'E_LOG_NOT_FOUND' })
  })
})

describe('two windows', () => {
  it('in the mode ck3lens one sees only the active playset, and the other does not change that', async () => {
    const folder = await makeGame()
    const other = await bench.folder({ 'b.txt': 'brave words of somebody else\n' })
    const services = {
      modeOf: ({ instance }: { instance?: string }) => (instance === 'tt79-6f854d' ? 'ck3lens' : undefined),
    }
    const lens = await bench.open({ isStored: true, services })
    await addPlayset(lens, folder, 'game')
    await lens.settle(other)
    await lens.settle(other, 'tt79-000001')
    const windowA = (name: string, args: JsonObject = {}) => lens.call(name, args, other)
    const windowB = (name: string, args: JsonObject = {}) => lens.call(name, args, other, 'tt79-000001')
    const seen = async (): Promise<unknown> => (await windowA('lens_search', { query: 'brave', in: 'text' })).data.text
    expect(await seen()).toMatchObject({ total: 3 })
    expect((await windowB('lens_search', { query: 'brave', in: 'text' })).data).toMatchObject({
      text: { total: 1, items: [{ path: 'b.txt' }] },
    })
    const call = { workspace: folder, signal: new AbortController().signal, progress: () => undefined }
    await lens.pack.commands?.playset_add?.({ path: join(folder, 'mods/a'), name: 'only a' }, call)
    expect((await windowB('lens_playset', { action: 'use', name: 'only a' })).data).toMatchObject({ active: 'only a' })
    expect(await seen()).toMatchObject({ total: 3 })
    expect((await windowA('lens_playset')).data).toMatchObject({ active: 'mine' })
    expect((await windowA('lens_playset', { action: 'use', name: 'only a' })).data).toMatchObject({
      layers: [{ name: 'Mod A' }],
    })
    expect(await seen()).toMatchObject({ total: 1 })
    expect(await windowA('lens_file', { path: join(other, 'b.txt') })).toMatchObject({ code: 'E_OUTSIDE_WORKSPACE' })
  })
})

it('a window on a mod has that mod, and one on anything else is told how to get a playset', async () => {
  const folder = await makeGame()
  const lens = await bench.open({ isStored: true })
  expect((await lens.call('lens_playset', {}, join(folder, 'mods/a'))).data).toMatchObject({
    layers: [{ name: 'Mod A' }],
  })
  expect(await lens.call('lens_conflicts', {}, folder)).toMatchObject({ code: 'E_NO_PLAYSET' })
  expect(await lens.call('lens_playset', { action: 'use', name: 'nobody' }, folder)).toMatchObject({
    code: 'E_PLAYSET_NOT_FOUND',
  })
})

it('a text is parsed as the file that it would be, with every error at its place', async () => {
  const lens = await bench.open()
  const script = await lens.call('lens_parse', {
    path: 'common/traits/x.txt',
    text: 'brave = { a = 1\nshy = { b = 2 }\n',
  })
  expect(script.data).toMatchObject({ language: 'paradox', problems: [{ severity: 'error' }] })
  const code = await lens.call('lens_parse', { path: 'a.ts', text: 'export function one() {}\nclass Two {}\n' })
  expect(code.data).toMatchObject({ language: 'typescript', problems: [], symbols: [{ name: 'one' }, { name: 'Two' }] })
})
