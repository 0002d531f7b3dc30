/** What SQLite says went wrong, in a word. */
import { errorMessage } from '@switchboard/base'
import { ThreadFailure } from '../../thread/failure.ts'
import type { FailureKind, ThreadAnswer } from '../../thread/messages.ts'

export const failureOf = (id: number, error: unknown): ThreadAnswer =>
  (error instanceof ThreadFailure ? error : new ThreadFailure(kindOf(error), errorMessage(error))).toAnswer(id)

/** The low byte of SQLite's result codes. */
const KINDS: Readonly<Record<number, FailureKind>> = {
  5: 'busy',
  10: 'unavailable',
  11: 'damaged',
  13: 'full',
  14: 'unavailable',
  18: 'too_large',
  26: 'damaged',
}

/** Whole codes: what a disk without room makes of writing, flushing, cutting off, and of the memory that the log shares. */
const FULL: readonly number[] = [778, 1_034, 1_546, 4_874, 5_386]

export function kindOf(error: unknown): FailureKind {
  if (error instanceof ThreadFailure) return error.kind
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : 0
  return FULL.includes(code) ? 'full' : (KINDS[code & 0xff] ?? 'other')
}
