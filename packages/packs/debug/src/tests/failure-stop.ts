/** Is an exception the failure that one looks for, or something that the code under test handles by itself? */
import type { ExceptionInfo, Frame } from '../session/debug-session.ts'

const ASSERTION = /Assert|Expectation|Failed\b|^panic/i

/**
 * An assertion counts wherever it is thrown: those of Node and vitest are thrown in a library. Others count when the person's
 * own code throws them.
 */
export function isFailureStop(
  exception: Pick<ExceptionInfo, 'type' | 'message'> | undefined,
  frames: readonly Frame[],
): boolean {
  const [top] = frames
  if (!frames.some(({ isUser }) => isUser)) return false
  return top?.isUser === true || ASSERTION.test(exception?.type ?? '') || ASSERTION.test(exception?.message ?? '')
}
