import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFileLogger, type FileLoggerOptions } from '../../src/logging/file-logger.ts'
import { createClockAt, createFolder, FakeStderr, readLines } from '../support/workspace.ts'

function createLogger(directory: string, options: Partial<FileLoggerOptions> = {}) {
  const clock = createClockAt('2026-03-10T12:00:00.007Z')
  const stderr = new FakeStderr()
  const all = { directory, file: 'daemon.log', inst: 'daemon', level: 'debug', clock, stderr, ...options } as const
  const logger = createFileLogger(all)
  onTestFinished(() => logger.close())
  return { logger, clock, stderr }
}

test('a line is one JSON object of the schema, in its order', async () => {
  const folder = createFolder()
  const { logger } = createLogger(folder)
  logger.info('mcp.init', 'started', { pid: 7 })
  logger.child({ inst: 'tt79-6f854d', traceId: 'abc' }).warn('pool.restart', 'line\nbreak')
  await logger.flush()
  expect(readLines(join(folder, 'daemon.log'))).toEqual([
    '{"ts":"2026-03-10T12:00:00.007Z","level":"info","cat":"mcp.init","inst":"daemon","msg":"started","data":{"pid":7}}',
    '{"ts":"2026-03-10T12:00:00.007Z","level":"warn","cat":"pool.restart","inst":"tt79-6f854d","trace_id":"abc","msg":"line\\nbreak"}',
  ])
})

test('what is below the level is not written, and costs nothing', async () => {
  const folder = createFolder()
  const { logger } = createLogger(folder, { level: 'warn' })
  const data = {
    get touched(): never {
      throw new Error('was read')
    },
  }
  logger.debug('a', 'no', data)
  logger.info('a', 'no', data)
  logger.warn('a', 'yes')
  logger.error('a', 'yes')
  await logger.flush()
  expect(['debug', 'info', 'warn', 'error'].map((level) => logger.isEnabled(level as 'debug'))).toEqual([
    false,
    false,
    true,
    true,
  ])
  expect(readLines(join(folder, 'daemon.log')).map((line) => JSON.parse(line).level)).toEqual(['warn', 'error'])
})

test('secrets are masked in message and data; stacks are kept for errors only', async () => {
  const folder = createFolder()
  const { logger } = createLogger(folder)
  logger.warn('a', 'login with password=abc', { token: 'abc', error: new Error('x') })
  logger.error('a', 'failed', { error: new Error('x') })
  await logger.flush()
  const [warn, error] = readLines(join(folder, 'daemon.log')).map((line) => JSON.parse(line))
  expect(warn).toMatchObject({ msg: 'login with password=[masked]', data: { token: '[masked]' } })
  expect(warn.data.error).toEqual({ name: 'Error', message: 'x' })
  expect(error.data.error.stack).toContain('file-logger.test')
})

test('a child’s child keeps the fields it does not change', async () => {
  const folder = createFolder()
  const { logger } = createLogger(folder)
  logger.child({ inst: 'one' }).child({ traceId: 't' }).child({}).info('a', 'b')
  await logger.flush()
  expect(JSON.parse(readLines(join(folder, 'daemon.log'))[0] ?? '')).toMatchObject({ inst: 'one', trace_id: 't' })
})

test('closing a child leaves the file open', async () => {
  const folder = createFolder()
  const { logger } = createLogger(folder)
  await logger.child({ inst: 'one' }).close()
  logger.info('a', 'still here')
  await logger.close()
  logger.info('a', 'gone')
  expect(readLines(join(folder, 'daemon.log'))).toHaveLength(1)
})

test('nothing that is logged makes a call throw', async () => {
  const folder = createFolder()
  const { logger } = createLogger(folder)
  const hostile = {
    toString() {
      throw new Error('no text')
    },
  }
  // Callers in plain JavaScript do this.
  logger.info('a', hostile as unknown as string)
  logger.info(undefined as unknown as string, 'b')
  logger.info('a', 'c', null as unknown as Record<string, unknown>)
  await logger.flush()
  expect(readLines(join(folder, 'daemon.log')).map((line) => JSON.parse(line).msg)).toEqual(['b', 'c'])
})

test('a failure, the recovery from it and dropped lines are lines of the schema', async () => {
  const folder = join(createFolder(), 'logs')
  writeFileSync(folder, '')
  const { logger, stderr } = createLogger(folder)
  logger.info('a', 'one')
  await logger.flush()
  const [failed, one] = stderr.text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(failed).toMatchObject({ level: 'error', cat: 'log.failed', inst: 'daemon' })
  expect(failed.msg).toContain(join(folder, 'daemon.log'))
  expect(one).toMatchObject({ cat: 'a', msg: 'one' })

  const other = createFolder()
  const { logger: small } = createLogger(other, { maxPendingBytes: 200 })
  for (let index = 0; index < 50; index++) small.info('a', 'many')
  await small.close()
  const lines = readLines(join(other, 'daemon.log')).map((line) => JSON.parse(line))
  expect(lines.at(-1)).toMatchObject({ level: 'warn', cat: 'log.dropped', data: { count: 50 - (lines.length - 1) } })
})
