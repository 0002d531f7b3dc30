import { expect, test } from 'vitest'
import { formatBytes, formatDuration, formatPath, formatTokens } from '../../src/terminal/format.ts'
import { firstLine, toSafeText, toTerminalText } from '../../src/terminal/safe-text.ts'
import { createStyle } from '../../src/terminal/style.ts'
import { renderTable } from '../../src/terminal/table.ts'
import { Terminal } from '../../src/terminal/terminal.ts'
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
  expect(toSafeText('a\x1b]0;title\x07b\r\nc')).toBe('a␛]0;title\\u0007b\nc')
  expect(firstLine('\n\n  first\tline \nsecond')).toBe('first line')
})

test.each([
  ['a turn of direction', 'a\u202eb\u2066c', 'a\\u202eb\\u2066c'],
  ['a mark of direction', '\u200e\u200f\u061c', '\\u200e\\u200f\\u061c'],
  ['what has no width', 'a\u200bb\u2060c\ufeffd\u00ade', 'a\\u200bb\\u2060c\\ufeffd\\u00ade'],
  ['a joiner between letters', 'pass\u200dword', 'pass\\u200dword'],
  ['tags, which no terminal shows', 'ok\u{e0041}\u{e007f}', 'ok\\udb40\\udc41\\udb40\\udc7f'],
  ['a selector of variants beyond the usual', 'x\u{e0101}', 'x\\udb40\\udd01'],
  ['another end of line', 'a\u2028b\u0085c', 'a\\u2028b\\u0085c'],
  ['the other introducer of sequences', '\u009b2J', '\\u009b2J'],
  ['a return to the start of the line', 'good\rbad', 'good\\u000dbad'],
  ['half of a pair', 'a\ud800b', 'a\\ud800b'],
])('of a text is shown, not done: %s', (_what, text, shown) => {
  expect(toSafeText(text)).toBe(shown)
  expect(toTerminalText(text)).toBe(shown)
})

test('text of any language, pictures of several characters, and our own colours stay as they are', () => {
  const text = '日本語 עברית हिन्दी é 👩‍💻 👍🏽 ❤️‍🔥 🇩🇪\n\ttab'
  expect(toSafeText(text)).toBe(text)
  expect(toTerminalText(`${RED} ${text}`)).toBe(`${RED} ${text}`)
  expect(toTerminalText('\x1b[8mhidden\x1b[31m')).toBe('␛[8mhidden\x1b[31m')
})

test('on a terminal nothing else gets through, whoever prints it; JSON still says the same there; a pipe gets all of it', () => {
  const value = { name: 'a\u202e\u{e0041}\u007f\x1b[2J' }
  const print = (isTTY: boolean): string => {
    const stream = new CapturedStream({ isTTY })
    const terminal = new Terminal(stream, { env: {}, noColor: true, signal: new AbortController().signal })
    terminal.line(JSON.stringify(value))
    return stream.text
  }
  for (const character of ['\u202e', '\u{e0041}', '\x7f', '\x1b']) expect(print(true)).not.toContain(character)
  expect(JSON.parse(print(true))).toEqual(value)
  expect(print(false)).toBe(`${JSON.stringify(value)}\n`)
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

test('what a row is told by is cut only when nothing that matters less is left', () => {
  const style = createStyle(new CapturedStream(), { env: {}, noColor: true })
  const columns = [{ header: 'NAME', shrinksTo: 5, holds: 9 }, { header: 'STATE' }, { header: 'TOOLS', priority: 1 }]
  const rows = [['everything', 'up', '16']]
  const at = (width: number) => renderTable(columns, rows, { width, style }).rows
  expect(at(24)).toEqual(['everything  up     16'])
  expect(at(23)).toEqual(['everythi…  up     16'])
  expect(at(22)).toEqual(['everything  up'])
  expect(at(16)).toEqual(['everythi…  up'])
  expect(at(12)).toEqual(['ever…  up'])
})
