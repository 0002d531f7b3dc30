/** Files as people and their programs leave them in mods: none of them stops the index, and each is told for what it is. */
import { mkdir, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useLens } from './helpers/lens.ts'

const bench = useLens()
const MARK = '\ufeff'

describe('a mod with odd files', () => {
  it('is indexed: empty ones, large ones, long lines, other encodings, line ends, names, and links that lead back', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `Name_${index}`).join(' ')
    const traits = 'common/traits'
    const folder = await bench.folder({
      'descriptor.mod': `${MARK}name="Odd"\r\nreplace_path="common/traits"\r\n`,
      [`${traits}/empty.txt`]: '',
      [`${traits}/mark.txt`]: MARK,
      [`${traits}/windows.txt`]: `${MARK}with_returns = {\r\n\tmartial = 1\r\n}\r\n`,
      [`${traits}/old mac.txt`]: `${MARK}first_mac = { martial = 1 }\rsecond_mac = { martial = 2 }\r`,
      [`${traits}/ünï cødé ☃.txt`]: `${MARK}snow_trait = { martial = 1 }\n`,
      [`${traits}/UPPER.txt`]: `${MARK}upper_trait = { martial = 1 }\n`,
      [`${traits}/upper.txt`]: `${MARK}lower_trait = { martial = 1 }\n`,
      [`${traits}/cut.txt`]: `${MARK}cut_trait = { martial = {`,
      'common/culture/name_lists/long.txt': `${MARK}name_list_long = { male_names = { ${names} } }\n`,
      'localization/english/story_l_english.yml': `${MARK}l_english:\n story.t:0 "${'A long story. '.repeat(1_000)}"\n`,
      'localization/english/none_l_english.yml': '',
    })
    await writeFile(join(folder, traits, 'wide.txt'), Buffer.from('\ufeffwide_trait = { martial = 1 }\n', 'utf16le'))
    await writeFile(join(folder, traits, 'bytes.txt'), Buffer.from([0x61, 0x20, 0x3d, 0x20, 0xe9, 0x0a]))
    const block = 'big_trait_NUMBER = { martial = 1 }\n'
    const big = Array.from({ length: 120_000 }, (_, index) => block.replace('NUMBER', String(index))).join('')
    await writeFile(join(folder, traits, 'big.txt'), `${MARK}${big}`)
    await truncate(await writeAt(folder, `${traits}/huge.txt`), 6_000_000)
    await symlink('..', join(folder, traits, 'loop'), 'dir')
    await symlink(folder, join(folder, 'self'), 'dir')
    await mkdir(join(folder, 'common/on_action'))

    const lens = await bench.open({ workspace: folder })
    await lens.settle()
    const { data } = await lens.call('lens_status')
    expect(data).toMatchObject({ index: { completeness: 'complete', waiting: 0, failed: 0 } })
    const where = async (name: string): Promise<unknown> => {
      const found = await lens.call('lens_symbol', { name })
      return (found.data.definitions as { path: string }[]).map(({ path }) => path)
    }
    expect(await where('with_returns')).toEqual([`${traits}/windows.txt`])
    expect(await where('second_mac')).toEqual([`${traits}/old mac.txt`])
    expect(await where('snow_trait')).toEqual([`${traits}/ünï cødé ☃.txt`])
    expect(await where('upper_trait')).toEqual([`${traits}/UPPER.txt`])
    expect(await where('lower_trait')).toEqual([`${traits}/upper.txt`])
    expect(await where('cut_trait')).toEqual([`${traits}/cut.txt`])
    expect(await where('name_list_long')).toEqual(['common/culture/name_lists/long.txt'])
    expect(await where('story.t')).toEqual(['localization/english/story_l_english.yml'])
    expect(await where('big_trait_119999')).toEqual([`${traits}/big.txt`])
    const codesOf = async (path: string): Promise<unknown> => {
      const found = await lens.call('lens_diagnostics', { path, limit: 20 })
      return (found.data.items as { code: string }[]).map(({ code }) => code)
    }
    expect(await codesOf('wide.txt')).toContain('encoding.utf-16')
    expect(await codesOf('cut.txt')).not.toEqual([])
    expect((await lens.call('lens_file', { path: `${traits}/huge.txt` })).text).toContain('maxFileSize')
    expect((await lens.call('lens_file', { path: `${traits}/wide.txt` })).data).toMatchObject({
      text: 'wide_trait = { martial = 1 }\n',
      lines: 2,
    })
    // What a link leads to is read once, where it is.
    const { data: all } = await lens.call('lens_query', { sql: 'SELECT count(*) FROM files', limit: 1 })
    expect(all.rows).toEqual([[15]])
  })
})

describe('a repository that is no mod', () => {
  const files = {
    'src/gui/CMakeLists.txt': 'add_library(gui "$<TARGET_FILE:gui>")\nif(A VERSION_GREATER "1" = 2)\n}\n',
    'events/requirements.txt': 'requests>=2.0,<3\n',
    'src/events/notes.txt': '==== Notes ====\nmail <somebody@example.org> } = "\n',
    'localization/en.yml': 'en:\n  hello: world\n',
    'Assets/Sound/hit.asset': '%YAML 1.1\n--- !u!114 &1\nA: {b: 1}}\n',
    'common/util/data.txt': 'a = = {\n',
  }

  it('has no errors of script, whatever its folders are called', async () => {
    const folder = await bench.folder(files)
    const lens = await bench.open({ workspace: folder })
    await lens.settle()
    expect((await lens.call('lens_diagnostics')).data).toMatchObject({ total: 0, index: { completeness: 'complete' } })
    const found = await lens.call('lens_search', { query: 'notes', in: 'text' })
    expect(found.data.text).toMatchObject({ total: 1, items: [{ path: 'src/events/notes.txt' }] })
  })

  it('has them as soon as it is one', async () => {
    const folder = await bench.folder({ ...files, 'descriptor.mod': 'name="A mod"\n' })
    const lens = await bench.open({ workspace: folder })
    await lens.settle()
    const { data } = await lens.call('lens_diagnostics', { limit: 50 })
    const places = new Set((data.items as { path: string }[]).map(({ path }) => path))
    expect([...places].sort()).toEqual(['common/util/data.txt', 'localization/en.yml'])
  })
})

async function writeAt(folder: string, path: string): Promise<string> {
  const place = join(folder, path)
  await writeFile(place, '')
  return place
}
