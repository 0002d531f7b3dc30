/** What a thread tells of what went wrong: whose fault it is in a word, and the engine's own words. */
import type { FailureKind, ThreadAnswer } from './messages.ts'

export class ThreadFailure extends Error {
  readonly kind: FailureKind
  readonly hint: string | undefined

  constructor(kind: FailureKind, message: string, { hint }: { readonly hint?: string } = {}) {
    super(message)
    this.kind = kind
    this.hint = hint
  }

  toAnswer(id: number): ThreadAnswer {
    return { id, failure: this.kind, message: this.message, hint: this.hint }
  }
}
