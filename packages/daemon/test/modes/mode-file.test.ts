import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMemoryLogger, type MemoryLogger } from '@switchboard/telemetry'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MAX_AGE_MS, ModeFiles } from '../../src/modes/mode-file.ts'

const ME = 'aaaa-000001'
const OTHER = 'bbbb-000002'

let home: TemporaryDirectory
let directory: string
let log: MemoryLogger
let now: number
let files: ModeFiles
beforeEach(async () => {
  home = await createTemporaryDirectory()
  directory = home.file('modes')
  log = createMemoryLogger({ level: 'debug' })
  now = Date.now()
  files = new ModeFiles({ directory, log, now: () => now })
})
afterEach(() => home.remove())

const fileOf = (instance: string) => join(directory, `agent_mode_${instance}.json`)
const write = async (instance: string, text: string) => {
  await mkdir(directory, { recursive: true })
  await writeFile(fileOf(instance), text)
}
const warnings = () => log.entries.filter(({ level }) => level === 'warn').map(({ msg }) => msg)

describe('a mode file', () => {
  it('is written whole, for its owner only, in a folder for its owner only', async () => {
    await files.set(ME, 'review', 'agent')
    expect(await readdir(directory)).toEqual([`agent_mode_${ME}.json`])
    expect(JSON.parse(await readFile(fileOf(ME), 'utf8'))).toEqual({
      mode: 'review',
      instance_id: ME,
      set_at: new Date(now).toISOString(),
      set_by: 'agent',
    })
    expect((await stat(fileOf(ME))).mode & 0o777).toBe(0o600)
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
  })

  it('is read back, cleared and read back', async () => {
    expect(files.read(ME)).toBeUndefined()
    await files.set(ME, 'review', 'person')
    expect(files.read(ME)).toMatchObject({ mode: 'review', setBy: 'person' })
    await files.clear(ME, 'person')
    expect(files.read(ME)).toEqual({ mode: null, instance: ME, at: new Date(now).toISOString(), setBy: 'person' })
    expect(JSON.parse(await readFile(fileOf(ME), 'utf8'))).toHaveProperty('cleared_at')
  })

  it('is made blank for an instance that has none, and left alone where there is one', async () => {
    await files.createBlank(ME)
    expect(files.read(ME)).toMatchObject({ mode: null, setBy: 'activation' })
    await files.set(ME, 'review', 'agent')
    await files.createBlank(ME)
    expect(files.read(ME)).toMatchObject({ mode: 'review' })
  })

  it('belongs to one instance: writing it touches no other', async () => {
    await files.set(OTHER, 'review', 'agent')
    const before = await stat(fileOf(OTHER), { bigint: true })
    await files.set(ME, 'work', 'agent')
    await files.clear(ME, 'agent')
    const after = await stat(fileOf(OTHER), { bigint: true })
    expect([after.mtimeNs, after.ino]).toEqual([before.mtimeNs, before.ino])
    expect(files.read(OTHER)).toMatchObject({ mode: 'review' })
  })

  it('shows what another process wrote at the next read, also many times within one tick of the disk’s clock', async () => {
    const person = new ModeFiles({ directory })
    for (let round = 0; round < 300; round++) {
      const mode = `mode-${round % 7}`
      await person.set(ME, mode, 'person')
      expect(files.read(ME)?.mode).toBe(mode)
    }
  })

  it('is not read again as long as it is the same', async () => {
    await files.set(ME, 'review', 'agent')
    await utimes(fileOf(ME), new Date(now - 60_000), new Date(now - 60_000))
    const first = files.read(ME)
    expect(files.read(ME)).toBe(first)
  })

  it.each<[string, string, string]>([
    ['is no JSON', '{"mode":', 'cannot be read as JSON'],
    ['is empty', '', 'cannot be read as JSON'],
    ['is a list', '[]', 'holds no object'],
    [
      'is of another instance',
      JSON.stringify({ mode: 'review', instance_id: OTHER, set_at: 'x' }),
      'belongs to another instance',
    ],
    ['names no instance', JSON.stringify({ mode: 'review', set_at: 'x' }), 'belongs to another instance'],
    ['has a mode that is no text', JSON.stringify({ mode: 7, instance_id: ME, set_at: 'x' }), 'names no mode'],
    ['does not say when', JSON.stringify({ mode: 'review', instance_id: ME }), 'does not say when it was set'],
    ['is huge', ' '.repeat(5_000), 'has 5000 bytes, and at most 4096 are read'],
  ])('that %s counts as no mode, and is logged once', async (_title, text, complaint) => {
    await write(ME, text)
    for (let read = 0; read < 3; read++) expect(files.read(ME)).toBeUndefined()
    expect(warnings()).toEqual([`the mode file ${complaint}; it counts as no mode`])
    expect(log.entries[0]?.inst).toBe(ME)
    await files.set(ME, 'review', 'agent')
    expect(files.read(ME)).toMatchObject({ mode: 'review' })
  })

  it('that is no file at all counts as no mode', async () => {
    await mkdir(fileOf(ME), { recursive: true })
    expect(files.read(ME)).toBeUndefined()
    expect(warnings()).toEqual(['the mode file is a folder, not a plain file; it counts as no mode'])
  })

  it('of something that is no instance id is refused: it could lead anywhere', () => {
    expect(() => files.read('../../x')).toThrow('"../../x" is no instance id')
    expect(() => files.fileOf('')).toThrow('is no instance id')
  })

  it('that cannot be written says why, and leaves nothing behind', async () => {
    await writeFile(directory, 'in the way')
    await expect(files.set(ME, 'review', 'agent')).rejects.toThrow(`The mode of ${ME} cannot be written: `)
    expect(files.read(ME)).toBeUndefined()
  })
})

describe('the sweep', () => {
  const age = async (instance: string, ms: number) => {
    const time = new Date(now - ms)
    await utimes(fileOf(instance), time, time)
  }

  it('deletes what is older than a day, half-written files included, and nothing else', async () => {
    await files.set(ME, 'review', 'agent')
    await files.set(OTHER, 'review', 'agent')
    const half = `${fileOf(ME)}.00000000-0000-4000-8000-000000000000.tmp`
    const foreign = join(directory, 'notes.json')
    for (const file of [half, foreign]) {
      await writeFile(file, '')
      await utimes(file, new Date(0), new Date(0))
    }
    await age(ME, MAX_AGE_MS + 1_000)
    await age(OTHER, MAX_AGE_MS - 60_000)
    expect(await files.sweep(() => false)).toBe(2)
    expect((await readdir(directory)).sort()).toEqual([`agent_mode_${OTHER}.json`, 'notes.json'])
  })

  it('keeps the file of a window that is still open, and marks it as used for others that sweep', async () => {
    await files.set(ME, 'review', 'agent')
    await age(ME, 10 * MAX_AGE_MS)
    expect(await files.sweep((instance) => instance === ME)).toBe(0)
    expect(files.read(ME)).toMatchObject({ mode: 'review' })
    expect(await new ModeFiles({ directory }).sweep(() => false)).toBe(0)
  })

  it('of a folder that does not exist finds nothing', async () => {
    expect(await files.sweep(() => false)).toBe(0)
    expect(await files.list()).toEqual([])
  })
})
