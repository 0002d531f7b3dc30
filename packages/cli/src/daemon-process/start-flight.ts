/**
 * One starts the daemon, the others wait for it. The file that says so only saves work: what keeps daemons apart is the lock
 * that each of them has to take. So a file that nobody stands behind is simply removed.
 */
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode, isProcessAlive } from '@switchboard/base'

/** A start that has not succeeded by then may be joined by another. */
const MAX_AGE_MS = 15_000

/** Of this process: tells its files apart. */
let flights = 0

export interface StartFlight {
  /** The start is over, well or not. */
  release(): void
}

/** Undefined: somebody else is at it. */
export function takeStartFlight(file: string): StartFlight | undefined {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  if (isStale(file)) rmSync(file, { force: true })
  const content = `${process.pid} ${Date.now()} ${++flights}\n`
  let descriptor: number
  try {
    descriptor = openSync(file, 'wx', 0o600)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined
    throw error
  }
  writeSync(descriptor, content)
  closeSync(descriptor)
  return {
    release: () => {
      // Taken over by somebody who thought us dead: it is theirs to remove.
      if (readText(file) === content) rmSync(file, { force: true })
    },
  }
}

/** none: no start, or one that is over. abandoned: whoever was at it is gone or too late. */
export function readStart(file: string): 'none' | 'under_way' | 'abandoned' {
  if (readText(file) === undefined) return 'none'
  return isStale(file) ? 'abandoned' : 'under_way'
}

function isStale(file: string): boolean {
  const text = readText(file)
  if (text === undefined) return false
  if (ageOf(file) > MAX_AGE_MS) return true
  const pid = Number.parseInt(text, 10)
  // Still empty: made this very moment.
  return Number.isInteger(pid) && !isProcessAlive(pid)
}

function ageOf(file: string): number {
  return Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}
