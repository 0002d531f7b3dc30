import { expect, test } from 'vitest'
import { formatBytes, formatDuration, formatPath, formatTokens } from '../../src/terminal/format.ts'
import { firstLine, toSafeText } from '../../src/terminal/safe-text.ts'
import { createStyle } from '../../src/terminal/style.ts'
import { renderTable } from '../../src/terminal/table.ts'
import { fitText, padText, textWidth, wrapText } from '../../src/terminal/text-width.ts'
import { CapturedStream } from '../run-main.ts'

const RED = '\x1b[31mred\x1b[39m'

test('colours take no room, wide characters take two columns, combining ones none', () => {
  expect(textWidth(RED)).toBe(3)
  expect(textWidth('日本')).toBe(4)
  expect(textWidth('e\u0301')).toBe(1)
  expect(textWidth('🚀')).toBe(2)
  expect(textWidth('● ready')).toBe(7)
})

test('text that does not fit is cut with an ellipsis and never wider than asked', () => {
  expect(fitText('abcdef', 4)).toBe('abc…')
  expect(fitText('abc', 3)).toBe('abc')
  expect(fitText('日本語', 4)).toBe('日…')
  expect(fitText(`${RED}dish colour`, 4)).toBe('\x1b[31mred\x1b[39m…\x1b[0m')
  for (let width = 0; width < 12; width++) expect(textWidth(fitText('日本 é 🚀 abc', width))).toBeLessThanOrEqual(width)
})

test('padding counts columns, not characters', () => {
  expect(padText('日', 4)).toBe('日  ')
  expect(padText('7', 3, 'right')).toBe('  7')
})

test('wrapped lines break at blanks, and a long word is cut', () => {
  expect(wrapText('one two three', 8)).toEqual(['one two', 'three'])
  expect(wrapText('abcdefghijkl', 8)).toEqual(['abcdefgh', 'ijkl'])
})

test('escape sequences of a server cannot reach the terminal', () => {
  expect(toSafeText('a\x1b]0;title\x07b\r\nc')).toBe('a␛]0;title�b\nc')
  expect(firstLine('\n\n  first\tline \nsecond')).toBe('first line')
})

test.each([
  [850, '850ms'],
  [12_400, '12s'],
  [200_000, '3m 20s'],
  [4 * 3_600_000 + 300_000, '4h 05m'],
  [51 * 3_600_000, '2d 3h'],
])('%i ms reads %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text)
})

test('sizes, tokens and paths are told shortly', () => {
  expect([formatBytes(12), formatBytes(4033), formatBytes(12_345), formatBytes(3_400_000)]).toEqual([
    '12 bytes',
    '4 kB',
    '12 kB',
    '3.4 MB',
  ])
  expect([formatTokens(999), formatTokens(2600), formatTokens(13_000)]).toEqual(['999', '2.6k', '13k'])
  expect(formatPath('/home/you/x.json', '/home/you')).toBe('~/x.json')
  expect(formatPath('/home/you-two/x.json', '/home/you')).toBe('/home/you-two/x.json')
})

test.each([
  [{ isTTY: true }, {}, false, true],
  [{ isTTY: false }, {}, false, false],
  [{ isTTY: true }, { NO_COLOR: '1' }, false, false],
  [{ isTTY: true }, { NO_COLOR: '' }, false, true],
  [{ isTTY: false }, { FORCE_COLOR: '1' }, false, true],
  [{ isTTY: true }, { FORCE_COLOR: '0' }, false, false],
  [{ isTTY: true }, { FORCE_COLOR: '1' }, true, false],
  [{ isTTY: true }, { TERM: 'dumb' }, false, false],
])('%j with %j and --no-color %s is coloured: %s', (stream, env, noColor, expected) => {
  expect(createStyle(new CapturedStream(stream), { env, noColor }).hasColor).toBe(expected)
})

test('a table that is too wide takes short headings, shrinks, and then drops what matters least', () => {
  const style = createStyle(new CapturedStream(), { env: {}, noColor: true })
  const columns = [
    { header: 'NAME', shrinksTo: 5 },
    { header: 'RESTARTS', short: 'RST', priority: 1 },
    { header: 'TOOLS', align: 'right' as const, priority: 2 },
  ]
  const rows = [['everything', '3', '16']]
  const at = (width: number) => {
    const table = renderTable(columns, rows, { width, style })
    return [table.header, ...table.rows]
  }
  expect(at(40)).toEqual(['NAME        RESTARTS  TOOLS', 'everything  3            16'])
  expect(at(22)).toEqual(['NAME        RST  TOOLS', 'everything  3       16'])
  expect(at(18)).toEqual(['NAME    RST  TOOLS', 'every…  3       16'])
  expect(at(14)).toEqual(['NAME     TOOLS', 'everyt…     16'])
  expect(at(5)).toEqual(['NAME', 'ever…'])
})
