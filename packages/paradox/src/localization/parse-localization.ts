/**
 * Texts of the game: `key:0 "text"` by lines. It looks like YAML and is not: the text ends at the last quotation mark of its
 * line, whatever stands before it. Read from bytes, one line at a time, so one broken line costs only itself.
 */
import { findEncodingProblems, hasMark, isWide } from '../script/encoding.ts'
import { MAX_PROBLEMS, type ScriptProblem } from '../script/problem.ts'
import { textOf } from '../script/tree.ts'
import { readEntry } from './read-entry.ts'

/** Integers per entry: key from, key to, text from, text to (without its quotes). */
export const ENTRY_STRIDE = 4

export interface ParsedLocalization {
  /** As the header says: `english`; empty where there is none. */
  readonly language: string
  readonly headerStart: number
  readonly headerEnd: number
  readonly entries: Int32Array
  readonly size: number
  readonly problems: readonly ScriptProblem[]
}

const BLANKS = new Set([0x20, 0x09, 0x0d, 0x0b, 0x0c])

export function parseLocalization(bytes: Uint8Array): ParsedLocalization {
  const start = hasMark(bytes, 0) ? 3 : 0
  const problems = findEncodingProblems(bytes, start, bytes.length)
  if (start === 0 && bytes.length > 0 && problems.length === 0) {
    problems.push({
      code: 'encoding.missing-bom',
      severity: 'error',
      start: 0,
      end: 1,
      message: 'the file has no byte order mark, and the game does not read texts without one',
      expected: 'the bytes EF BB BF at the start',
      hint: 'save it as UTF-8 with BOM',
    })
  }
  let entries = new Int32Array(((bytes.length >> 6) + 16) * ENTRY_STRIDE)
  let size = 0
  let language = ''
  let headerStart = 0
  let headerEnd = 0
  let hasEntryBeforeHeader = false
  const report = (problem: ScriptProblem): void => {
    if (problems.length < MAX_PROBLEMS) problems.push(problem)
  }

  // The bytes of a wide text are no lines.
  const end = problems.some(isWide) ? 0 : bytes.length
  for (let at = start; at < end; ) {
    let lineEnd = bytes.indexOf(0x0a, at)
    if (lineEnd < 0) lineEnd = bytes.length
    let first = at
    while (first < lineEnd && BLANKS.has(bytes[first] ?? 0)) first++
    let last = lineEnd
    while (last > first && BLANKS.has(bytes[last - 1] ?? 0)) last--
    at = lineEnd + 1
    if (first === last || bytes[first] === 0x23) continue
    const header = languageOf(bytes, first, last)
    if (header !== '') {
      if (language === '') headerStart = first
      if (language === '') headerEnd = last
      language ||= header
      continue
    }
    if ((size + 1) * ENTRY_STRIDE > entries.length) {
      const larger = new Int32Array(entries.length * 2)
      larger.set(entries)
      entries = larger
    }
    const problem = readEntry(bytes, first, last, entries, size * ENTRY_STRIDE)
    if (problem !== undefined) report(problem)
    if (problem === undefined || problem.code === 'localization.unclosed-text') size++
    if (language === '' && !hasEntryBeforeHeader) {
      hasEntryBeforeHeader = true
      report(missingHeader(first, last))
    }
  }
  return { language, headerStart, headerEnd, entries, size, problems }
}

/** `l_english:` alone on its line, but for a comment. */
function languageOf(bytes: Uint8Array, first: number, last: number): string {
  if (bytes[first] !== 0x6c || bytes[first + 1] !== 0x5f || last - first > 200) return ''
  return /^l_(\w+):\s*(?:#.*)?$/.exec(textOf(bytes, first, last))?.[1] ?? ''
}

function missingHeader(start: number, end: number): ScriptProblem {
  return {
    code: 'localization.missing-header',
    severity: 'error',
    start,
    end,
    message: 'a text stands here before any language is named',
    expected: 'a line such as "l_english:" before the first text',
    hint: 'the language of the header must be that of the file name',
  }
}
