import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { SourceLine } from '../generated/types.ts'

const MAX_FILE_BYTES = 4 * 1024 * 1024
const MAX_LINE = 100

/** Around a line, without the indentation that all have; none when the file cannot be read or is no text. */
export function readSourceLines(path: string, line: number, around = 2): SourceLine[] {
  const all = readText(path)?.split(/\r\n|\n|\r/)
  if (all === undefined || line > all.length) return []
  const first = Math.max(1, Math.min(line - around, all.length - 2 * around))
  const shown = all.slice(first - 1, first + 2 * around)
  const indents = shown.filter((text) => text.trim() !== '').map((text) => /^[ \t]*/.exec(text)?.[0].length ?? 0)
  const indent = indents.length === 0 ? 0 : Math.min(...indents)
  return shown
    .map((text, index) => ({ line: first + index, text: cutLine(text.slice(indent).trimEnd()) }))
    .filter((entry, index, list) => entry.text !== '' || entry.line === line || index < list.length - 1)
}

export function countLines(path: string): number | undefined {
  const lines = readText(path)?.split(/\r\n|\n|\r/)
  if (lines === undefined) return undefined
  return lines.at(-1) === '' ? lines.length - 1 : lines.length
}

function cutLine(text: string): string {
  return text.length > MAX_LINE ? `${text.slice(0, MAX_LINE)}…` : text
}

function readText(path: string): string | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    const { size } = fstatSync(file)
    const buffer = Buffer.alloc(Math.min(size, MAX_FILE_BYTES))
    const length = readSync(file, buffer, 0, buffer.length, 0)
    const text = buffer.toString('utf8', 0, length)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  } finally {
    closeSync(file)
  }
}
