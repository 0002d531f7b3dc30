import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLookBudget, type LinkReader, WritableRoots } from '../../src/modes/writable-roots.ts'

const WORKSPACE_ROOT = `\${workspace}`

describe('a path on disk', () => {
  let directory: TemporaryDirectory
  let roots: WritableRoots
  let workspace: string
  const contains = (text: string, folder: string | undefined = workspace) =>
    roots.contains(roots.resolveRoots([WORKSPACE_ROOT], workspace), text, folder)

  beforeAll(async () => {
    directory = await createTemporaryDirectory()
    workspace = directory.file('work')
    roots = new WritableRoots({ platform: 'linux', userHome: directory.file('home') })
    await mkdir(directory.file('work', 'sub'), { recursive: true })
    await mkdir(directory.file('outside', 'deep'), { recursive: true })
    await writeFile(directory.file('work', 'file'), '')
    await symlink(directory.file('outside'), directory.file('work', 'out'))
    await symlink(directory.file('outside', 'deep'), directory.file('work', 'deep'))
    await symlink(directory.file('outside', 'new'), directory.file('work', 'dangling'))
    await symlink('sub', directory.file('work', 'in'))
    await symlink('loop', directory.file('work', 'loop'))
    await symlink(directory.file('work'), directory.file('alias'))
  })
  afterAll(() => directory.remove())

  it.each([
    ['the root itself', '.'],
    ['a file', 'file'],
    ['one that is not there yet, in folders that are not either', 'a/b/c.txt'],
    ['with .. that stays inside', 'sub/../file'],
    ['through a link that leads inside', 'in/x'],
    ['a name that begins with two dots', '..hidden/x'],
    ['below what is a file', 'file/x'],
  ])('lies within: %s', (_title, text) => {
    expect(contains(text)).toBe(true)
    expect(contains(`${workspace}/${text}`)).toBe(true)
    expect(contains(pathToFileURL(`${workspace}/${text}`).href)).toBe(true)
  })

  it.each([
    ['above', '..'],
    ['beside', '../outside/x'],
    ['beside, with the same beginning', '../project2/x'],
    ['with .. after a folder that is not there', 'nowhere/../../outside/x'],
    ['through a link that leads out', 'out/x'],
    ['a link that leads out', 'out'],
    ['a link to what is not there yet', 'dangling'],
    ['below such a link', 'dangling/x'],
    ['with .. behind a link: inside by its text, outside for the kernel', 'deep/../x'],
    ['a link that leads nowhere', 'loop'],
    ['with a zero', 'file\0'],
    ['a file: URI of another host', 'file://host/x'],
    ['a file: URI that is none', 'file:%zz'],
    ['the home folder', '~/x'],
    ['the root of all', '/'],
  ])('does not: %s', (_title, text) => {
    expect(contains(text)).toBe(false)
  })

  it('may be given under another name of the root, and the root as a link', () => {
    expect(contains(`${directory.file('alias')}/x`)).toBe(true)
    expect(roots.contains([directory.file('alias')], `${workspace}/x`, undefined)).toBe(true)
    expect(roots.contains([directory.file('alias')], `${directory.file('outside')}/x`, undefined)).toBe(false)
  })

  it('that is relative lies nowhere while nobody knows the workspace', () => {
    expect(roots.resolveRoots([WORKSPACE_ROOT, '/x'], undefined)).toEqual(['/x'])
    expect(roots.contains(['/'], 'a', undefined)).toBe(false)
    expect(roots.contains(['/'], '/a', undefined)).toBe(true)
  })

  it('in the home folder lies within a root there', () => {
    expect(roots.contains([directory.file('home', 'mods')], '~/mods/x', workspace)).toBe(true)
  })

  it('is compared by its letters on Linux', () => {
    expect(roots.contains(['/Mods'], '/mods/x', undefined)).toBe(false)
  })
})

/** A disk without links on which nothing exists: what is left is the text. */
const EMPTY_DISK: LinkReader = {
  look: () => 'missing',
  realpath: (path) => path,
  readlink: () => '',
}

describe('a path of Windows', () => {
  const roots = new WritableRoots({ platform: 'win32', userHome: 'C:\\Users\\you', links: EMPTY_DISK })
  const contains = (text: string) => roots.contains(['D:\\Work'], text, 'D:\\Work\\Mod')

  it.each([
    'd:\\work\\x',
    'D:/WORK/x/../y',
    'x.txt',
    '..\\other\\x',
    'sub/x',
    '\\\\?\\D:\\Work\\x',
    'file:///D:/Work/x',
    '\\Work\\x',
  ])('lies within: %s', (text) => {
    expect(contains(text)).toBe(true)
  })

  it.each([
    'D:\\Works\\x',
    'C:\\Work\\x',
    '..\\..\\x',
    'D:\\Work\\..\\x',
    '\\\\host\\D\\Work\\x',
    '\\\\.\\PhysicalDrive0',
    '\\\\?\\C:\\x',
    'file:///C:/Work/x',
    '~\\x',
    '\\x',
  ])('does not: %s', (text) => {
    expect(contains(text)).toBe(false)
  })

  it('is absolute with a drive, also without a slash', () => {
    expect(['C:\\x', 'C:x', '\\x', '/x'].every((text) => roots.isAbsolute(text))).toBe(true)
    expect(roots.isAbsolute('x')).toBe(false)
  })
})

it('a path of macOS is the same in upper and lower case, and however its accents are composed', () => {
  const roots = new WritableRoots({ platform: 'darwin', userHome: '/Users/you', links: EMPTY_DISK })
  expect(roots.contains(['/Project/Caf\u00e9'], '/project/cafe\u0301/X', undefined)).toBe(true)
})

describe('however many and deep the paths are', () => {
  it('looks at the disk a bounded number of times', () => {
    let looks = 0
    const links: LinkReader = {
      look: (path) => {
        looks++
        return path === '/project' || path === '/' ? 'other' : 'missing'
      },
      realpath: (path) => path,
      readlink: (path) => path,
    }
    const roots = new WritableRoots({ platform: 'linux', userHome: '/home', links })
    const budget = createLookBudget()
    const contains = (text: string): boolean => roots.contains(['/project'], text, '/project', budget)
    expect(contains('a/../b')).toBe(true)
    for (let index = 0; index < 1_000; index++) expect(contains(`${`x${index}/`.repeat(700)}../y`)).toBe(false)
    expect(looks).toBeLessThan(11_000)
    expect(budget.left).toBeLessThan(0)
  })

  it('does not look at all for a path that no system takes', () => {
    const links: LinkReader = {
      look: () => expect.fail('it was looked at'),
      realpath: () => expect.fail('it was looked at'),
      readlink: () => expect.fail('it was looked at'),
    }
    const roots = new WritableRoots({ platform: 'linux', userHome: '/home', links })
    expect(roots.contains(['/project'], `/project/${'a/'.repeat(3_000)}`, '/project')).toBe(false)
  })
})
