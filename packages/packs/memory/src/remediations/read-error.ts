/** An error as it is compared: its kind, what it says, and where it came from. */
import { createHash } from 'node:crypto'
import { detectErrorType, shortenType } from './error-type.ts'
import { normaliseError } from './normalise-error.ts'
import { readStack } from './stack-frames.ts'

export interface ReadError {
  readonly type: string | undefined
  /** What it says, without its stack, as it was written. */
  readonly message: string
  /** The same without what differs from run to run. */
  readonly normal: string
  readonly frames: readonly string[]
  /** The same for the same error, on every machine. */
  readonly signature: string
}

export interface GivenError {
  readonly message: string
  readonly stack?: string | undefined
  /** As whoever met it calls it. */
  readonly type?: string | undefined
}

const MAX_MESSAGE_LINES = 4
const CAUSE = /^\s{1,20}\[cause\]: \S/
const MAX_LINES_WITHOUT_TYPE = 8
const TYPE_LINE =
  /\b[\w.]{0,160}(?:Error|Exception|Interrupt)\b|^(?:panic|error)\b|\berror(?:\[|:| TS)|panicked at|E[A-Z]{4,}/

export function readError({ message, stack = '', type }: GivenError): ReadError {
  const own = readStack(message)
  const far = stack === '' ? undefined : readStack(stack)
  // A stack may stand in the message, or the message only in the stack.
  const lines = own.rest.some((line) => line.trim() !== '') ? own.rest : (far?.rest ?? [])
  const chosen = chooseLines(lines, /^[ \t]{0,40}Traceback \(most recent/m.test(message))
  const said = withCause(chosen, lines).join('\n')
  const found = detectErrorType(said) ?? detectErrorType(message) ?? (stack === '' ? undefined : detectErrorType(stack))
  const given = type === undefined || type.trim() === '' ? undefined : shortenType(type)
  // What the text itself says is the same in every hand; what an agent calls it is not.
  const known = found ?? given
  const normal = normaliseError(said).toLowerCase()
  const frames = far !== undefined && far.frames.length > 0 ? far.frames : own.frames
  const signature = createHash('sha256')
    .update([normal, known ?? '', ...frames].join('\n'))
    .digest('hex')
  return { type: known, message: said, normal, frames, signature }
}

/** Node says only below its stack why: of `fetch failed` the rest is the error. */
function withCause(chosen: readonly string[], lines: readonly string[]): readonly string[] {
  const cause = lines.find((line) => CAUSE.test(line))
  return cause === undefined || chosen.includes(cause) ? chosen : [...chosen, cause.trim()]
}

/** The line that names the error and what follows it at once; in Python the last one that does. */
function chooseLines(lines: readonly string[], isPython: boolean): readonly string[] {
  const isTyped = (line: string): boolean => TYPE_LINE.test(line)
  const at = isPython ? lines.findLastIndex(isTyped) : lines.findIndex(isTyped)
  if (at === -1) return lines.filter((line) => line.trim() !== '').slice(0, MAX_LINES_WITHOUT_TYPE)
  const block = lines.slice(at, at + MAX_MESSAGE_LINES)
  const end = block.findIndex((line) => line.trim() === '')
  return end === -1 ? block : block.slice(0, end)
}
