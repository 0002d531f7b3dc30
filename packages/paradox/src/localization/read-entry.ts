import type { ScriptProblem } from '../script/problem.ts'
import { textOf } from '../script/tree.ts'

/** Keys are letters, digits and _ - . ' by custom; the game takes more. Blanks, `:`, `"` and `#` end one. */
const KEY_BYTES = new Uint8Array(256).fill(1, 0x21)
for (const character of ':"#') KEY_BYTES[character.charCodeAt(0)] = 0

/** One line without its blanks, written into `entries` at `base`; what is wrong with it, where something is. */
export function readEntry(
  bytes: Uint8Array,
  first: number,
  last: number,
  entries: Int32Array,
  base: number,
): ScriptProblem | undefined {
  let at = first
  while (at < last && KEY_BYTES[bytes[at] ?? 0] === 1) at++
  const keyEnd = at
  while (at < last && isBlank(bytes[at])) at++
  if (keyEnd === first || bytes[at] !== 0x3a) {
    return {
      code: 'localization.malformed-entry',
      severity: 'error',
      start: first,
      end: last,
      message: `"${textOf(bytes, first, Math.min(last, first + 40))}" is no text with a key`,
      expected: 'key:0 "text"',
      hint:
        keyEnd === first
          ? "a key is letters, digits and _ - . ' and stands at the start of the line"
          : 'write ":" after the key; a text cannot go on over a line, write \\n instead',
    }
  }
  at++
  while (at < last && (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39) at++
  while (at < last && isBlank(bytes[at])) at++
  entries[base] = first
  entries[base + 1] = keyEnd
  if (bytes[at] !== 0x22) {
    return {
      code: 'localization.missing-text',
      severity: 'error',
      start: first,
      end: last,
      message: `"${textOf(bytes, first, Math.min(keyEnd, first + 60))}" has no text`,
      expected: '"text" in quotation marks after the colon',
      hint: 'an empty text is ""',
    }
  }
  let closing = last - 1
  while (closing > at && bytes[closing] !== 0x22) closing--
  entries[base + 2] = at + 1
  if (closing === at) {
    entries[base + 3] = last
    return {
      code: 'localization.unclosed-text',
      severity: 'error',
      start: at,
      end: last,
      message: `the text of "${textOf(bytes, first, Math.min(keyEnd, first + 60))}" is not closed on its line`,
      expected: '"',
      hint: 'write the quotation mark at the end of the line',
    }
  }
  entries[base + 3] = closing
  return trailing(bytes, closing + 1, last)
}

function trailing(bytes: Uint8Array, from: number, last: number): ScriptProblem | undefined {
  let at = from
  while (at < last && isBlank(bytes[at])) at++
  if (at >= last || bytes[at] === 0x23) return undefined
  return {
    code: 'localization.text-after-end',
    severity: 'warning',
    start: at,
    end: last,
    message: 'something follows the closing quotation mark',
    expected: 'the end of the line, or a comment',
    hint: 'move it before the quotation mark, or delete it',
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09
}
