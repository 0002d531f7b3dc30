import { FakeClock } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { parseFileName } from '../../src/append/rotated-file.ts'
import { isLogFile, logFileName } from '../../src/logging/log-file-name.ts'
import { readLogLevel } from '../../src/logging/log-level.ts'
import { createMemoryLogger, silentLogger } from '../../src/logging/memory-logger.ts'

test('every runtime has a file of its own', () => {
  expect(logFileName({ runtime: 'front', inst: 'tt79-6f854d' })).toBe('mcp-tt79-6f854d.log')
  expect(logFileName({ runtime: 'extension', inst: 'tt79-6f854d' })).toBe('ext-tt79-6f854d.log')
  expect(logFileName({ runtime: 'daemon' })).toBe('daemon.log')
  expect(logFileName({ runtime: 'command', inst: 'tt79-6f854d' })).toBe('cli-tt79-6f854d.log')
  expect(logFileName({ runtime: 'server', name: 'github' })).toBe('server-github.log')
  expect(logFileName({ runtime: 'server', name: 'github', inst: 'tt79-6f854d' })).toBe('server-github-tt79-6f854d.log')
})

test.each([
  '../../etc/passwd',
  '..',
  '',
  'a/b',
  'a\\b',
  'con',
  'x:y*?"<>|',
  'a.2026-01-01.1',
  'ü😀',
  'x'.repeat(500),
  'a\0b',
  ' ',
])('a server called %j gets a harmless file name', (name) => {
  const file = logFileName({ runtime: 'server', name })
  expect(file).toMatch(/^server-[A-Za-z0-9_-]{1,100}\.log$/)
  const parts = parseFileName(file)
  expect(parts?.rotated).toBeUndefined()
  expect(parts && isLogFile(parts)).toBe(true)
})

test('names that are written alike stay apart', () => {
  const names = ['a/b', 'a.b', 'a_b', 'a b', 'a:b'].map((name) => logFileName({ runtime: 'server', name }))
  expect(new Set(names).size).toBe(5)
})

test('a memory logger keeps what a file would hold', () => {
  const logger = createMemoryLogger({ inst: 'me', clock: new FakeClock({ wallTime: 0 }) })
  logger.info('a.b', 'password=x', { env: { A: '1' } })
  logger.child({ traceId: 't' }).debug('c', 'd')
  expect(logger.entries).toEqual([
    {
      ts: '1970-01-01T00:00:00.000Z',
      level: 'info',
      cat: 'a.b',
      inst: 'me',
      msg: 'password=[masked]',
      data: { env: ['A'] },
    },
    { ts: '1970-01-01T00:00:00.000Z', level: 'debug', cat: 'c', inst: 'me', trace_id: 't', msg: 'd' },
  ])
})

test('the silent logger drops everything and never fails', async () => {
  silentLogger.error('a', 'b')
  expect(silentLogger.isEnabled('error')).toBe(false)
  expect(silentLogger.child({ inst: 'x' })).toBe(silentLogger)
  await silentLogger.flush()
  await silentLogger.close()
})

test('the level comes from the environment', () => {
  expect(readLogLevel({})).toBe('info')
  expect(readLogLevel({ SWITCHBOARD_LOG_LEVEL: '' })).toBe('info')
  expect(readLogLevel({ SWITCHBOARD_LOG_LEVEL: ' DEBUG ' })).toBe('debug')
  expect(readLogLevel({ SWITCHBOARD_LOG_LEVEL: 'error' })).toBe('error')
})

test('a level that is none is reported once and means info', () => {
  const reports: string[] = []
  for (let index = 0; index < 3; index++) {
    expect(readLogLevel({ SWITCHBOARD_LOG_LEVEL: 'chatty' }, (report) => reports.push(report))).toBe('info')
  }
  expect(reports).toEqual([
    'SWITCHBOARD_LOG_LEVEL is "chatty", which is no level; using info. Use one of: debug, info, warn, error.',
  ])
})
