import { existsSync } from 'node:fs'
import { chmod, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { findFreePort } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { Patient } from './patient.ts'

const posix = process.platform !== 'win32'

async function withStore(): Promise<{ patient: Patient; file: string }> {
  const patient = await Patient.create()
  const { code } = await patient.home.run(['call', 'checkpoint_save', '{"summary":"the parser is done"}'])
  expect(code).toBe(0)
  return { patient, file: patient.home.file('data', 'store.db') }
}

test('nothing that is kept is nothing to worry about', async () => {
  const patient = await Patient.create()
  expect((await patient.visit()).of('store')).toEqual(['ok nothing is kept yet'])
  expect(existsSync(patient.home.file('data'))).toBe(false)
})

test('a store that is whole is told with what it holds', async () => {
  const { patient, file } = await withStore()
  const told = (await patient.visit()).of('store').join('\n')
  expect(told).toMatch(/ok <home>.data.store.db is whole: \d+ items?/)
  expect(told).toContain('there is no copy of it yet')
  if (posix) expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test.runIf(posix)('one that others may read is closed by --fix', async () => {
  const { patient, file } = await withStore()
  await chmod(file, 0o644)
  expect((await patient.visit()).of('store').join('\n')).toContain('error others may read 1 file of the store')
  await patient.visit(['--fix'])
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

test('a damaged one, one of a later version and a log without its store are told with a cure', async () => {
  const { patient, file } = await withStore()
  const whole = await readFile(file)
  await writeFile(file, 'this is no database at all, whatever its name says')
  const damaged = await patient.visit()
  expect(damaged.code).toBe(1)
  expect(damaged.findings.find(({ check, level }) => check === 'store' && level === 'error')).toMatchObject({
    message: expect.stringContaining('store.db'),
    cure: expect.stringMatching(/backup/),
  })
  await writeFile(file, whole)
  const database = new DatabaseSync(file)
  database.exec('UPDATE switchboard_spaces SET version = 99')
  database.close()
  expect((await patient.visit()).of('store').join('\n')).toContain('is of version 99')
  const other = await Patient.create()
  await other.write(other.home.file('data', 'store.db-wal'), 'x')
  expect((await other.visit()).of('store').join('\n')).toContain('is there without its store')
})

test('an old copy is a warning once something changed, and drafts are deleted by --fix', async () => {
  const { patient } = await withStore()
  expect((await patient.home.run(['memory', 'backup'])).code).toBe(0)
  const [name = ''] = await patient.list(patient.home.file('data', 'backups'))
  const copy = patient.home.file('data', 'backups', name)
  const longAgo = new Date(Date.now() - 30 * 24 * 60 * 60_000)
  await utimes(copy, longAgo, longAgo)
  expect((await patient.visit()).of('store').join('\n')).toContain('warn its last copy is 30d 0h old')
  await patient.write(`${copy}.part`, 'half')
  await patient.visit(['--fix'])
  expect(existsSync(`${copy}.part`)).toBe(false)
})

test('a PostgreSQL that does not answer is an error with a cure, and its password is not told', async () => {
  const port = await findFreePort()
  const store = `postgres://ada:hunter2secret@127.0.0.1:${port}/memory`
  const patient = await Patient.create({ gateway: { port: 0 }, daemon: { store } })
  const visit = await patient.visit()
  expect(visit.of('store')).toEqual([expect.stringMatching(/^error .*127\.0\.0\.1/)])
  expect(visit.findings.find(({ check }) => check === 'store')?.cure).toMatch(/\S/)
  expect(visit.out).not.toContain('hunter2secret')
})
