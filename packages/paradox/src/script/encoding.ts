/** Bytes that are no text for the game: a mark in the middle, zeros, what is not UTF-8. */
import { isUtf8 } from 'node:buffer'
import type { ScriptProblem } from './problem.ts'

export function hasMark(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf
}

const WIDE = 'encoding.utf-16'

/** Nothing else can be told of the file. */
export function isWide({ code }: ScriptProblem): boolean {
  return code === WIDE
}

export function findEncodingProblems(bytes: Uint8Array, start: number, end: number): ScriptProblem[] {
  const problems: ScriptProblem[] = []
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return [
      {
        code: WIDE,
        severity: 'error',
        start: 0,
        end: 2,
        message: 'the file is UTF-16, which the game cannot read',
        expected: 'UTF-8',
        hint: 'save it again as UTF-8 with BOM',
      },
    ]
  }
  if (hasMark(bytes, start) && start > 0) {
    problems.push({
      code: 'encoding.second-bom',
      severity: 'error',
      start,
      end: start + 3,
      message: 'a second byte order mark follows the first: the game takes it for part of the first name',
      expected: 'at most one mark, at the start of the file',
      hint: 'delete the three bytes EF BB BF here',
    })
  }
  if (end < bytes.length && bytes.subarray(end + 1).some((byte) => byte > 0x20)) {
    problems.push({
      code: 'encoding.text-after-end',
      severity: 'warning',
      start: end,
      end: end + 1,
      message: 'the byte 1A ends the file here, and text follows it',
      expected: 'nothing after it',
      hint: 'delete the byte if what follows should count',
    })
  }
  if (!isUtf8(bytes)) {
    const at = firstInvalid(bytes)
    problems.push({
      code: 'encoding.not-utf-8',
      severity: 'error',
      start: at,
      end: Math.min(at + 1, bytes.length),
      message: `byte ${(bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')} is not UTF-8`,
      expected: 'UTF-8',
      hint: 'save the file again as UTF-8 with BOM; it is probably Windows-1252',
    })
  }
  return problems
}

function firstInvalid(bytes: Uint8Array): number {
  let at = 0
  while (at < bytes.length) {
    const first = bytes[at] ?? 0
    const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4
    if (length > 1 && !isUtf8(bytes.subarray(at, at + length))) return at
    at += length
  }
  return 0
}
