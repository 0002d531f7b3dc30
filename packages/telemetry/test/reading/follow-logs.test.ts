import { appendFileSync, mkdirSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFileLogger } from '../../src/logging/file-logger.ts'
import { type FollowQuery, followLogs } from '../../src/reading/follow-logs.ts'
import { createClockAt, createFolder, DAY_MS, listFiles } from '../support/workspace.ts'

function line(ms: number, msg: string): string {
  const ts = new Date(Date.parse('2026-03-10T12:00:00.000Z') + ms).toISOString()
  return `${JSON.stringify({ ts, level: 'info', cat: 'a', inst: 'i', msg })}\n`
}

function follow(query: FollowQuery) {
  const abort = new AbortController()
  const lines = followLogs({ pollMs: 5, signal: abort.signal, ...query })
  onTestFinished(async () => {
    abort.abort()
    await lines.return()
  })
  const take = async (count: number): Promise<string[]> => {
    const taken: string[] = []
    while (taken.length < count) {
      const next = await lines.next()
      if (next.done) break
      taken.push(next.value.msg)
    }
    return taken
  }
  return { lines, take, abort }
}

test('history comes first, then what is written, with nothing lost or told twice in between', async () => {
  const directory = createFolder()
  const path = join(directory, 'daemon.log')
  writeFileSync(path, line(0, 'zero') + line(1, 'one') + line(2, 'two') + line(3, 'half').slice(0, 30))
  const { take } = follow({ directory, limit: 2 })
  expect(await take(1)).toEqual(['one'])
  appendFileSync(path, line(3, 'half').slice(30) + line(4, 'four'))
  expect(await take(3)).toEqual(['two', 'half', 'four'])
})

test('without history only new lines come, of files that appear later too', async () => {
  const directory = createFolder()
  writeFileSync(join(directory, 'daemon.log'), line(0, 'old'))
  const { lines, take } = follow({ directory })
  const clock = createClockAt('2026-03-10T12:00:00.000Z')
  const logger = createFileLogger({ directory, file: 'mcp-a.log', inst: 'a', level: 'info', clock })
  onTestFinished(() => logger.close())
  let isReceived = false
  const first = lines.next().finally(() => {
    isReceived = true
  })
  // Written until one is seen: which look is the first that counts is not ours to know.
  while (!isReceived) {
    logger.info('a', 'hello')
    await logger.flush()
  }
  expect((await first).value).toMatchObject({ msg: 'hello', source: 'mcp-a' })
  logger.info('a', 'again')
  await logger.flush()
  let seen = ''
  while (seen !== 'again') [seen = ''] = await take(1)
  writeFileSync(join(directory, 'ext-a.log'), line(5, 'a new file'))
  expect(await take(1)).toEqual(['a new file'])
})

test('a folder that does not exist yet is waited for', async () => {
  const directory = join(createFolder(), 'logs')
  const { take } = follow({ directory, since: 0 })
  const first = take(1)
  mkdirSync(directory)
  writeFileSync(join(directory, 'daemon.log'), line(0, 'hello'))
  expect(await first).toEqual(['hello'])
})

test('rotation by day and by size, many times between two looks, loses nothing', async () => {
  const directory = createFolder()
  const clock = createClockAt('2026-03-10T12:00:00.000Z')
  const logger = createFileLogger({ directory, file: 'daemon.log', inst: 'd', level: 'info', clock, maxBytes: 1_000 })
  onTestFinished(() => logger.close())
  logger.info('a', 'start')
  await logger.flush()
  const { take } = follow({ directory, since: 0 })
  expect(await take(1)).toEqual(['start'])
  const expected: string[] = []
  for (let index = 0; index < 200; index++) {
    if (index === 100) clock.advance(DAY_MS)
    clock.advance(1)
    expected.push(`line ${index}`)
    logger.info('a', `line ${index}`)
    if (index % 40 === 0) await logger.flush()
  }
  expect(await take(200)).toEqual(expected)
  expect(listFiles(directory).length).toBeGreaterThan(10)
})

test('a file that is truncated, or replaced by another, is read from its start', async () => {
  const directory = createFolder()
  const path = join(directory, 'daemon.log')
  writeFileSync(path, line(0, 'old one') + line(1, 'old two'))
  const { take } = follow({ directory, since: 0 })
  expect(await take(2)).toEqual(['old one', 'old two'])
  truncateSync(path)
  appendFileSync(path, line(2, 'new'))
  expect(await take(1)).toEqual(['new'])
  rmSync(path)
  writeFileSync(`${path}.tmp`, line(3, 'replaced one') + line(4, 'replaced two'))
  renameSync(`${path}.tmp`, path)
  expect(await take(2)).toEqual(['replaced one', 'replaced two'])
})

test('filters apply, malformed lines are kept, and files are merged by time within a look', async () => {
  const directory = createFolder()
  const { lines, take } = follow({ directory, source: 'daemon', grep: 'yes', since: 0 })
  const first = lines.next()
  writeFileSync(join(directory, 'mcp-a.log'), line(0, 'yes but elsewhere'))
  writeFileSync(join(directory, 'daemon.log'), `${line(0, 'no')}garbage yes\n${line(1, 'yes')}`)
  expect((await first).value).toMatchObject({ cat: 'log.malformed', msg: 'garbage yes' })
  expect(await take(1)).toEqual(['yes'])
})

test('an abort ends the iteration, while it waits and before it starts', async () => {
  const directory = createFolder()
  const { lines, abort } = follow({ directory, pollMs: 1_000_000 })
  const next = lines.next()
  abort.abort()
  expect(await next).toEqual({ done: true, value: undefined })
  const late = followLogs({ directory, signal: AbortSignal.abort(), since: 0 })
  expect(await late.next()).toEqual({ done: true, value: undefined })
})
