/** What a program in a process of its own has said so far, and how it ended. */
import type { ChildProcess } from 'node:child_process'
import { type EventEmitter, once } from 'node:events'
import { type WaitOptions, waitFor } from './wait-for.ts'

/** What is looked at of a child process, so that one on another system can take its place. */
type WatchedChild = EventEmitter & Pick<ChildProcess, 'stdin' | 'stdout' | 'stderr' | 'pid'>

export interface Program<Child extends WatchedChild = ChildProcess> {
  readonly child: Child
  readonly pid: number
  readonly out: () => string
  readonly err: () => string
  /** Its exit code, or the signal that ended it; once all of its outputs are closed. */
  readonly ended: Promise<number | string>
  /**
   * What `read` makes of the first whole line of standard output that it does not answer with undefined. Other lines
   * are passed over: a program may say anything before, its failure included. Rejects when the program ends without.
   */
  waitForLine<T>(read: (line: string) => T | undefined, options?: WaitOptions): Promise<T>
  /** Resolves when standard output holds the text; rejects when the program ends without having said it. */
  waitForText(text: string, options?: WaitOptions): Promise<void>
}

/** Call it in the turn that spawned the child, before anything can be missed. */
export function watchProgram<Child extends WatchedChild>(child: Child): Program<Child> {
  let out = ''
  let err = ''
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    out += chunk
  })
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    err += chunk
  })
  // A program that is gone does not read what a test still writes to it.
  child.stdin?.on('error', () => {})
  let end: number | string | undefined
  const ended = once(child, 'close').then(([code, signal]): number | string => {
    end = code ?? signal
    return code ?? signal
  })
  // Whoever asks is told; a start that failed is no unhandled rejection.
  ended.catch(() => {})

  async function waitForOutput<T>(
    look: () => T | undefined,
    { timeout = 30_000, ...options }: WaitOptions,
  ): Promise<T> {
    const seen = await waitFor(
      () => {
        const found = look()
        return found === undefined && end === undefined ? undefined : { found }
      },
      { timeout, ...options },
    )
    if (seen.found !== undefined) return seen.found
    throw new Error(`The program ended with ${end} before ${options.what ?? 'it said what was awaited'}: ${out}${err}`)
  }

  return {
    child,
    pid: child.pid ?? 0,
    out: () => out,
    err: () => err,
    ended,
    waitForLine: (read, options = {}) => waitForOutput(() => firstOf(wholeLines(out), read), options),
    async waitForText(text, options = {}) {
      await waitForOutput(() => out.includes(text) || undefined, { what: JSON.stringify(text), ...options })
    },
  }
}

function wholeLines(text: string): string[] {
  return text.split('\n').slice(0, -1)
}

function firstOf<T>(lines: readonly string[], read: (line: string) => T | undefined): T | undefined {
  for (const line of lines) {
    const found = read(line)
    if (found !== undefined) return found
  }
  return undefined
}

/** For `waitForLine`: the line as a JSON object that has all of these members; undefined for everything else. */
export function readObjectWith<Key extends string>(
  ...keys: readonly Key[]
): (line: string) => Readonly<Record<Key, unknown>> | undefined {
  return (line) => {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return undefined
    }
    if (typeof value !== 'object' || value === null || !keys.every((key) => Object.hasOwn(value, key))) return undefined
    // Every key is there, which is all that the type says.
    return value as Readonly<Record<Key, unknown>>
  }
}
