import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeClock } from '@switchboard/testkit'
import { onTestFinished } from 'vitest'

/** A folder of the test's own, gone when the test is over. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'switchboard-telemetry-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A wall clock that stands at `start` until it is moved. */
export function createClockAt(start: string): FakeClock {
  return new FakeClock({ wallTime: Date.parse(start) })
}

export const DAY_MS = 86_400_000

export function readLines(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

export function listFiles(folder: string): string[] {
  return readdirSync(folder).sort()
}

/** A stderr that remembers, or breaks on demand. */
export class FakeStderr {
  text = ''
  isBroken = false

  write(text: string): void {
    if (this.isBroken) throw new Error('EPIPE')
    this.text += text
  }
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const value of values) all.push(value)
  return all
}
