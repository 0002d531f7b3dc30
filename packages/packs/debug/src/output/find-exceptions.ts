/**
 * The exceptions of a session: those that it stopped at, and those that only show in what it printed, because a program
 * that dies of one without a stop still writes its traceback.
 */
import type { CapturedException, OutputLine, SessionCapture } from './session-capture.ts'

export interface FoundException extends CapturedException {
  readonly from: 'stop' | 'output'
}

interface Traceback {
  readonly type: string
  readonly message: string
  readonly stack: readonly string[]
  readonly seq: number
  readonly at: number
}

const MAX_TRACEBACK_LINES = 60

/** Oldest first. One that was both a stop and printed is told once, by its stop. */
export function findExceptions(capture: SessionCapture): FoundException[] {
  const stops = capture.exceptions().map((exception) => ({ ...exception, from: 'stop' as const }))
  const printed = findTracebacks(capture.lines().filter(({ category }) => category !== 'stdout'))
    .filter(({ message }) => !stops.some((stop) => message === '' || stop.message.includes(message)))
    .map((traceback) => ({ ...traceback, from: 'output' as const }))
  return [...stops, ...printed].sort((a, b) => a.seq - b.seq)
}

function findTracebacks(lines: readonly OutputLine[]): Traceback[] {
  const found: Traceback[] = []
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]
    if (line === undefined) continue
    const rest = lines.slice(index, index + MAX_TRACEBACK_LINES).map(({ text }) => text)
    const traceback = readPython(rest) ?? readNode(rest) ?? readPanic(rest)
    if (traceback === undefined) continue
    const { length, ...what } = traceback
    found.push({ ...what, seq: line.seq, at: line.at })
    index += length - 1
  }
  return found
}

type Reading = Pick<Traceback, 'type' | 'message' | 'stack'> & { readonly length: number }

function readPython(lines: readonly string[]): Reading | undefined {
  if (lines[0] !== 'Traceback (most recent call last):') return undefined
  const end = lines.findIndex((text, index) => index > 0 && !/^\s/.test(text))
  if (end === -1) return undefined
  const [, type = 'exception', message = ''] = /^([\w.]+)(?:: (.*))?$/.exec(lines[end] ?? '') ?? []
  return { type, message, stack: lines.slice(1, end).map((text) => text.trim()), length: end + 1 }
}

/** The error's own line, then its frames. */
function readNode(lines: readonly string[]): Reading | undefined {
  const [, type, message] =
    /^(?:Uncaught )?([A-Z]\w*(?:Error|Exception))(?: \[\w+\])?: (.*)$/.exec(lines[0] ?? '') ?? []
  if (type === undefined || message === undefined) return undefined
  const frames = lines.slice(1)
  const end = frames.findIndex((text) => !/^\s+at /.test(text))
  const stack = (end === -1 ? frames : frames.slice(0, end)).map((text) => text.trim())
  return stack.length === 0 ? undefined : { type, message, stack, length: stack.length + 1 }
}

function readPanic(lines: readonly string[]): Reading | undefined {
  const [, go] = /^panic: (.*)$/.exec(lines[0] ?? '') ?? []
  if (go !== undefined) return { type: 'panic', message: go, stack: [], length: 1 }
  const [, place] = /^thread '[^']*' panicked at (.*[^:]):?$/.exec(lines[0] ?? '') ?? []
  if (place === undefined) return undefined
  return { type: 'panic', message: lines[1] ?? '', stack: [place], length: 2 }
}
