/** Git itself is asked: whatever it says of a path, we say. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createSeededRandom, createTemporaryDirectory, type SeededRandom } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { IgnoreRules } from '../../src/ignore/ignore-rules.ts'

function git(cwd: string, args: readonly string[], input = ''): string {
  const env = { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' }
  const { stdout, status, stderr } = spawnSync('git', args, { cwd, input, env, encoding: 'utf8' })
  if (status !== 0 && status !== 1) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

interface Repository {
  readonly root: string
  /** With a `/` at the end of a folder. */
  readonly paths: readonly string[]
}

/** Which of the paths are left out, by git. */
function askGit({ root, paths }: Repository): string[] {
  const input = paths.map((path) => `${path.replace(/\/$/, '')}\0`).join('')
  return git(root, ['check-ignore', '--no-index', '-z', '--stdin'], input).split('\0').filter(Boolean).sort()
}

/** The same by going down from the top, as the walker does. */
function askUs({ root, paths }: Repository): string[] {
  const isIgnored = (path: string): boolean => {
    const names = path.replace(/\/$/, '').split('/')
    let rules = IgnoreRules.at(root)
    return names.some((name, at) => {
      const isFolder = at < names.length - 1 || path.endsWith('/')
      if (rules.judge(name, isFolder) === 'ignored') return true
      if (isFolder) rules = rules.enter(name)
      return false
    })
  }
  return paths
    .filter(isIgnored)
    .map((path) => path.replace(/\/$/, ''))
    .sort()
}

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

async function openRepository() {
  const directory = await createTemporaryDirectory()
  git(directory.path, ['init', '-q'])
  return directory
}

const NAMES = ['a', 'b', 'ab', 'abc', 'a.b', 'x-y', 'A', '.a', 'a b', '[a]', 'é', 'a*b']

function randomPaths(random: SeededRandom): string[] {
  const paths = new Set<string>()
  const grow = (folder: string, depth: number): void => {
    for (const name of random.shuffle(NAMES).slice(0, depth === 0 ? 8 : 4)) {
      const path = folder === '' ? name : `${folder}/${name}`
      const isFolder = depth < 3 && random.below(2) === 0
      paths.add(isFolder ? `${path}/` : path)
      if (isFolder) grow(path, depth + 1)
    }
  }
  grow('', 0)
  return [...paths]
}

const PARTS = [
  'a',
  'b',
  'ab',
  '*',
  '**',
  '?',
  '[a-c]',
  '[!a]',
  '[^b]',
  '[]a]',
  '[a',
  '\\a',
  '\\*',
  '.',
  '-',
  ' ',
  'é',
  '[[:alpha:]]',
  '[[:nope:]]',
  '{a,b}',
  '***',
  '[a-',
  '[\\]]',
  '[a/b]',
]

function randomPattern(random: SeededRandom): string {
  const count = 1 + random.below(3)
  const segments = Array.from({ length: count }, () =>
    random.below(4) === 0
      ? random.pick(['**', '*', 'a', 'b'])
      : Array.from({ length: 1 + random.below(3) }, () => random.pick(PARTS)).join(''),
  )
  const start = random.pick(['', '', '', '/', '!', '!/', '#', '\\!', '\\#'])
  const end = random.pick(['', '', '', '/', ' ', '\\ ', '//', '\r', '\\'])
  return `${start}${segments.join('/')}${end}`
}

describe('what git leaves out', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('is left out, and nothing else, by random patterns (seed %i)', async (seed) => {
    await using directory = await openRepository()
    const random = createSeededRandom(seed)
    let ignored = 0
    for (let round = 0; round < 12; round++) {
      const root = directory.file(`r${round}`)
      mkdirSync(root)
      git(root, ['init', '-q'])
      const paths = randomPaths(random)
      for (const path of paths) {
        if (path.endsWith('/')) mkdirSync(join(root, path), { recursive: true })
        else write(root, path, '')
      }
      const lines = (): string => Array.from({ length: 1 + random.below(6) }, () => randomPattern(random)).join('\n')
      const written: Record<string, string> = { '.gitignore': lines(), '.git/info/exclude': lines() }
      for (const folder of paths.filter((path) => path.endsWith('/')).slice(0, 4))
        written[`${folder}.gitignore`] = lines()
      for (const [path, text] of Object.entries(written)) write(root, path, text)
      const repository = { root, paths }
      const left = askGit(repository)
      ignored += left.length
      expect({ written, left: askUs(repository) }).toEqual({ written, left })
    }
    // Patterns that match nothing would show nothing.
    expect(ignored).toBeGreaterThan(20)
  })

  test.each([
    ['one pattern for names in every folder', 'a', ['a', 'b/a/', 'b/a/c', 'ab']],
    ['a pattern with a slash for one place', '/a\nb/c', ['a', 'b/a', 'b/c', 'x/b/c']],
    ['folders only', 'a/', ['a', 'b/a/', 'b/a/x']],
    ['what comes back', '*.log\n!keep.log', ['x.log', 'keep.log', 'sub/keep.log']],
    ['nothing below a folder that is out', 'a/\n!a/b', ['a/', 'a/b']],
    ['everything but one folder', '/*\n!/a', ['a/', 'a/b', 'b', 'c/']],
    ['folders on the way', 'a/**/b', ['a/b', 'a/x/b', 'a/x/y/b', 'b']],
    ['all below', 'a/**', ['a/', 'a/b/', 'a/b/c']],
    ['lines of Windows, a mark of UTF-8 and comments', '\uFEFFa\r\n# b\r\n\\#c\r\n', ['a', 'b', '#c']],
    ['spaces at the end', 'a  \nb\\ \n', ['a', 'b', 'b ']],
  ])('%s', async (_title, text, paths) => {
    await using directory = await openRepository()
    const root = directory.path
    for (const path of paths) {
      if (path.endsWith('/')) mkdirSync(join(root, path), { recursive: true })
      else if (!paths.includes(`${path}/`)) write(root, path, '')
    }
    write(root, '.gitignore', text)
    const left = askUs({ root, paths })
    expect(left).toEqual(askGit({ root, paths }))
  })
})

test('a pattern that is made to be slow is not', async () => {
  await using directory = await openRepository()
  const root = directory.path
  const name = `${'a'.repeat(200)}b`
  write(root, '.gitignore', `${'*a'.repeat(100)}c\n${'**/a*'.repeat(50)}c\n`)
  expect(IgnoreRules.at(root).judge(name, false)).toBe('kept')
})

test('our own files count more than those of git, and our own list least', async () => {
  await using directory = await openRepository()
  const root = directory.path
  write(root, '.gitignore', 'a\nb\n!dist/\n')
  write(root, '.ignore', '!a\nc\n')
  write(root, '.switchboardignore', '!c\nd\n')
  const rules = IgnoreRules.at(root)
  const verdicts = ['a', 'b', 'c', 'd', '.git', '.env'].map((name) => rules.judge(name, false))
  expect(verdicts).toEqual(['kept', 'ignored', 'kept', 'ignored', 'ignored', 'default'])
  expect([rules.judge('dist', true), rules.judge('build', true)]).toEqual(['kept', 'default'])
})

test('a folder inside a repository has the rules of the folders above it', async () => {
  await using directory = await openRepository()
  const root = directory.path
  write(root, '.gitignore', 'sub/x\n*.log\n')
  write(root, 'sub/.gitignore', 'y\n')
  const rules = IgnoreRules.at(join(root, 'sub'))
  expect(['x', 'y', 'z', 'a.log'].map((name) => rules.judge(name, false))).toEqual([
    'ignored',
    'ignored',
    'kept',
    'ignored',
  ])
})

test('patterns are no link to elsewhere, no pipe and no folder', async () => {
  await using directory = await openRepository()
  await using outside = await createTemporaryDirectory()
  const root = directory.path
  write(outside.path, 'patterns', 'secret\n')
  const { symlinkSync } = await import('node:fs')
  symlinkSync(outside.file('patterns'), join(root, '.gitignore'))
  mkdirSync(join(root, '.ignore'))
  expect(spawnSync('mkfifo', [join(root, '.switchboardignore')]).status).toBe(0)
  expect(IgnoreRules.at(root).judge('secret', false)).toBe('kept')
})
