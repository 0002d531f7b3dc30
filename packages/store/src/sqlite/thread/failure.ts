/** What a thread tells of what went wrong: whose fault it is in a word, and the engine's own words. */
import { errorMessage } from '@switchboard/base'
import type { FailureKind, ThreadAnswer } from './messages.ts'

export class ThreadFailure extends Error {
  readonly kind: FailureKind

  constructor(kind: FailureKind, message: string) {
    super(message)
    this.kind = kind
  }
}

export const failureOf = (id: number, error: unknown): ThreadAnswer => ({
  id,
  failure: kindOf(error),
  message: errorMessage(error),
})

/** The low byte of SQLite's result codes. */
const KINDS: Readonly<Record<number, FailureKind>> = {
  10: 'full',
  11: 'damaged',
  13: 'full',
  18: 'too_large',
  26: 'damaged',
}

function kindOf(error: unknown): FailureKind {
  if (error instanceof ThreadFailure) return error.kind
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : 0
  return KINDS[code] ?? 'other'
}
