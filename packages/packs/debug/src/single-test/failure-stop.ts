/**
 * Is an exception the failure that one looks for, or something that the code under test handles by itself? The debugger
 * cannot tell: in the end the test runner catches everything. So the text of the person's own frames is asked.
 */
import type { ExceptionInfo, Frame } from '../engine/debug-session.ts'
import { MAX_UNDERSTOOD_BYTES, readSourceText } from '../workspace/source-text.ts'
import { blankOutText, pairBrackets } from './script-text.ts'

const ASSERTION = /Assert|Expectation|Failed\b|^panic/i
const EXPECTED = /\b(?:throws|rejects|toThrow\w*)\b/
const SCRIPT = /\.[cm]?[jt]sx?$/

/**
 * An assertion counts wherever it is thrown: those of Node and vitest are thrown in a library. Others count when the person's
 * own code throws them. Neither does when a frame of theirs stands in a `try` with a `catch`, or expects it.
 */
export function isFailureStop(
  exception: Pick<ExceptionInfo, 'type' | 'message'> | undefined,
  frames: readonly Frame[],
): boolean {
  const own = frames.filter(({ isUser }) => isUser)
  if (own.length === 0) return false
  const isMeant = frames[0]?.isUser === true || ASSERTION.test(exception?.type ?? '')
  return isMeant && !own.some(isHandledIn)
}

function isHandledIn({ place }: Frame): boolean {
  if (place === undefined || !SCRIPT.test(place.path)) return false
  const text = readSourceText(place.path, MAX_UNDERSTOOD_BYTES)
  return text !== undefined && isHandledAt(text, place.line)
}

export function isHandledAt(text: string, line: number): boolean {
  const lines = text.split('\n')
  const own = lines[line - 1] ?? ''
  if (EXPECTED.test(own)) return true
  const offset = lines.slice(0, line - 1).join('\n').length + 1 + (own.length - own.trimStart().length)
  const blank = blankOutText(text)
  const closings = pairBrackets(blank)
  return findOpenBraces(blank, offset).some((open) => {
    if (!/\btry\s*$/.test(blank.slice(Math.max(0, open - 40), open))) return false
    const close = closings.get(open)
    return close !== undefined && /^\}\s*catch\b/.test(blank.slice(close, close + 40))
  })
}

function findOpenBraces(blank: string, offset: number): number[] {
  const open: number[] = []
  for (let index = 0; index < Math.min(offset, blank.length); index++) {
    if (blank.charAt(index) === '{') open.push(index)
    else if (blank.charAt(index) === '}') open.pop()
  }
  return open
}
