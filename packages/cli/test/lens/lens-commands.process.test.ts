/** What people ask of the lens, in this process and on an index of its own. No daemon runs. */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { TestHome } from '../run-main.ts'

let home: TestHome
let folder: TemporaryDirectory

beforeEach(async () => {
  home = await TestHome.create()
  folder = await createTemporaryDirectory()
})

afterEach(async () => {
  await home[Symbol.asyncDispose]()
  await folder.remove()
})

async function write(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(folder.file(path)), { recursive: true })
    await writeFile(folder.file(path), text)
  }
}

const run = (...argv: string[]) => home.run(argv, { cwd: folder.path })

async function json(...argv: string[]) {
  const { code, out, err } = await run(...argv, '--json')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  return JSON.parse(out)
}

test('a folder is built, searched and judged', async () => {
  await write({
    'src/a.ts': 'export function readConfig() {}\n',
    'src/b.ts': 'readConfig(\n',
    'notes.md': 'about readConfig\n',
  })
  expect((await run('lens', 'status')).out).toContain('not indexed: switchboard lens build')
  const { code, out } = await run('lens', 'build')
  expect({ code, out }).toMatchObject({ code: 0, out: expect.stringMatching(/^FOLDER +FILES +SIZE +SYMBOLS/) })
  expect(await json('lens', 'status')).toMatchObject({
    isIndexed: true,
    facts: { about: { completeness: 'complete' }, roots: [{ files: 3, symbols: 1 }] },
  })
  const found = await json('lens', 'search', 'readConfig')
  expect(found.found).toMatchObject({
    symbols: { total: 1, items: [{ name: 'readConfig', line: 1 }] },
    text: { total: 3 },
  })
  expect((await run('lens', 'search', 'readConfig')).out).toMatch(
    /SYMBOLS \(1\)[\s\S]*readConfig +function +src\/a\.ts:1/,
  )
  expect((await json('lens', 'diagnostics', '--severity', 'error')).found.items).toMatchObject([{ path: 'src/b.ts' }])
  expect((await run('lens', 'search', 'nowhere')).out).toBe('Nothing has all of these words.\n')
})

test('a playset is added, shown, used, judged and taken away', async () => {
  await write({
    'a/descriptor.mod': 'name="Mod A"\n',
    'a/common/traits/z.txt': '\ufeffbrave = { martial = 1 }\n',
    'b/descriptor.mod': 'name="Mod B"\n',
    'b/common/traits/zz.txt': '\ufeffbrave = { martial = 2 }\n',
    'set.json': '{"name":"mine","mods":["a","b"]}',
  })
  expect((await run('playset', 'list')).out).toContain('switchboard playset add')
  const added = await run('playset', 'add', 'set.json')
  expect(added).toMatchObject({ code: 0, out: expect.stringContaining('Added mine. It is the active one.') })
  expect((await json('playset', 'list')).playsets).toMatchObject([
    { name: 'mine', path: join(folder.path, 'set.json'), isActive: true },
  ])
  expect((await json('playset', 'show')).playset.layers).toMatchObject([{ name: 'Mod A' }, { name: 'Mod B' }])
  const { items, total } = await json('lens', 'conflicts', '--key', 'brave')
  expect({ items, total }).toMatchObject({ total: 1, items: [{ effective: 'Mod B: common/traits/zz.txt:1' }] })
  const shown = (await run('lens', 'conflicts')).out
  expect(shown).toMatch(/^mine: 1 to look at \(key_override 1\)$/m)
  expect(shown).not.toContain('are shown')
  expect(await run('playset', 'use', 'nobody')).toMatchObject({
    err: expect.stringContaining('There is no playset "nobody"'),
  })
  expect((await run('playset', 'remove', 'mine')).code).toBe(0)
  expect((await run('playset', 'remove', 'mine')).code).toBe(1)
})
