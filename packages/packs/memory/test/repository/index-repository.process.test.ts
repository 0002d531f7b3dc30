import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { JsonObject, Progress } from '@switchboard/protocol'
import { createCall, waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { openMemoryBench } from '../helpers/memory-bench.ts'

interface Bench extends Awaited<ReturnType<typeof openMemoryBench>> {}

function write(folder: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
}

async function openProject(files: Readonly<Record<string, string | Uint8Array>>) {
  const bench = await openMemoryBench()
  const project = join(bench.folder, 'project')
  write(project, files)
  return Object.assign(bench, {
    project,
    index: (args: JsonObject = {}) => bench.call('index_repository', { path: project, ...args }, project),
    search: (query: string, args: JsonObject = {}) => bench.call('repository_search', { query, ...args }, project),
  })
}

const pathsOf = ({ data }: Awaited<ReturnType<Bench['call']>>): string[] =>
  (data.results as { path: string }[]).map(({ path }) => path)

const SMALL = {
  'src/read-config.ts': [
    "import { readFileSync } from 'node:fs'",
    '',
    '/** Reads the settings of a person. */',
    'export function readConfig(path: string): unknown {',
    "  return JSON.parse(readFileSync(path, 'utf8'))",
    '}',
  ].join('\n'),
  'src/main.ts': "import { readConfig } from './read-config.ts'\n\nconsole.log(readConfig('settings.json'))\n",
  'docs/guide.md': '# Guide\n\nHow to start.\n\n## Settings\n\nThe settings lie in a file of the home folder.\n',
}

describe('index_repository and repository_search', () => {
  test('an index without a file says what to change', async () => {
    await using bench = await openProject(SMALL)
    const { text } = await bench.index({ includePatterns: ['*.none'] })
    expect(text).toContain('0 files of')
    expect(text).toContain('give other includePatterns')
    expect(text).not.toContain('repository_search finds in it')
  })

  test('what was indexed is found, the declaration of a name first, with its place and the reason', async () => {
    await using bench = await openProject(SMALL)
    const indexed = await bench.index()
    expect(indexed.data).toMatchObject({
      filesIndexed: 3,
      filesRead: 3,
      filesRemoved: 0,
      complete: true,
      skippedTotal: 0,
    })
    expect(indexed.text).toContain('3 files')
    const found = await bench.search('readConfig')
    expect(pathsOf(found)).toEqual(['src/read-config.ts', 'src/main.ts'])
    expect(found.text).toContain('src/read-config.ts:1-6 function readConfig (declares readConfig)')
    expect(found.text).toContain('export function readConfig')
    expect(pathsOf(await bench.search('where are the settings of the home'))[0]).toBe('docs/guide.md')
  })

  test('the second time only what has changed is read, what is gone is removed, and a touched file is not read again', async () => {
    await using bench = await openProject({ ...SMALL, 'gone.txt': 'nothing remains of this' })
    // As files are that were not written a moment ago.
    for (const path of [...Object.keys(SMALL), 'gone.txt']) utimesSync(join(bench.project, path), 1e9, 1e9)
    await bench.index()
    write(bench.project, { 'src/main.ts': 'export const changedEntry = 1\n' })
    rmSync(join(bench.project, 'gone.txt'))
    utimesSync(join(bench.project, 'docs/guide.md'), 2e9, 2e9)
    const again = await bench.index()
    expect(again.data).toMatchObject({ filesIndexed: 3, filesRead: 1, filesUnchanged: 2, filesRemoved: 1 })
    expect(pathsOf(await bench.search('changedEntry'))).toEqual(['src/main.ts'])
    expect(pathsOf(await bench.search('readConfig'))).toEqual(['src/read-config.ts'])
    expect((await bench.search('nothing remains')).data.results).toEqual([])
  })

  test('a file that became shorter leaves no piece behind, and a renamed one is found under its new name', async () => {
    const long = Array.from(
      { length: 40 },
      (_, at) => `export function part${at}() {\n${'  step()\n'.repeat(30)}}\n`,
    ).join('\n')
    await using bench = await openProject({ 'long.ts': long })
    await bench.index()
    expect(pathsOf(await bench.search('part39'))).toEqual(['long.ts'])
    write(bench.project, { 'long.ts': 'export function part0() {}\n' })
    renameSync(join(bench.project, 'long.ts'), join(bench.project, 'short.ts'))
    expect((await bench.index()).data).toMatchObject({ filesIndexed: 1, filesRemoved: 1 })
    expect((await bench.search('part39')).data.results).toEqual([])
    expect(pathsOf(await bench.search('part0'))).toEqual(['short.ts'])
  })

  test('a hit in a file that has changed since says so, one that was only touched does not, one that is gone is left out', async () => {
    await using bench = await openProject({
      'changed.md': 'the walrus sings',
      'touched.md': 'the walrus dances',
      'gone.md': 'the walrus sleeps',
    })
    await bench.index()
    write(bench.project, { 'changed.md': 'no more of it' })
    utimesSync(join(bench.project, 'touched.md'), 2e9, 2e9)
    rmSync(join(bench.project, 'gone.md'))
    const { data, text } = await bench.search('walrus')
    const stale = (data.results as { path: string; stale: boolean }[]).map(({ path, stale: is }) => [path, is])
    expect(Object.fromEntries(stale)).toEqual({ 'changed.md': true, 'touched.md': false })
    expect(data.gone).toEqual(['gone.md'])
    expect(text).toContain('changed since it was indexed')
    expect(text).toContain('takes in what has changed')
    expect(text).toContain('gone: gone.md')
  })

  test('what is left out is named with the reason, and never waited for', async () => {
    await using bench = await openProject({
      'ok.txt': 'fine',
      'picture.png': 'not opened',
      'nul.txt': Uint8Array.from([65, 0, 66]),
      'large.txt': 'x y '.repeat(10_000),
      'packed.js': `var a=1;${'b(c,d);'.repeat(5_000)}`,
      'node_modules/x/index.js': 'module.exports = 1',
      'package-lock.json': '{}',
      '.gitignore': 'ignored.txt\n',
      'ignored.txt': 'nobody sees this',
      '.env': 'SECRET=1',
    })
    const { spawnSync } = await import('node:child_process')
    expect(spawnSync('mkfifo', [join(bench.project, 'pipe')]).status).toBe(0)
    symlinkSync('/dev/zero', join(bench.project, 'zero'))
    symlinkSync('..', join(bench.project, 'circle'))
    const { data, text } = await bench.index({ max_file_size: 39_000 })
    const reasons = Object.fromEntries(
      (data.skipped as { path: string; reason: string }[]).map(({ path, reason }) => [path, reason]),
    )
    expect(reasons).toEqual({
      'picture.png': 'binary',
      'nul.txt': 'binary',
      'large.txt': 'too_large',
      'packed.js': 'minified',
      node_modules: 'default',
      'package-lock.json': 'default',
      '.env': 'default',
      pipe: 'not_plain',
      zero: 'link',
      circle: 'link',
    })
    expect(data.filesIndexed).toBe(2)
    expect(text).toContain('2 no text')
    expect((await bench.search('SECRET nobody')).data.results).toEqual([])
  })

  test('text of any encoding, with any line ends and any name is found at its lines', async () => {
    await using bench = await openProject({
      'utf16.txt': Buffer.from('\uFEFFeins\nzwei Dachshund\n', 'utf16le'),
      'bom.txt': '\uFEFFterrier first',
      'crlf.py': 'import os\r\n\r\ndef poodle():\r\n    return os\r\n',
      'latin.txt': Uint8Array.from([0x62, 0x65, 0x61, 0x67, 0x6c, 0x65, 0x20, 0xfc]),
      'süß 犬.txt': 'spaniel',
      'two\nlines.txt': 'bulldog',
    })
    expect((await bench.index()).data).toMatchObject({ filesIndexed: 6 })
    const cases: Record<string, string> = {
      Dachshund: 'utf16.txt',
      terrier: 'bom.txt',
      beagle: 'latin.txt',
      spaniel: 'süß 犬.txt',
      bulldog: 'two\nlines.txt',
    }
    for (const [query, path] of Object.entries(cases)) expect(pathsOf(await bench.search(query)), query).toEqual([path])
    const { data, text } = await bench.search('poodle', { contentMode: 'full' })
    expect(data.results).toMatchObject([{ path: 'crlf.py', snippet: 'import os\n\ndef poodle():\n    return os' }])
    expect(text).not.toContain('\r')
  })

  test('include and exclude patterns narrow it, and files that are no longer wanted leave the index', async () => {
    await using bench = await openProject({
      'a.ts': 'quokka',
      'b.md': 'quokka',
      'test/c.ts': 'quokka',
      'lib/d.ts': 'quokka',
    })
    await bench.index()
    expect(pathsOf(await bench.search('quokka')).sort()).toEqual(['a.ts', 'b.md', 'lib/d.ts', 'test/c.ts'])
    const args = { include_patterns: ['*.{ts,tsx}'], exclude_patterns: ['test/**'] }
    expect((await bench.index(args)).data).toMatchObject({
      ...{ filesIndexed: 2 },
      filesRemoved: 2,
      includePatterns: ['*.{ts,tsx}'],
    })
    expect(pathsOf(await bench.search('quokka')).sort()).toEqual(['a.ts', 'lib/d.ts'])
  })

  test('a search in a folder finds what is below it only', async () => {
    await using bench = await openProject({ 'a/x.md': 'numbat', 'ab/x.md': 'numbat', 'a/b/y.md': 'numbat' })
    await bench.index()
    const found = await bench.search('numbat', { path: join(bench.project, 'a') })
    expect(pathsOf(found).sort()).toEqual(['a/b/y.md', 'a/x.md'])
  })

  test('a part of a repository is indexed by itself, and touches nothing of the rest', async () => {
    await using bench = await openProject({ '.git/HEAD': '', 'a/x.md': 'numbat', 'b/y.md': 'numbat' })
    await bench.index()
    write(bench.project, { 'a/z.md': 'numbat' })
    rmSync(join(bench.project, 'a/x.md'))
    const part = await bench.index({ path: join(bench.project, 'a') })
    expect(part.data).toMatchObject({ filesIndexed: 1, filesRemoved: 1 })
    expect(pathsOf(await bench.search('numbat')).sort()).toEqual(['a/z.md', 'b/y.md'])
  })

  test('an empty answer says why it is empty', async () => {
    await using bench = await openProject({})
    mkdirSync(bench.project)
    expect((await bench.search('anything')).text).toContain('index_repository')
    expect((await bench.search('anything')).data.index).toMatchObject({ state: 'none' })
    await bench.index()
    expect((await bench.search('anything')).text).toContain('The index is empty')
    write(bench.project, { 'a.md': 'words' })
    await bench.index()
    expect((await bench.search('anything')).text).toContain('None of 1 pieces')
  })

  test.each([
    ['a relative path', () => 'src', 'E_PATH_INVALID'],
    ['a way up', (project: string) => `${project}/../project`, 'E_PATH_INVALID'],
    ['a folder that is not there', (project: string) => `${project}/none`, 'E_PATH_INVALID'],
    ['a file', (project: string) => `${project}/a.md`, 'E_PATH_INVALID'],
    ['a folder outside', (project: string) => dirname(project), 'E_OUTSIDE_WORKSPACE'],
    ['a link to a folder outside', (project: string) => `${project}/link`, 'E_OUTSIDE_WORKSPACE'],
  ])('%s is refused by both', async (_title, pathOf, code) => {
    await using bench = await openProject({ 'a.md': 'x' })
    symlinkSync('..', join(bench.project, 'link'))
    const path = pathOf(bench.project)
    expect((await bench.index({ path })).code).toBe(code)
    expect((await bench.search('x', { path })).code).toBe(code)
  })

  test('who has told no folder is asked for one', async () => {
    await using bench = await openProject({ 'a.md': 'x' })
    const { code, text } = await bench.call('repository_search', { query: 'x' })
    expect(code).toBe('E_NO_PROJECT')
    expect(text).toContain('Give path')
  })

  test('one project finds nothing of another', async () => {
    await using bench = await openProject({ 'a.md': 'axolotl' })
    const other = join(bench.folder, 'other')
    write(other, { 'b.md': 'axolotl' })
    await bench.index()
    await bench.call('index_repository', { path: other }, other)
    expect(pathsOf(await bench.search('axolotl'))).toEqual(['a.md'])
    expect(pathsOf(await bench.call('repository_search', { query: 'axolotl' }, other))).toEqual(['b.md'])
  })
})

test('finds its way in the sources of a package as they are', async () => {
  await using bench = await openMemoryBench()
  const undici = fileURLToPath(new URL('../../../../../node_modules/undici', import.meta.url))
  const { data } = await bench.call('index_repository', { path: undici, exclude_patterns: ['docs', '*.wasm'] }, undici)
  expect(Number(data.filesIndexed)).toBeGreaterThan(100)
  const declared: Record<string, string> = {
    parseURL: 'lib/core/util.js',
    RetryHandler: 'lib/handler/retry-handler.js',
    fetchFinale: 'lib/web/fetch/index.js',
    MockAgent: 'lib/mock/mock-agent.js',
    'ByteParser.parseCloseBody': 'lib/web/websocket/receiver.js',
  }
  for (const [query, path] of Object.entries(declared)) {
    const found = await bench.call('repository_search', { query }, undici)
    // Paths are from the root of the repository around it, which is ours.
    expect(pathsOf(found)[0], `${query}: ${found.text}`).toBe(`node_modules/undici/${path}`)
  }
  const words = await bench.call('repository_search', { query: 'retry a request after a timeout' }, undici)
  expect(pathsOf(words).some((path) => path.includes('retry'))).toBe(true)
  expect(words.text.length).toBeLessThan(4_000)
})

/** Enough for several batches. */
function manyFiles(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `src/${at % 50}/file${at}.ts`,
      `export function function${at}(value: number): number {\n${'  value = value * 3 + 1\n'.repeat(20)}  return value\n}\n`,
    ]),
  )
}

describe('a long run', () => {
  test('tells its progress with counts, which only grow', async () => {
    await using bench = await openProject(manyFiles(400))
    const told: Progress[] = []
    const call = createCall({ caller: { workspace: bench.project } })
    await bench.call('index_repository', { path: bench.project }, bench.project, {
      ...call,
      progress: (one) => void told.push(one),
    })
    expect(told.length).toBeGreaterThan(1)
    expect(told.at(-1)).toMatchObject({ progress: 400, total: 400 })
    expect(told.map(({ progress }) => progress)).toEqual(told.map(({ progress }) => progress).sort((a, b) => a - b))
  })

  test('that is cancelled keeps what is done, says so in a search, and goes on the next time', async () => {
    await using bench = await openProject(manyFiles(1_500))
    const controller = new AbortController()
    let told = 0
    const call = { ...createCall({ caller: { workspace: bench.project } }), signal: controller.signal }
    const cancelled = bench.call('index_repository', { path: bench.project }, bench.project, {
      ...call,
      progress: () => {
        if (++told === 2) controller.abort(new Error('enough'))
      },
    })
    expect((await cancelled).code).toBe('E_CANCELLED')
    // Who cancels is answered at once; what was being stored is stored meanwhile.
    const between = await waitFor(async () => {
      const found = await bench.search('function1')
      return JSON.stringify(found.data.index).includes('"interrupted"') ? found : undefined
    })
    expect(between.text).toContain('not complete')
    const rest = await bench.index()
    expect(rest.data).toMatchObject({ filesIndexed: 1_500, complete: true })
    // How much was kept depends on the moment; something was.
    expect(Number(rest.data.filesUnchanged) + Number(rest.data.filesRead)).toBe(1_500)
    expect(pathsOf(await bench.search('function1499'))[0]).toBe('src/49/file1499.ts')
  })

  test('is joined by who asks for the same, and one who goes leaves the other its run', async () => {
    await using bench = await openProject(manyFiles(600))
    const controller = new AbortController()
    const first = bench.call('index_repository', { path: bench.project }, bench.project, {
      ...createCall({ caller: { workspace: bench.project } }),
      signal: controller.signal,
      progress: () => controller.abort(new Error('gone')),
    })
    const second = bench.index()
    expect((await first).code).toBe('E_CANCELLED')
    expect((await second).data).toMatchObject({ filesIndexed: 600, filesRead: 600, complete: true })
  })

  test('of one folder with other wishes waits for the one before', async () => {
    await using bench = await openProject(manyFiles(300))
    const [all, some] = await Promise.all([bench.index(), bench.index({ includePatterns: ['src/1/**'] })])
    expect(all.data).toMatchObject({ filesIndexed: 300 })
    expect(some.data).toMatchObject({ filesIndexed: 6, filesRead: 0, filesRemoved: 294 })
  })

  test('says in a search that it is at work', async () => {
    await using bench = await openProject(manyFiles(1_000))
    const running = bench.index()
    const seen = await waitFor(async () => {
      const { data, text } = await bench.search('function')
      return (data.index as { state: string }).state === 'building' ? text : undefined
    })
    expect(seen).toContain('is being built')
    await running
  })

  test('meets files that change and go while it reads, and is right the next time', async () => {
    await using bench = await openProject(manyFiles(800))
    let told = 0
    await bench.call('index_repository', { path: bench.project }, bench.project, {
      ...createCall({ caller: { workspace: bench.project } }),
      progress: () => {
        if (told++ > 0) return
        rmSync(join(bench.project, 'src/9'), { recursive: true })
        write(bench.project, { 'src/8/file8.ts': 'export const rewritten = true\n' })
        renameSync(join(bench.project, 'src/7/file7.ts'), join(bench.project, 'src/7/renamed.ts'))
      },
    })
    await bench.index()
    expect(pathsOf(await bench.search('rewritten'))).toEqual(['src/8/file8.ts'])
    expect(pathsOf(await bench.search('function7'))[0]).toBe('src/7/renamed.ts')
    expect(pathsOf(await bench.search('function9', { limit: 100 }))).not.toContain('src/9/file9.ts')
  })

  test('ends with the pack, and leaves no thread', async () => {
    const bench = await openProject(manyFiles(1_000))
    const controller = new AbortController()
    const begun = Promise.withResolvers<void>()
    const running = bench.call('index_repository', { path: bench.project }, bench.project, {
      ...createCall({ caller: { workspace: bench.project } }),
      signal: controller.signal,
      progress: () => begun.resolve(),
    })
    await begun.promise
    await bench[Symbol.asyncDispose]()
    expect((await running).data).toMatchObject({ complete: false })
  })
})
