/**
 * Searching by a pattern that somebody else wrote. A pattern may take exponential time, and nothing can interrupt it on
 * our own thread: so it runs on a thread of its own that is ended when the time is over. Plain text needs no thread.
 */
import { Worker } from 'node:worker_threads'
import { errorMessage } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'

export interface MatchOptions {
  readonly caseSensitive: boolean
  readonly signal: AbortSignal
  /** Milliseconds. Default: 2,000. */
  readonly timeout?: number
}

/** Text, so that it needs no file beside a bundle. */
const SEARCH = `
const { parentPort, workerData } = require('node:worker_threads')
const pattern = new RegExp(workerData.pattern, workerData.flags)
const found = []
for (let index = 0; index < workerData.lines.length; index++) if (pattern.test(workerData.lines[index])) found.push(index)
parentPort.postMessage(found)
`

const PLAIN = /^[\w\s\-"'`,:;<>=!@#%&~/]*$/
const MAX_PATTERN = 1_000

/** The positions of the lines that match. Throws E_INVALID_REGEX, E_TIMEOUT. */
export async function matchLines(
  pattern: string,
  lines: readonly string[],
  { caseSensitive, signal, timeout = 2_000 }: MatchOptions,
): Promise<number[]> {
  if (pattern.length > MAX_PATTERN) {
    throw new ToolError(
      'E_INVALID_REGEX',
      `The pattern has ${pattern.length} characters; at most ${MAX_PATTERN} are allowed`,
    )
  }
  const flags = caseSensitive ? '' : 'i'
  checkPattern(pattern, flags)
  if (PLAIN.test(pattern)) return matchPlain(pattern, lines, caseSensitive)
  signal.throwIfAborted()
  const worker = new Worker(SEARCH, { eval: true, workerData: { pattern, flags, lines } })
  try {
    return await new Promise<number[]>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(
          new ToolError('E_TIMEOUT', `The pattern ${pattern} was still searching after ${timeout} ms`, {
            hint: 'Make it simpler: avoid a repeated group that itself repeats, such as (a+)+.',
          }),
        )
      }, timeout)
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      worker.once('message', (found: number[]) => resolve(found))
      worker.once('error', reject)
      worker.once('exit', () => clearTimeout(timer))
    })
  } finally {
    await worker.terminate()
  }
}

function matchPlain(pattern: string, lines: readonly string[], caseSensitive: boolean): number[] {
  const wanted = caseSensitive ? pattern : pattern.toLowerCase()
  return lines.flatMap((line, index) => ((caseSensitive ? line : line.toLowerCase()).includes(wanted) ? [index] : []))
}

function checkPattern(pattern: string, flags: string): void {
  try {
    new RegExp(pattern, flags)
  } catch (error) {
    const reason = errorMessage(error)
    throw new ToolError('E_INVALID_REGEX', reason, { cause: error })
  }
}
