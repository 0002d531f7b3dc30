import { mkdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type AppendNotice, AppendWriter, type AppendWriterOptions } from '../../src/append/append-writer.ts'
import { createClockAt, createFolder, DAY_MS, FakeStderr, listFiles, readLines } from '../support/workspace.ts'

const isPosix = process.platform !== 'win32'

function createWriter(directory: string, options: Partial<AppendWriterOptions> = {}) {
  const clock = createClockAt('2026-03-10T12:00:00.000Z')
  const stderr = new FakeStderr()
  const notices: AppendNotice[] = []
  const writer = new AppendWriter(
    { directory, file: 'daemon.log', clock, stderr, ...options },
    {
      describe: (notice) => {
        notices.push(notice)
        return `notice ${notice.kind} ${'count' in notice ? notice.count : ''}`.trim()
      },
      isSibling: (parts) => parts.base.startsWith('mcp-'),
    },
  )
  onTestFinished(() => writer.close())
  const write = (text: string) => writer.append(text, clock.wallTime())
  return { writer, write, clock, stderr, notices }
}

test('a missing folder is made, for its owner only, and lines stand in the order they came', async () => {
  const folder = join(createFolder(), 'home', 'logs')
  const { writer, write } = createWriter(folder)
  for (let index = 0; index < 1_000; index++) write(`line ${index}`)
  await writer.flush()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(Array.from({ length: 1_000 }, (_, index) => `line ${index}`))
  if (isPosix) {
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, 'daemon.log')).mode & 0o777).toBe(0o600)
  }
})

test('nothing is opened before the first line, and nothing is written after close', async () => {
  const folder = createFolder()
  const { writer, write } = createWriter(folder)
  await writer.flush()
  expect(listFiles(folder)).toEqual([])
  write('one')
  await writer.close()
  write('two')
  await writer.close()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['one'])
})

test('lines that are described later keep their place and their day, and one that cannot be is left out', async () => {
  const folder = createFolder()
  const { writer, write, clock } = createWriter(folder)
  let described = 0
  const later = (text: string) => {
    writer.appendLater(() => {
      described++
      return text
    }, clock.wallTime())
  }
  clock.jumpWallTime(Date.parse('2026-03-10T23:59:59.999Z') - clock.wallTime())
  later('one')
  expect(described).toBe(0)
  write('two')
  writer.appendLater(() => {
    throw new Error('no text')
  }, clock.wallTime())
  clock.advance(1)
  later('three')
  await writer.flush()
  expect(described).toBe(2)
  expect(readLines(join(folder, 'daemon.2026-03-10.1.log'))).toEqual(['one', 'two'])
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['three'])
})

test('lines that are described later are written without being flushed, and close and an exit leave none behind', async () => {
  const folder = createFolder()
  const { writer, clock } = createWriter(folder)
  writer.appendLater(() => 'by itself', clock.wallTime())
  await expect.poll(() => listFiles(folder), { timeout: 10_000 }).toEqual(['daemon.log'])
  await expect.poll(() => readLines(join(folder, 'daemon.log')), { timeout: 10_000 }).toEqual(['by itself'])
  writer.appendLater(() => 'at exit', clock.wallTime())
  writer.flushSync()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['by itself', 'at exit'])
  writer.appendLater(() => 'at close', clock.wallTime())
  await writer.close()
  writer.appendLater(() => 'too late', clock.wallTime())
  await writer.close()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['by itself', 'at exit', 'at close'])
})

test('no more than a bounded number of lines is kept undescribed', () => {
  const { writer, clock } = createWriter(createFolder())
  let described = 0
  for (let index = 0; index < 1_000; index++) {
    writer.appendLater(() => `line ${described++}`, clock.wallTime())
  }
  expect(described).toBeGreaterThan(800)
})

test('a new UTC day begins a new file, within one batch too', async () => {
  const folder = createFolder()
  const { writer, write, clock } = createWriter(folder)
  clock.jumpWallTime(Date.parse('2026-03-10T23:59:59.999Z') - clock.wallTime())
  write('old day')
  clock.advance(1)
  write('new day')
  await writer.flush()
  expect(readLines(join(folder, 'daemon.2026-03-10.1.log'))).toEqual(['old day'])
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['new day'])
})

test('a process that runs for weeks keeps seven full days and today', async () => {
  const folder = createFolder()
  const { writer, write, clock } = createWriter(folder)
  for (let day = 0; day < 25; day++) {
    write(`day ${day}`)
    await writer.flush()
    clock.advance(DAY_MS)
  }
  await writer.close()
  const kept = Array.from(
    { length: 7 },
    (_, index) => `daemon.2026-${index < 5 ? `03-${27 + index}` : `04-0${index - 4}`}.1.log`,
  )
  expect(listFiles(folder)).toEqual([...kept, 'daemon.log'])
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['day 24'])
})

test('rotation by size under load loses nothing, keeps the order, and never overwrites', async () => {
  const folder = createFolder()
  writeFileSync(join(folder, 'daemon.2026-03-10.3.log'), 'precious\n')
  const { writer, write } = createWriter(folder, { maxBytes: 4_096 })
  const expected: string[] = []
  for (let index = 0; index < 5_000; index++) {
    const line = `line ${index} ${'x'.repeat(index % 90)}`
    expected.push(line)
    write(line)
    if (index % 700 === 0) await writer.flush()
  }
  await writer.close()
  expect(readLines(join(folder, 'daemon.2026-03-10.3.log'))).toEqual(['precious'])
  const rotated = listFiles(folder)
    .filter((name) => name !== 'daemon.log' && name !== 'daemon.2026-03-10.3.log')
    .sort((a, b) => Number(a.split('.')[2]) - Number(b.split('.')[2]))
  const files = [...rotated, 'daemon.log']
  expect(files.length).toBeGreaterThan(50)
  for (const name of files) expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(4_096)
  expect(files.flatMap((name) => readLines(join(folder, name)))).toEqual(expected)
})

test('a line longer than a whole file is written all the same, in a file of its own', async () => {
  const folder = createFolder()
  const { writer, write } = createWriter(folder, { maxBytes: 100 })
  for (const line of ['short', 'x'.repeat(500), 'after']) write(line)
  await writer.close()
  expect(readLines(join(folder, 'daemon.2026-03-10.2.log'))).toEqual(['x'.repeat(500)])
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['after'])
})

test('old files go when a file is opened: its own and the family’s, and nobody else’s', async () => {
  const folder = createFolder()
  const old = new Date('2026-03-02T23:00:00.000Z')
  const recent = new Date('2026-03-03T01:00:00.000Z')
  const touch = (name: string, time: Date) => {
    writeFileSync(join(folder, name), 'x\n')
    utimesSync(join(folder, name), time, time)
  }
  for (const name of ['daemon.2026-03-02.1.log', 'mcp-a.2026-03-02.9.log', 'mcp-dead.log']) touch(name, old)
  const kept = ['daemon.2026-03-03.1.log', 'mcp-a.2026-03-03.1.log', 'notes.2026-03-02.1.log', 'notes.txt', 'other.log']
  for (const name of kept) touch(name, old)
  touch('mcp-alive.log', recent)
  const { writer, write } = createWriter(folder)
  write('hello')
  await writer.close()
  expect(listFiles(folder)).toEqual([...kept, 'daemon.log', 'mcp-alive.log'].sort())
})

test('a file that an earlier process left on another day is moved aside under its own day', async () => {
  const folder = createFolder()
  const left = '{"ts":"2026-03-08T10:00:00.000Z","level":"info"}'
  writeFileSync(join(folder, 'daemon.log'), `${left}\n`)
  const { writer, write } = createWriter(folder)
  write('today')
  await writer.close()
  expect(readLines(join(folder, 'daemon.2026-03-08.1.log'))).toEqual([left])
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['today'])
})

test('half a line that a killed process left is ended before the next one', async () => {
  const folder = createFolder()
  writeFileSync(join(folder, 'daemon.log'), '{"ts":"2026-03-10T10:00:00.000Z","msg":"cut he')
  const { writer, write } = createWriter(folder)
  write('whole')
  await writer.close()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['{"ts":"2026-03-10T10:00:00.000Z","msg":"cut he', 'whole'])
})

test('what does not fit into memory is dropped, and the file says how much and where', async () => {
  const folder = createFolder()
  const { writer, write } = createWriter(folder, { maxPendingBytes: 1_000 })
  for (let index = 0; index < 300; index++) write(`early ${String(index).padStart(3, '0')}`)
  await writer.flush()
  write('late')
  await writer.close()
  const lines = readLines(join(folder, 'daemon.log'))
  expect(lines.slice(0, 100)).toEqual(
    Array.from({ length: 100 }, (_, index) => `early ${String(index).padStart(3, '0')}`).slice(0, lines.length),
  )
  expect(lines.slice(-2)).toEqual([`notice dropped ${300 - (lines.length - 2)}`, 'late'])
})

test('a folder that cannot be made sends lines to stderr, and writing goes on when it can', async () => {
  const parent = createFolder()
  const folder = join(parent, 'logs')
  writeFileSync(folder, 'a file stands where the folder should be')
  const { writer, write, clock, stderr, notices } = createWriter(folder)
  write('one')
  await writer.flush()
  expect(stderr.text).toBe('notice failed\none\n')
  rmSync(folder)
  clock.advance(4_999)
  write('two: not tried again so soon')
  await writer.flush()
  expect(stderr.text).toContain('two: not tried again so soon\n')
  clock.advance(1)
  write('three')
  await writer.flush()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['notice recovered 2', 'three'])
  expect(notices.map((notice) => notice.kind)).toEqual(['failed', 'recovered'])
})

test('a clock that is set back does not stretch the pause before the next attempt', async () => {
  const folder = join(createFolder(), 'logs')
  writeFileSync(folder, '')
  const { writer, write, clock } = createWriter(folder)
  write('one')
  await writer.flush()
  rmSync(folder)
  clock.jumpWallTime(-DAY_MS)
  write('two')
  await writer.flush()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['notice recovered 1', 'two'])
})

test('with stderr broken too, lines are lost in silence and counted', async () => {
  const folder = join(createFolder(), 'logs')
  writeFileSync(folder, '')
  const { writer, write, clock, stderr, notices } = createWriter(folder)
  stderr.isBroken = true
  write('lost')
  await writer.flush()
  rmSync(folder)
  clock.advance(5_000)
  write('kept')
  await writer.close()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['notice recovered 1', 'kept'])
  expect(notices.at(-1)).toMatchObject({ kind: 'recovered', count: 1, lost: 1 })
})

test.skipIf(process.platform !== 'linux')('a device without space sends lines to stderr', async () => {
  const folder = createFolder()
  symlinkSync('/dev/full', join(folder, 'daemon.log'))
  const { writer, write, clock, stderr } = createWriter(folder)
  write('one')
  await writer.flush()
  expect(stderr.text).toBe('notice failed\none\n')
  rmSync(join(folder, 'daemon.log'))
  clock.advance(5_000)
  write('two')
  await writer.close()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['notice recovered 1', 'two'])
})

test('a file removed under the writer is made anew, its folder too, and no line is lost after that', async () => {
  const folder = join(createFolder(), 'logs')
  const { writer, write } = createWriter(folder)
  write('before')
  await writer.flush()
  rmSync(join(folder, 'daemon.log'))
  write('after the file went')
  await writer.flush()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['after the file went'])
  rmSync(folder, { recursive: true })
  write('after the folder went')
  await writer.flush()
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['after the folder went'])
})

test('a file moved away by somebody else is left alone from then on', async () => {
  const folder = createFolder()
  const { writer, write } = createWriter(folder)
  write('one')
  await writer.flush()
  renameSync(join(folder, 'daemon.log'), join(folder, 'moved.txt'))
  write('two')
  await writer.flush()
  expect(readFileSync(join(folder, 'moved.txt'), 'utf8')).toBe('one\n')
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['two'])
})

test('a rotation that fails leaves the lines in the old file', async () => {
  const folder = createFolder()
  const name = `${'n'.repeat(246)}.log`
  const { writer, write, clock } = createWriter(folder, { file: name })
  write('one')
  await writer.flush()
  // The rotated name would be longer than a file system takes.
  clock.advance(DAY_MS)
  write('two')
  write('three')
  await writer.close()
  expect(listFiles(folder)).toEqual([name])
  expect(readLines(join(folder, name))).toEqual(['one', 'two', 'three'])
})

test('two writers on one file, which nobody should have, still lose nothing', async () => {
  const folder = createFolder()
  const first = createWriter(folder, { maxBytes: 2_000 })
  const second = createWriter(folder, { maxBytes: 2_000 })
  for (let index = 0; index < 300; index++) {
    first.write(`first ${index}`)
    second.write(`second ${index}`)
    if (index % 50 === 0) await Promise.all([first.writer.flush(), second.writer.flush()])
  }
  await Promise.all([first.writer.close(), second.writer.close()])
  const all = listFiles(folder).flatMap((name) => readLines(join(folder, name)))
  const expected = Array.from({ length: 300 }, (_, index) => [`first ${index}`, `second ${index}`]).flat()
  expect(all.sort()).toEqual(expected.sort())
})

test('a flush waits for what came before it only, and many at once all resolve', async () => {
  const folder = createFolder()
  const { writer, write } = createWriter(folder)
  write('one')
  const flushes = [writer.flush(), writer.flush()]
  write('two')
  flushes.push(writer.flush())
  await Promise.all(flushes)
  expect(readLines(join(folder, 'daemon.log'))).toEqual(['one', 'two'])
})

test('all writers of a process share one exit listener, and closing the last removes it', async () => {
  const before = process.listenerCount('exit')
  const folder = createFolder()
  const writers = Array.from({ length: 15 }, (_, index) => createWriter(folder, { file: `server-${index}.log` }).writer)
  expect(process.listenerCount('exit')).toBe(before + 1)
  await Promise.all(writers.map((writer) => writer.close()))
  expect(process.listenerCount('exit')).toBe(before)
})

test('a folder called like the file does not bring the process down', async () => {
  const folder = createFolder()
  mkdirSync(join(folder, 'daemon.log'))
  const { writer, write, stderr } = createWriter(folder)
  write('one')
  await writer.close()
  expect(stderr.text).toBe('notice failed\none\n')
})

test('what was moved aside takes no more than it may, whatever comes, and that is told', async () => {
  const folder = createFolder()
  const { writer, write, notices } = createWriter(folder, { maxBytes: 1_000, keepBytes: 3_000 })
  for (let index = 0; index < 400; index++) {
    write(`${index} ${'x'.repeat(100)}`)
    if (index % 8 === 7) await writer.flush()
  }
  await writer.flush()
  const rotated = listFiles(folder).filter((name) => name !== 'daemon.log')
  const bytes = rotated.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  expect(bytes).toBeLessThanOrEqual(3_000)
  expect(bytes).toBeGreaterThan(1_000)
  expect(notices.filter(({ kind }) => kind === 'purged').length).toBeGreaterThan(10)
  // The newest are there.
  expect(readLines(join(folder, 'daemon.log')).at(-1)).toMatch(/^399 |^notice purged/)
})
