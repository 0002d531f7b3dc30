import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { createTemporaryDirectory, watchProgram } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { DaemonLock } from '../../src/lock/daemon-lock.ts'
import { readLockState } from '../../src/lock/lock-state.ts'

const HOLDER = `
import { DatabaseSync } from 'node:sqlite'
const database = new DatabaseSync(process.argv[1])
database.exec('BEGIN EXCLUSIVE')
console.log('held')
setInterval(() => {}, 1000)`

test('the lock is held exactly as long as its holder lives, and looking at it neither makes nor takes it', async () => {
  await using directory = await createTemporaryDirectory()
  const file = directory.file('daemon.lock')
  expect(readLockState(file)).toEqual({ state: 'free' })
  await expect(stat(file)).rejects.toThrow('ENOENT')

  const holder = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', HOLDER, file])
  await watchProgram(holder).waitForText('held')
  expect(readLockState(file)).toEqual({ state: 'held' })
  expect(readLockState(file)).toEqual({ state: 'held' })
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  expect(readLockState(file)).toEqual({ state: 'free' })
  const lock = await DaemonLock.acquire({ file, infoFile: directory.file('daemon.json'), attempts: 1 })
  lock.release()
})

test('a file that is no lock is told', async () => {
  await using directory = await createTemporaryDirectory()
  const file = directory.file('daemon.lock')
  await writeFile(file, 'this is no database, and long enough to be taken for one'.repeat(100))
  expect(readLockState(file)).toMatchObject({ state: 'unusable', reason: expect.stringContaining('not a database') })
})
