/** The text of a file of a folder, whatever it is encoded in, and the hash of its bytes. */
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ForeignFileError, readPart, withForeignFile } from '@switchboard/base'
import type { SkipReason } from '../walk/walk-folder.ts'
import { DecodedSource } from './decoded-source.ts'

export interface ReadSource {
  /** Lines end with `\n` alone. */
  readonly text: string
  /** As they are in the file. */
  readonly bytes: Uint8Array
  readonly hash: string
}

/** As git looks for them: where one stands this near to the beginning it is no text. */
const LOOKED_AT = 8_000
/** A line that no person has written. */
const LONG_LINE = 5_000
/** Characters of a line in the mean, from which on it was written by a program. */
const LONG_MEAN = 400
/** What is smaller may have a long line. */
const MIN_MINIFIED = 10_000

/** `anyLines`: also what looks written by a program, which other kinds of files are skipped for. */
export function readSource(
  root: string,
  path: string,
  maxFileSize: number,
  { anyLines = false }: { readonly anyLines?: boolean } = {},
): ReadSource | SkipReason {
  let bytes: Buffer
  try {
    const limits = { maxBytes: maxFileSize, root }
    bytes = withForeignFile(join(root, path), limits, ({ fd, size }) => readPart(fd, 0, size))
  } catch (error) {
    if (!(error instanceof ForeignFileError)) return 'unreadable'
    return PROBLEMS[error.problem]
  }
  const decoded = decodeSource(bytes)
  if (decoded === undefined) return 'binary'
  const text = unifyLines(decoded.text)
  if (!anyLines && isMinified(text)) return 'minified'
  return { text, bytes, hash: hashOf(bytes) }
}

const PROBLEMS = {
  missing: 'changed',
  changed: 'changed',
  not_plain: 'not_plain',
  too_large: 'too_large',
  outside: 'link',
  unreadable: 'unreadable',
} as const

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}

/** With its lines as they are. Undefined: it is no text. */
export function decodeSource(bytes: Uint8Array): DecodedSource | undefined {
  const utf16 = utf16Of(bytes)
  if (utf16 !== undefined)
    return new DecodedSource(new TextDecoder(utf16).decode(bytes), { encoding: 'utf-16', mark: 2 })
  if (bytes.subarray(0, LOOKED_AT).includes(0)) return undefined
  try {
    const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
    return new DecodedSource(new TextDecoder('utf-8', { fatal: true }).decode(bytes), { mark })
  } catch {
    // Of a time before UTF-8: every byte is a letter, and most are the right one.
    return new DecodedSource(new TextDecoder('windows-1252').decode(bytes), { encoding: 'single-byte' })
  }
}

function utf16Of(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined
}

const unifyLines = (text: string): string => (text.includes('\r') ? text.replaceAll('\r\n', '\n') : text)

/** Written by a program, for programs. */
export function isMinified(text: string): boolean {
  if (text.length < MIN_MINIFIED) return false
  let lines = 0
  let longest = 0
  let start = 0
  while (start <= text.length) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    longest = Math.max(longest, end - start)
    lines++
    start = end + 1
  }
  return longest > LONG_LINE && text.length / lines > LONG_MEAN
}
