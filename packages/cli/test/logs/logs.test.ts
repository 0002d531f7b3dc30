import { expect, test } from 'vitest'
import { OptionValues } from '../../src/command-line/option-values.ts'
import { formatLogLine } from '../../src/logs/format-log-line.ts'
import { readLogQuery } from '../../src/logs/read-log-query.ts'
import { createStyle } from '../../src/terminal/style.ts'
import { CapturedStream } from '../run-main.ts'

const style = createStyle(new CapturedStream(), { env: {}, noColor: true })

test('a log line reads from left to right: when, how bad, who, what', () => {
  const line = {
    ts: '2026-01-31T08:00:00.000Z',
    level: 'error',
    cat: 'pool.restart',
    inst: 'tt79-6f854d',
    source: 'cli-tt79-6f854d',
    msg: 'it\x1b[2J exited',
    data: { server: 'a', code: 3, why: 'two words' },
    trace_id: 'abc',
  } as const
  expect(formatLogLine(line, style)).toBe(
    '2026-01-31T08:00:00.000Z ERROR cli-tt79-6f854d pool.restart it␛[2J exited server=a code=3 why="two words" trace=abc',
  )
})

function query(options: Record<string, string>, source?: string) {
  return readLogQuery(new OptionValues(new Map(Object.entries(options))), 'logs', 'logs', source)
}

test('filters become a query, of which only the last 200 lines are wanted unless told otherwise', () => {
  expect(query({})).toEqual({ directory: 'logs', limit: 200 })
  const since = '2026-01-31T08:00:00.000Z'
  expect(query({ since, level: 'warn', source: 'server-*', trace: 't', limit: '5', grep: 'text' })).toEqual({
    directory: 'logs',
    limit: 5,
    since: Date.parse(since),
    level: 'warn',
    source: 'server',
    traceId: 't',
    grep: 'text',
  })
  expect(query({ grep: '/a+b/i' }).grep).toEqual(/a+b/i)
})

test.each([
  [{ since: 'garbage' }, '--since cannot be "garbage".'],
  [{ limit: '1.5' }, '--limit cannot be "1.5".'],
  [{ grep: '/(/' }, '--grep /(/ is no regular expression'],
])('%j is refused: %s', (options, message) => {
  expect(() => query(options as Record<string, string>)).toThrow(message)
})
