import { mkdtempSync, realpathSync, rmSync, truncateSync } from 'node:fs'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  ForeignFileError,
  type ForeignFileProblem,
  readForeignBytes,
  readForeignText,
  readPart,
  withForeignFile,
} from '../src/foreign-file.ts'

const LIMITS = { maxBytes: 1_000 }
const isWindows = process.platform === 'win32'
let folder: string

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'switchboard-foreign-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
})

function expectProblem(problem: ForeignFileProblem, reason: RegExp, read: () => unknown): void {
  try {
    read()
  } catch (error) {
    expect(error).toBeInstanceOf(ForeignFileError)
    expect(error).toMatchObject({ problem, reason: expect.stringMatching(reason) })
    return
  }
  expect.unreachable('it was read')
}

test('a plain file is read whole, also through a link', async () => {
  await writeFile(join(folder, 'a.txt'), 'größe')
  await symlink('a.txt', join(folder, 'b.txt'))
  expect(readForeignText(join(folder, 'a.txt'), LIMITS)).toBe('größe')
  expect(readForeignText(join(folder, 'b.txt'), { ...LIMITS, root: folder })).toBe('größe')
  expect((await readForeignBytes(join(folder, 'b.txt'), LIMITS)).toString()).toBe('größe')
  expect(withForeignFile(join(folder, 'a.txt'), LIMITS, ({ fd, size }) => readPart(fd, 2, size)).toString()).toBe('öße')
})

test('what is not there is told from what cannot be read', async () => {
  await writeFile(join(folder, 'a.txt'), '')
  await symlink('gone', join(folder, 'dangling'))
  for (const name of ['gone', 'dangling', 'a.txt/b']) {
    expectProblem('missing', /is not there/, () => readForeignText(join(folder, name), LIMITS))
  }
  await symlink('circle', join(folder, 'circle'))
  expectProblem('unreadable', /in circles/, () => readForeignText(join(folder, 'circle'), LIMITS))
  await expect(readForeignBytes(join(folder, 'gone'), LIMITS)).rejects.toMatchObject({ problem: 'missing' })
})

test('a file over the limit is refused before a byte of it is read', async () => {
  await writeFile(join(folder, 'large'), '')
  // Sparse: it would be 1 TB.
  truncateSync(join(folder, 'large'), 2 ** 40)
  expectProblem('too_large', /has 1099511627776 bytes, and at most 1000 are read/, () =>
    readForeignText(join(folder, 'large'), LIMITS),
  )
})

test('a folder is no plain file', () => {
  expectProblem('not_plain', /is a folder, not a plain file/, () => readForeignText(folder, LIMITS))
})

describe.skipIf(isWindows)('with links and devices', () => {
  test.each(['/dev/zero', '/dev/random', '/dev/tty', '/dev/null'])(
    'a link to %s is refused at once',
    async (device) => {
      await symlink(device, join(folder, 'link'))
      expectProblem('not_plain', /a device, not a plain file/, () => readForeignText(join(folder, 'link'), LIMITS))
      await expect(readForeignBytes(join(folder, 'link'), LIMITS)).rejects.toMatchObject({ problem: 'not_plain' })
    },
  )

  test.skipIf(process.platform !== 'linux')('a file of the kernel has nothing to say', async () => {
    await symlink('/proc/self/environ', join(folder, 'link'))
    expect(readForeignText(join(folder, 'link'), LIMITS)).toBe('')
  })

  test('no link leads out of the root, be it the file or a folder on the way', async () => {
    const root = join(folder, 'root')
    await mkdir(join(folder, 'outside'))
    await mkdir(join(root, 'inner'), { recursive: true })
    await writeFile(join(folder, 'outside', 'secret'), 'secret')
    await writeFile(join(root, 'own'), 'own')
    await symlink(join(folder, 'outside', 'secret'), join(root, 'file'))
    await symlink('../outside', join(root, 'folder'))
    await symlink('../own', join(root, 'inner', 'own'))
    const read = (name: string) => () => readForeignText(join(root, name), { ...LIMITS, root })
    expectProblem('outside', /leads out of its folder/, read('file'))
    expectProblem('outside', /leads out of its folder/, read('folder/secret'))
    expectProblem('outside', /leads out of its folder/, read('../outside/secret'))
    expect(read('inner/own')()).toBe('own')
    // The root itself may be reached through a link.
    await symlink('root', join(folder, 'way'))
    expect(readForeignText(join(folder, 'way', 'own'), { ...LIMITS, root: join(folder, 'way') })).toBe('own')
  })
})
