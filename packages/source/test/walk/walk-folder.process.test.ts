import { spawnSync } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { walkFolder } from '../../src/walk/walk-folder.ts'

async function createTree(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await createTemporaryDirectory()
  onTestFinished(() => directory.remove())
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(directory.file(path)), { recursive: true })
    writeFileSync(directory.file(path), text)
  }
  return directory.path
}

function walk(root: string, options: Partial<Parameters<typeof walkFolder>[1]> = {}) {
  const files: string[] = []
  const skipped: Record<string, string> = {}
  for (const entry of walkFolder(root, { maxFileSize: 1_000, ...options })) {
    if (entry.kind === 'file') files.push(entry.path)
    else skipped[entry.path] = entry.reason
  }
  return { files, skipped }
}

test('files come in one order, with what is left out and why', async () => {
  const root = await createTree({
    'b.txt': '',
    'a/x.ts': '',
    'a/deep/y.ts': '',
    'dist/z.js': '',
    'large.txt': 'x'.repeat(1_001),
    'photo.JPG': '',
    '.git/config': '',
    '.hidden/h.ts': '',
  })
  expect(walk(root)).toEqual({
    files: ['b.txt', '.hidden/h.ts', 'a/x.ts', 'a/deep/y.ts'],
    skipped: { dist: 'default', 'large.txt': 'too_large', 'photo.JPG': 'binary' },
  })
})

test('what is kept for good is there, whatever ignore files and our own list say, but for what git keeps', async () => {
  const root = await createTree({
    '.gitignore': 'hidden/\n*.txt\n',
    'game/hidden/a.txt': '',
    'game/dist/b.txt': '',
    'game/.git/config': '',
    'other/c.txt': '',
    'other/dist/d.js': '',
  })
  const isKept = (path: string): boolean => path.startsWith('game')
  expect(walk(root, { isKept })).toEqual({
    files: ['.gitignore', 'game/dist/b.txt', 'game/hidden/a.txt'],
    skipped: { 'other/dist': 'default' },
  })
  expect(walk(root, { isKept, below: 'game/hidden' }).files).toEqual(['game/hidden/a.txt'])
})

test('no link is followed, and nothing that is no file is opened', async () => {
  const outside = await createTree({ 'secret.txt': 'x' })
  const root = await createTree({ 'a.txt': '' })
  symlinkSync(outside, join(root, 'out'))
  symlinkSync(root, join(root, 'circle'))
  symlinkSync('missing', join(root, 'nowhere'))
  symlinkSync(join(outside, 'secret.txt'), join(root, 'secret.txt'))
  symlinkSync('/dev/zero', join(root, 'zero'))
  expect(spawnSync('mkfifo', [join(root, 'pipe')]).status).toBe(0)
  const server = createServer().listen(join(root, 'socket'))
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const { files, skipped } = walk(root)
  expect(files).toEqual(['a.txt'])
  const links = { out: 'link', circle: 'link', nowhere: 'link', 'secret.txt': 'link', zero: 'link' }
  expect(skipped).toEqual({ ...links, pipe: 'not_plain', socket: 'not_plain' })
})

test.skipIf(process.platform !== 'linux')('a name that is no UTF-8 is told as what cannot be read', async () => {
  const root = await createTree({ 'a.txt': '' })
  writeFileSync(Buffer.concat([Buffer.from(`${root}/b`), Buffer.from([0xff]), Buffer.from('.txt')]), 'b')
  expect(walk(root)).toEqual({ files: ['a.txt'], skipped: { 'b\ufffd.txt': 'unreadable' } })
})

test('a home of Switchboard is not entered, from above or from inside', async () => {
  const root = await createTree({ 'a.txt': '', 'home/run/daemon.lock': '', 'home/config.json': '{}', 'run/b.txt': '' })
  expect(walk(root)).toEqual({ files: ['a.txt', 'run/b.txt'], skipped: { home: 'default' } })
  expect(walk(join(root, 'home', 'run'))).toEqual({ files: [], skipped: { '': 'default' } })
})

test.each([
  [['*.ts'], [], ['a.ts', 'lib/b.ts', 'lib/deep/d.ts']],
  [['lib'], [], ['lib/b.ts', 'lib/c.md', 'lib/deep/d.ts']],
  [['lib/**'], ['deep'], ['lib/b.ts', 'lib/c.md']],
  [['lib/*.ts'], [], ['lib/b.ts']],
  [['**/*.{md,txt}'], [], ['e.txt', 'lib/c.md']],
  [[], ['*.ts', './e.txt'], ['lib/c.md']],
  [['!odd'], [], []],
])('include %j and exclude %j leave %j', async (include, exclude, expected) => {
  const root = await createTree({ 'a.ts': '', 'lib/b.ts': '', 'lib/c.md': '', 'lib/deep/d.ts': '', 'e.txt': '' })
  expect(walk(root, { include, exclude }).files).toEqual(expected)
})

test('braces that would stand for too many patterns are no way to fill the memory', async () => {
  const root = await createTree({ 'a.ts': '' })
  expect(walk(root, { include: [`${'{a,b}'.repeat(100)}`] }).files).toEqual([])
})

test('a walk that is stopped ends at the next entry', async () => {
  const root = await createTree(Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at}.txt`, ''])))
  let asked = 0
  expect(walk(root, { isStopped: () => ++asked > 10 }).files).toHaveLength(10)
})

test('folders that go or are exchanged for a link while it walks lead nowhere', async () => {
  const outside = await createTree({ 'secret.txt': 'x' })
  const root = await createTree({ 'a/one.txt': '', 'b/two.txt': '', 'c/three.txt': '', 'z/four.txt': '' })
  const seen: string[] = []
  for (const entry of walkFolder(root, { maxFileSize: 1_000 })) {
    seen.push(`${entry.kind} ${entry.path}`)
    if (entry.path !== 'a/one.txt') continue
    rmSync(join(root, 'b'), { recursive: true })
    renameSync(join(root, 'c'), join(root, 'd'))
  }
  expect(seen).toEqual(['file a/one.txt', 'skipped b', 'skipped c', 'file z/four.txt'])
  expect(outside).not.toBe('')
})

test('a tree of folders that is very deep is walked to its end', async () => {
  const deep = Array.from({ length: 300 }, () => 'f').join('/')
  const root = await createTree({ [`${deep}/end.txt`]: '' })
  expect(walk(root).files).toEqual([`${deep}/end.txt`])
})
