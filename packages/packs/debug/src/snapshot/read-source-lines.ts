import { readPart, withForeignFile } from '@switchboard/base'
import type { SourceLine } from '../generated/types.ts'
import { MAX_SOURCE_BYTES } from '../workspace/source-text.ts'

const MAX_LINE = 100

/** Around a line, without the indentation that all have; none when the file cannot be read or is no text. */
export function readSourceLines(path: string, line: number, around = 2): SourceLine[] {
  const text = readText(path, 'beginning')
  const shown = text === undefined ? [] : findLines(text, line, around)
  const indents = shown.flatMap(({ text: own }) => (own.trim() === '' ? [] : [/^[ \t]*/.exec(own)?.[0].length ?? 0]))
  const indent = indents.length === 0 ? 0 : Math.min(...indents)
  return shown
    .map((entry) => ({ line: entry.line, text: cutLine(entry.text.slice(indent).trimEnd()) }))
    .filter((entry, index, list) => entry.text !== '' || entry.line === line || index < list.length - 1)
}

/** As the file has it. */
export function readSourceLine(path: string, line: number): string | undefined {
  const text = readText(path, 'beginning')
  return text === undefined ? undefined : findLines(text, line, 0)[0]?.text
}

/** So many on both sides, and as many altogether at the ends of the text; none when it has no such line. Nothing behind them is looked at. */
function findLines(text: string, line: number, around: number): SourceLine[] {
  const found: SourceLine[] = []
  const breaks = /\r\n|\n|\r/g
  let number = 0
  for (let start = 0; number < Math.max(line, around + 1) + around; ) {
    const end = breaks.exec(text)
    found.push({ line: ++number, text: text.slice(start, end?.index) })
    if (found.length > 2 * around + 1) found.shift()
    if (end === null) break
    start = breaks.lastIndex
  }
  return line > number ? [] : found
}

export function countLines(path: string): number | undefined {
  const text = readText(path, 'whole')
  if (text === undefined) return undefined
  let count = 0
  const breaks = /\r\n|\n|\r/g
  while (breaks.test(text)) count++
  return /[\r\n]$/.test(text.slice(-1)) || text === '' ? count : count + 1
}

function cutLine(text: string): string {
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text
}

/** Of a larger file the beginning, unless it has to be whole. */
function readText(path: string, wanted: 'whole' | 'beginning'): string | undefined {
  const maxBytes = wanted === 'whole' ? MAX_SOURCE_BYTES : Number.POSITIVE_INFINITY
  try {
    const text = withForeignFile(path, { maxBytes }, ({ fd, size }) =>
      readPart(fd, 0, Math.min(size, MAX_SOURCE_BYTES)),
    )
    return text.includes(0) ? undefined : text.toString('utf8')
  } catch {
    return undefined
  }
}
