import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFileLogger } from '../../src/logging/file-logger.ts'
import type { LogQuery } from '../../src/reading/log-query.ts'
import { readLogs } from '../../src/reading/read-logs.ts'
import { collect, createClockAt, createFolder, listFiles } from '../support/workspace.ts'

const start = Date.parse('2026-03-10T12:00:00.000Z')

function line(offset: number, fields: Record<string, unknown> = {}): string {
  const ts = new Date(start + offset).toISOString()
  return `${JSON.stringify({ ts, level: 'info', cat: 'a', inst: 'i', msg: `at ${offset}`, ...fields })}\n`
}

async function messages(query: LogQuery): Promise<string[]> {
  return (await collect(readLogs(query))).map((entry) => entry.msg)
}

test('all files are merged by time, rotated ones included, and each line names its source', async () => {
  const directory = createFolder()
  writeFileSync(join(directory, 'daemon.2026-03-10.1.log'), line(0) + line(40))
  writeFileSync(join(directory, 'daemon.2026-03-10.2.log'), line(50))
  writeFileSync(join(directory, 'daemon.log'), line(70))
  writeFileSync(join(directory, 'mcp-tt79-6f854d.log'), line(10) + line(60) + line(80))
  writeFileSync(join(directory, 'server-github.log'), line(30))
  writeFileSync(join(directory, 'notes.txt'), line(31))
  const lines = await collect(readLogs({ directory }))
  expect(lines.map((entry) => [entry.msg, entry.source])).toEqual([
    ['at 0', 'daemon'],
    ['at 10', 'mcp-tt79-6f854d'],
    ['at 30', 'server-github'],
    ['at 40', 'daemon'],
    ['at 50', 'daemon'],
    ['at 60', 'mcp-tt79-6f854d'],
    ['at 70', 'daemon'],
    ['at 80', 'mcp-tt79-6f854d'],
  ])
  expect(await messages({ directory, limit: 3 })).toEqual(['at 60', 'at 70', 'at 80'])
})

test('ten rotated files of one day are read in the order of their numbers, and lines of one time keep their order', async () => {
  const directory = createFolder()
  for (let number = 1; number <= 12; number++) {
    writeFileSync(
      join(directory, `daemon.2026-03-10.${number}.log`),
      line(0, { msg: `${number}a` }) + line(0, { msg: `${number}b` }),
    )
  }
  writeFileSync(join(directory, 'daemon.log'), line(0, { msg: 'last' }))
  const expected = [...Array.from({ length: 12 }, (_, index) => [`${index + 1}a`, `${index + 1}b`]).flat(), 'last']
  expect(await messages({ directory })).toEqual(expected)
  expect(await messages({ directory, limit: 100 })).toEqual(expected)
  expect(await messages({ directory, limit: 4 })).toEqual(['11b', '12a', '12b', 'last'])
})

test('filters narrow the result, alone and together', async () => {
  const directory = createFolder()
  writeFileSync(
    join(directory, 'daemon.log'),
    line(0, { level: 'debug', cat: 'pool' }) +
      line(10, { level: 'info', cat: 'pool.restart', trace_id: 't1' }) +
      line(20, { level: 'warn', cat: 'pooling', inst: 'other' }) +
      line(30, { level: 'error', cat: 'pool.restart.late', data: { server: 'GitHub' } }),
  )
  writeFileSync(join(directory, 'server-git-hub.log'), line(25, { cat: 'server' }))
  writeFileSync(join(directory, 'server-git.log'), line(26, { cat: 'server' }))
  expect(await messages({ directory, level: 'warn' })).toEqual(['at 20', 'at 30'])
  expect(await messages({ directory, cat: 'pool' })).toEqual(['at 0', 'at 10', 'at 30'])
  expect(await messages({ directory, cat: 'pool.*' })).toEqual(['at 0', 'at 10', 'at 30'])
  expect(await messages({ directory, cat: 'pool.restart' })).toEqual(['at 10', 'at 30'])
  expect(await messages({ directory, cat: '*', level: 'error' })).toEqual(['at 30'])
  expect(await messages({ directory, inst: 'other' })).toEqual(['at 20'])
  expect(await messages({ directory, traceId: 't1' })).toEqual(['at 10'])
  expect(await messages({ directory, source: 'daemon', level: 'info', limit: 2 })).toEqual(['at 20', 'at 30'])
  expect(await messages({ directory, source: 'server' })).toEqual(['at 25', 'at 26'])
  expect(await messages({ directory, source: 'server-git-hub' })).toEqual(['at 25'])
  expect(await messages({ directory, since: start + 10, until: start + 25 })).toEqual(['at 10', 'at 20', 'at 25'])
  expect(await messages({ directory, since: start + 1_000 })).toEqual([])
  expect(await messages({ directory, grep: 'github' })).toEqual(['at 30'])
  expect(await messages({ directory, grep: 'AT 2' })).toEqual(['at 20', 'at 25', 'at 26'])
  expect(await messages({ directory, grep: /at [12]0$/g })).toEqual(['at 10', 'at 20'])
  expect(await messages({ directory, limit: 0 })).toEqual([])
})

test('what is malformed is kept, with its text, near its neighbours', async () => {
  const directory = createFolder()
  const cut = '{"ts":"2026-03-10T12:00:00.0'
  const text = `${line(0)}Segmentation fault\n\n${line(20)}{"ts":"2026-03-10T12:00:00.021Z","level":"loud"}\n[1]\n${cut}`
  writeFileSync(join(directory, 'mcp-tt79-6f854d.log'), text)
  writeFileSync(join(directory, 'daemon.log'), line(10) + line(30))
  const lines = await collect(readLogs({ directory }))
  expect(lines.map((entry) => entry.msg)).toEqual([
    'at 0',
    'Segmentation fault',
    'at 10',
    'at 20',
    '{"ts":"2026-03-10T12:00:00.021Z","level":"loud"}',
    '[1]',
    cut,
    'at 30',
  ])
  expect(lines[1]).toEqual({
    ts: '2026-03-10T12:00:00.000Z',
    level: 'warn',
    cat: 'log.malformed',
    inst: 'tt79-6f854d',
    msg: 'Segmentation fault',
    source: 'mcp-tt79-6f854d',
  })
  const backwards = await messages({ directory, limit: 100 })
  expect(backwards.toSorted()).toEqual(lines.map((entry) => entry.msg).toSorted())
  expect(await messages({ directory, cat: 'log.malformed', limit: 1 })).toEqual([cut])
})

test('a file without any line of ours is still shown', async () => {
  const directory = createFolder()
  writeFileSync(join(directory, 'server-x.log'), Buffer.from([0xff, 0xfe, 0x00, 0x0a, 0x61]))
  expect(await messages({ directory })).toEqual(['\ufffd\ufffd\0', 'a'])
  expect(await messages({ directory, limit: 1 })).toEqual(['a'])
})

test('a line of many megabytes without an end is bounded and does not hide the others', async () => {
  const directory = createFolder()
  writeFileSync(join(directory, 'daemon.log'), `${line(0)}${'x'.repeat(3_000_000)}\n${line(20)}`)
  for (const query of [{ directory }, { directory, limit: 10 }]) {
    const found = await messages(query)
    expect([found[0], found[2]]).toEqual(['at 0', 'at 20'])
    expect(found[1]?.length).toBeLessThanOrEqual(1_048_576 + 262_144)
  }
})

test('a clock that was set back does not shuffle the lines of a file', async () => {
  const directory = createFolder()
  writeFileSync(
    join(directory, 'daemon.log'),
    line(100, { msg: '1' }) + line(50, { msg: '2' }) + line(120, { msg: '3' }),
  )
  expect(await messages({ directory })).toEqual(['1', '2', '3'])
  expect(await messages({ directory, limit: 3 })).toEqual(['1', '2', '3'])
})

test('a folder that does not exist holds no lines; one that is a file is an error that says so', async () => {
  const folder = createFolder()
  expect(await messages({ directory: join(folder, 'missing') })).toEqual([])
  writeFileSync(join(folder, 'file'), '')
  await expect(messages({ directory: join(folder, 'file') })).rejects.toThrow('cannot be read')
  mkdirSync(join(folder, 'daemon.log'))
  writeFileSync(join(folder, 'mcp-a.log'), '')
  expect(await messages({ directory: folder })).toEqual([])
})

test('100,000 lines over many files come out merged, once each, forwards and the last of them backwards', async () => {
  const directory = createFolder()
  const texts = Array.from({ length: 20 }, () => '')
  for (let index = 0; index < 100_000; index++) {
    // A spread that mixes the files without being regular.
    const file = (index * 7 + (index >> 3)) % 20
    texts[file] += line(index, { msg: String(index) })
  }
  for (const [index, text] of texts.entries()) writeFileSync(join(directory, `server-s${index}.log`), text)
  let count = 0
  let isOrdered = true
  for await (const entry of readLogs({ directory })) isOrdered &&= entry.msg === String(count++)
  expect(isOrdered).toBe(true)
  expect(count).toBe(100_000)
  expect(await messages({ directory, limit: 2_500 })).toEqual(
    Array.from({ length: 2_500 }, (_, index) => String(97_500 + index)),
  )
})

test('a file that is rotated while it is being read is read to its end', async () => {
  const directory = createFolder()
  const clock = createClockAt('2026-03-10T12:00:00.000Z')
  const logger = createFileLogger({ directory, file: 'daemon.log', inst: 'd', level: 'info', clock })
  onTestFinished(() => logger.close())
  logger.info('a', 'daemon one')
  await logger.flush()
  // Later in time, so that the daemon's file is still waiting to be opened when it is rotated.
  writeFileSync(join(directory, 'cli-a.log'), line(-20) + line(-10))
  const reading = readLogs({ directory })
  expect((await reading.next()).value).toMatchObject({ msg: 'at -20' })
  clock.advance(86_400_000)
  logger.info('a', 'daemon two')
  await logger.flush()
  expect(listFiles(directory)).toContain('daemon.2026-03-10.1.log')
  const rest = await collect(reading)
  expect(rest.map((entry) => entry.msg)).toEqual(['at -10', 'daemon one'])
})

test('what is written after reading began is left out', async () => {
  const directory = createFolder()
  writeFileSync(join(directory, 'daemon.log'), line(0) + line(10))
  const reading = readLogs({ directory })
  await reading.next()
  appendFileSync(join(directory, 'daemon.log'), line(20))
  expect((await collect(reading)).map((entry) => entry.msg)).toEqual(['at 10'])
})

test('a signal ends the reading with its reason, although nothing has matched yet', async () => {
  const directory = createFolder()
  const text = Array.from({ length: 20_000 }, (_, offset) => line(offset)).join('')
  writeFileSync(join(directory, 'daemon.log'), text)
  const controller = new AbortController()
  const reading = messages({ directory, grep: 'not there', limit: 5, signal: controller.signal })
  controller.abort(new Error('enough'))
  await expect(reading).rejects.toThrow('enough')
})
