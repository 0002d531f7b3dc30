import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { readForeignBytes, readForeignText } from '../src/foreign-file.ts'

const LIMITS = { maxBytes: 1_000 }

describe.skipIf(process.platform === 'win32')('what others name', () => {
  test('is refused at once where it is a pipe that nobody writes to', async () => {
    await using folder = await createTemporaryDirectory()
    execFileSync('mkfifo', [folder.file('pipe')])
    await symlink('pipe', folder.file('link'))
    for (const name of ['pipe', 'link']) {
      expect(() => readForeignText(folder.file(name), LIMITS)).toThrow(/is a pipe, not a plain file/)
      await expect(readForeignBytes(folder.file(name), LIMITS)).rejects.toMatchObject({ problem: 'not_plain' })
    }
  })

  test('is refused where it is a socket', async () => {
    await using folder = await createTemporaryDirectory()
    const server = createServer().listen(folder.file('socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    expect(() => readForeignText(folder.file('socket'), LIMITS)).toThrow(/is a socket, not a plain file/)
    await new Promise((resolve) => server.close(resolve))
  })
})
