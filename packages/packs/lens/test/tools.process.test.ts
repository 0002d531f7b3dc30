/** The tools as agents call them, on real folders. */
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { waitFor } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { useLens, writeFiles } from './helpers/lens.ts'

const bench = useLens()

const SMALL = {
  'src/config.txt': 'first line\nreadConfig of the project\nlast line\n',
  'src/copy.txt': 'first line\nreadConfig of the project\nlast line\n',
  'docs/guide.md': '# Guide\nHow to READ a config.\n',
  'node_modules/x/index.txt': 'readConfig of somebody else\n',
  '.gitignore': 'secret.txt\n',
  'secret.txt': 'readConfig of nobody\n',
}

describe('lens_search', () => {
  it('finds words, parts of names and files, and nothing that is left out', async () => {
    const workspace = await bench.folder(SMALL)
    const lens = await bench.open({ workspace })
    await lens.settle()
    const { data, text } = await lens.call('lens_search', { query: 'readConfig' })
    expect(data).toMatchObject({
      index: { completeness: 'complete', waiting: 0, failed: 0 },
      text: {
        total: 2,
        items: [
          { path: 'src/config.txt', line: 2, text: 'readConfig of the project' },
          { path: 'src/copy.txt', line: 2 },
        ],
      },
      files: { total: 0, items: [] },
    })
    expect(text).toContain('src/config.txt:2 readConfig of the project')
    const parts = await lens.call('lens_search', { query: 'config read', in: 'text' })
    expect(parts.data).toMatchObject({ text: { total: 3 } })
    expect((await lens.call('lens_search', { query: 'conf*', in: 'text' })).data).toMatchObject({ text: { total: 3 } })
    expect((await lens.call('lens_search', { query: 'guide', in: 'files' })).data).toMatchObject({
      files: { items: ['docs/guide.md'] },
    })
    const nothing = await lens.call('lens_search', { query: 'readConfi' })
    expect(nothing.data).toMatchObject({ notFound: { reason: 'not_in_index' } })
    expect(nothing.isError).toBe(false)
  })

  it('answers a common word in 1,500 bytes, with counts and the way to more', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [
        `folder${index}/with-a-rather-long-name/culture_file_${index}.txt`,
        `culture ${'of the very many words that a line may have '.repeat(5)}\n`.repeat(30),
      ]),
    )
    const lens = await bench.open({ workspace: await bench.folder(files) })
    await lens.settle()
    const { data, text } = await lens.call('lens_search', { query: 'culture' })
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(1_500)
    expect(data).toMatchObject({ text: { total: 300, atLeast: false }, files: { total: 300 } })
    expect(text).toContain('295 more: {query: "culture", in: "text", offset: 5}')
  })

  it('finds an edit, a new folder and a deletion by itself', async () => {
    const workspace = await bench.folder(SMALL)
    const lens = await bench.open({ workspace })
    await lens.settle()
    const count = async (query: string): Promise<unknown> => {
      const { data } = await lens.call('lens_search', { query, in: 'text' })
      return (data.text as { total: number }).total
    }
    expect(await count('brandnew')).toBe(0)
    await writeFile(join(workspace, 'src/config.txt'), 'a brandnew text\n')
    await waitFor(async () => (await count('brandnew')) === 1)
    expect(await count('readConfig')).toBe(1)
    await writeFiles(workspace, { 'new/deep/er/file.txt': 'brandnew too\n' })
    await waitFor(async () => (await count('brandnew')) === 2)
    await writeFile(join(workspace, 'new/deep/er/second.txt'), 'brandnew again\n')
    await waitFor(async () => (await count('brandnew')) === 3)
    await rm(join(workspace, 'new'), { recursive: true })
    await waitFor(async () => (await count('brandnew')) === 1)
    // A folder of the same name in its place is watched as well.
    await mkdir(join(workspace, 'new'))
    await writeFile(join(workspace, 'new/file.txt'), 'brandnew once more\n')
    await waitFor(async () => (await count('brandnew')) === 2)
  })
})

describe('lens_status', () => {
  it('tells what is indexed, what was left out, and of which build it is', async () => {
    const workspace = await bench.folder({ ...SMALL, 'data.bin.txt': 'a\0b' })
    const lens = await bench.open({ workspace })
    await lens.settle()
    const { data } = await lens.call('lens_status')
    expect(data).toMatchObject({
      index: { completeness: 'complete' },
      roots: [{ path: workspace, state: 'complete', watch: 'watching', files: 4, skipped: { default: 1 } }],
      lastBuild: { state: 'complete', errors: 0, resumed: 0 },
      failed: [],
    })
  })

  it('refuses a folder that holds a whole home, and a window without one', async () => {
    const lens = await bench.open()
    expect(await lens.call('lens_status', {}, '/')).toMatchObject({ isError: true, code: 'E_WORKSPACE_TOO_WIDE' })
    expect(await lens.call('lens_status')).toMatchObject({ isError: true, code: 'E_NO_WORKSPACE' })
  })
})

describe('lens_file and lens_outline', () => {
  it('show lines, say why a file is not there, and refuse what is outside', async () => {
    const outside = await bench.folder({ 'other.txt': 'not yours\n' })
    const workspace = await bench.folder({ ...SMALL, 'image.txt': 'a\0b' })
    await symlink(join(outside, 'other.txt'), join(workspace, 'link.txt'))
    const lens = await bench.open({ workspace })
    await lens.settle()
    const { data } = await lens.call('lens_file', { path: 'src/config.txt', firstLine: 2, lastLine: 2 })
    expect(data).toMatchObject({ text: 'readConfig of the project', firstLine: 2, lastLine: 2, stale: false })
    expect((await lens.call('lens_outline', { path: 'src/config.txt' })).data).toMatchObject({ symbols: [], lines: 3 })
    const reasonOf = async (path: string): Promise<unknown> => (await lens.call('lens_file', { path })).data.notFound
    expect(await reasonOf('secret.txt')).toMatchObject({ reason: 'not_indexed' })
    expect(await reasonOf('nowhere.txt')).toMatchObject({ reason: 'not_indexed' })
    expect(await reasonOf('image.txt')).toMatchObject({
      reason: 'skipped',
      message: expect.stringContaining('no text'),
    })
    for (const path of [join(outside, 'other.txt'), '../x.txt', 'link.txt', '/etc/passwd']) {
      expect(await lens.call('lens_file', { path })).toMatchObject({ isError: true, code: 'E_OUTSIDE_WORKSPACE' })
    }
  })
})

describe('two windows', () => {
  it('see their own folder and nothing of the other', async () => {
    const cache = await bench.place()
    const one = await bench.folder({ 'a.txt': 'onlyone here\n' })
    const two = await bench.folder({ 'b.txt': 'onlytwo here\n' })
    const lens = await bench.open({ cache })
    await lens.settle(one)
    await lens.settle(two)
    expect((await lens.call('lens_search', { query: 'onlyone' }, one)).data).toMatchObject({ text: { total: 1 } })
    expect((await lens.call('lens_search', { query: 'onlyone' }, two)).data).toMatchObject({ notFound: {} })
    expect((await lens.call('lens_search', { query: 'here' }, two)).data).toMatchObject({ text: { total: 1 } })
    const sql = 'SELECT path FROM files'
    expect((await lens.call('lens_query', { sql }, one)).data.rows).toEqual([['a.txt']])
    expect((await lens.call('lens_query', { sql }, two)).data.rows).toEqual([['b.txt']])
    expect(await lens.call('lens_file', { path: join(one, 'a.txt') }, two)).toMatchObject({
      code: 'E_OUTSIDE_WORKSPACE',
    })
  })

  it('share the index where one is inside the other, and the inner sees only its part', async () => {
    const outer = await bench.folder({ 'a.txt': 'shared words\n', 'inner/b.txt': 'shared words\n' })
    const lens = await bench.open()
    await lens.settle(outer)
    expect((await lens.call('lens_search', { query: 'shared' }, outer)).data).toMatchObject({ text: { total: 2 } })
    const { data } = await lens.call('lens_search', { query: 'shared' }, join(outer, 'inner'))
    expect(data).toMatchObject({ text: { total: 1, items: [{ path: 'b.txt' }] } })
    expect((await lens.call('lens_query', { sql: 'SELECT path FROM files' }, join(outer, 'inner'))).data.rows).toEqual([
      ['inner/b.txt'],
    ])
  })
})

describe('lens_query', () => {
  it('reads, and cannot write, reach other tables, run on, or answer too much', async () => {
    const workspace = await bench.folder(SMALL)
    const lens = await bench.open({ workspace })
    await lens.settle()
    const query = (sql: string, limit?: number) =>
      lens.call('lens_query', { sql, ...(limit === undefined ? {} : { limit }) })
    const { data } = await query('SELECT path, lines FROM files WHERE skipped IS NULL ORDER BY path')
    expect(data).toMatchObject({ columns: ['path', 'lines'], truncated: false })
    expect(data.rows).toContainEqual(['src/config.txt', 3])
    for (const sql of [
      'INSERT INTO files VALUES (1)',
      "UPDATE files SET path = 'x'",
      'DROP TABLE kept_files',
      'SELECT * FROM kept_files',
      'SELECT * FROM main."kept_files"',
      "SELECT * FROM main.'kept_files'",
      'SELECT * FROM main.[KEPT_FILES]',
      'SELECT * FROM sqlite_dbpage',
      'SELECT * FROM sqlite_schema',
      "ATTACH DATABASE '/etc/passwd' AS other",
      'SELECT 1; DROP TABLE files',
      'WITH x AS (SELECT 1) DELETE FROM kept_files',
      'WITH x AS (SELECT 1) INSERT INTO files SELECT 1',
      'PRAGMA journal_mode = DELETE',
      'VACUUM',
      'EXPLAIN SELECT 1',
      "SELECT load_extension('x')",
      "SELECT writefile('/tmp/x', 'y')",
      "SELECT readfile('/etc/passwd')",
      'CREATE VIRTUAL TABLE temp.spy USING fts5vocab(main, kept_words, row)',
      'CREATE TEMP TABLE mine (x)',
      "SELECT * FROM pragma_table_info('kept_files')",
      "SELECT * FROM main.KEPT_words WHERE KEPT_words MATCH 'x'",
      'SELECT * FROM temp.sqlite_schema',
      'SELECT length(hex(zeroblob(400000000)))',
      'WITH x AS (SELECT 1) REPLACE INTO files SELECT 1',
      'BEGIN IMMEDIATE',
      'nonsense',
    ]) {
      expect(await query(sql), sql).toMatchObject({ isError: true, code: 'E_INVALID_SQL' })
    }
    const endless = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)'
    expect(await query(`${endless} SELECT count(*) FROM c`)).toMatchObject({ isError: true, code: 'E_QUERY_TIMEOUT' })
    expect((await query(`${endless} SELECT x FROM c`, 3)).data).toMatchObject({
      rows: [[1], [2], [3]],
      truncated: true,
    })
    const wide = await query('SELECT hex(zeroblob(100000000))')
    expect(JSON.stringify(wide.data).length).toBeLessThan(110_000)
    expect((await query('SELECT count(*) FROM files')).data.rows).toEqual([[4]])
  })
})

describe('lens_rebuild', () => {
  it('waits until the index is current, reads everything again where that is asked for, and cancels', async () => {
    const workspace = await bench.folder(SMALL)
    const lens = await bench.open({ workspace, config: { watch: false } })
    await lens.settle()
    await writeFile(join(workspace, 'docs/guide.md'), 'a sudden change\n')
    expect((await lens.call('lens_rebuild', { path: 'docs/guide.md' })).data).toMatchObject({ idle: true, files: 1 })
    expect((await lens.call('lens_search', { query: 'sudden', in: 'text' })).data).toMatchObject({ text: { total: 1 } })
    expect((await lens.call('lens_rebuild', { fresh: true })).data).toMatchObject({ idle: true, files: 4, errors: 0 })
    expect((await lens.call('lens_rebuild', { cancel: true })).data).toMatchObject({ idle: true, cancelled: 0 })
  })
})

it('an index that is damaged is made anew', async () => {
  const cache = await bench.place()
  const workspace = await bench.folder(SMALL)
  const before = await bench.open({ cache, workspace })
  await before.settle()
  await before.pack.close()
  await writeFile(join(cache, 'index.db'), 'this is no database at all, whatever it says'.repeat(1_000))
  const lens = await bench.open({ cache, workspace })
  await lens.settle()
  expect((await lens.call('lens_search', { query: 'readConfig', in: 'text' })).data).toMatchObject({
    text: { total: 2 },
  })
})
