/**
 * What of old jobs stays, and for how long. Whoever asked removes its own; what is found here was left by somebody who died.
 *
 * Nothing of it is ever run: a job counts only with the id of the host that runs.
 */
import { existsSync, lstatSync, readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '@switchboard/base'
import { type BridgePaths, isJobId } from './layout.ts'
import { writeExclusively } from './write-exclusively.ts'

const HOUR_MS = 3_600_000
const KEPT_DONE_MS = 24 * HOUR_MS
const KEPT_OPEN_MS = 2 * KEPT_DONE_MS
/** Cut off by the end of a window: for whoever wants to know what it did. */
const KEPT_CUT_OFF_MS = 7 * KEPT_DONE_MS
export const SWEEP_EVERY_MS = HOUR_MS / 2

/** By a window that has just become the owner. What a host before it had begun is marked, everything else goes if it can. */
export function clearBeforeStart({ drafts, execute }: BridgePaths): void {
  for (const name of readNames(drafts)) tryTo(() => rmSync(join(drafts, name), { recursive: true, force: true }))
  for (const name of readNames(execute)) tryTo(() => clear(join(execute, name), isJobId(name)))
}

function clear(folder: string, isJob: boolean): void {
  if (!isJob || !lstatSync(folder).isDirectory()) rmSync(folder, { recursive: true, force: true })
  else if (!has(folder, 'keep') && !has(folder, 'dlq')) endJob(folder)
}

/** What another user left, and we may not remove, stays: it does no harm. */
function tryTo(remove: () => void): void {
  try {
    remove()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}

/** A job that was begun and has no end may have done half of its work. */
function endJob(folder: string): void {
  if (has(folder, 'claimed.json') && !has(folder, 'done')) {
    writeExclusively(join(folder, 'dlq'), JSON.stringify({ code: 'E_CRASH_RECOVERY', at: new Date().toISOString() }))
  } else rmSync(folder, { recursive: true, force: true })
}

/** Now and then, while a window owns the folder. Never throws: it is tried again. */
export function sweepOldJobs({ execute, drafts }: BridgePaths, now: number, isRunning: (id: string) => boolean): void {
  for (const parent of [execute, drafts]) {
    for (const name of readNames(parent)) {
      const folder = join(parent, name)
      tryTo(() => {
        if (isJobId(name) && !isRunning(name) && now - statSync(folder).mtimeMs > keptFor(folder)) {
          rmSync(folder, { recursive: true, force: true })
        }
      })
    }
  }
}

function keptFor(folder: string): number {
  if (has(folder, 'keep')) return Number.POSITIVE_INFINITY
  if (has(folder, 'dlq')) return KEPT_CUT_OFF_MS
  return has(folder, 'done') ? KEPT_DONE_MS : KEPT_OPEN_MS
}

function has(folder: string, name: string): boolean {
  return existsSync(join(folder, name))
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
