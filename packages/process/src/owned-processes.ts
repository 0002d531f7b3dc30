/**
 * Finding what a killed owner left behind. Every child carries a mark in its environment, which all below it inherit: who
 * started it, and when. A process is called an orphan only when it bears the mark and its owner is no longer alive. Pids are
 * given again, so an owner is alive only if it began before the mark was made; and they mean something in their own
 * container only, so nobody of another one is looked at. Where the system does not tell all of this (anything but Linux),
 * nothing is found.
 */
import { readFileSync, readlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isSame } from './process-family.ts'
import { listMarked, type Marks } from './process-marks.ts'
import { listProcesses, type ProcessEntry } from './process-table.ts'

export interface Orphan extends ProcessEntry {
  /** The pid of who started it. */
  readonly owner: number
  /** When its owner marked it, in milliseconds since 1970. */
  readonly markedAt: number
  /** Its command line. */
  readonly command: string
}

/** Of the boot time, which is told in whole seconds, and of a spawn that takes its time on a loaded machine. */
const CLOCK_TOLERANCE_MS = 3_000
/** Of Linux on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100
const POLL_MS = 50

export function createOwnerMark(pid: number = process.pid, now: number = Date.now()): string {
  return `${pid}:${now}`
}

export async function findOrphans(): Promise<Orphan[]> {
  if (process.platform !== 'linux') return []
  const [{ entries, marks }, bootedAt] = await Promise.all([listMarked(), readBootTime()])
  const starts = new Map(entries.map(({ pid, started }) => [pid, toTime(started, bootedAt)]))
  const isOwnerAlive = (owner: number, markedAt: number): boolean => {
    const startedAt = starts.get(owner)
    return startedAt !== undefined && startedAt <= markedAt + CLOCK_TOLERANCE_MS
  }
  return entries.flatMap((entry) => readOrphan(entry, marks.get(entry.pid), isOwnerAlive) ?? [])
}

/** Whether it is still the process that was found. Its owner does not come back. */
export async function isStillOrphan(orphan: Orphan): Promise<boolean> {
  return (await listProcesses()).some((entry) => isSame(orphan, entry))
}

export interface EndOrphansOptions {
  /** Milliseconds between SIGTERM and SIGKILL, and after it. */
  readonly patience: number
  readonly signal?: AbortSignal
}

/** Returns those that do not end, not even by SIGKILL. */
export async function endOrphans(
  orphans: readonly Orphan[],
  { patience, signal }: EndOrphansOptions,
): Promise<readonly Orphan[]> {
  let left = orphans
  for (const name of ['SIGTERM', 'SIGKILL'] as const) {
    left = await selectAlive(left)
    for (const { pid, group } of left) {
      // One that leads a group leads one that was made for it, or by it.
      if (!signal?.aborted) send(group === pid ? -pid : pid, name)
    }
    left = await waitForOrphans(left, { patience, ...(signal === undefined ? {} : { signal }) })
  }
  return left
}

/** Returns those that are still there after that time. */
export async function waitForOrphans(
  orphans: readonly Orphan[],
  { patience, signal }: EndOrphansOptions,
): Promise<readonly Orphan[]> {
  const until = performance.now() + patience
  for (let left = await selectAlive(orphans); ; left = await selectAlive(left)) {
    if (left.length === 0 || signal?.aborted || performance.now() >= until) return left
    await delay(POLL_MS, undefined, signal === undefined ? {} : { signal }).catch(() => {})
  }
}

async function selectAlive(orphans: readonly Orphan[]): Promise<readonly Orphan[]> {
  if (orphans.length === 0) return orphans
  const entries = await listProcesses()
  return orphans.filter((orphan) => entries.some((entry) => isSame(orphan, entry)))
}

function readOrphan(
  entry: ProcessEntry,
  marks: Marks | undefined,
  isOwnerAlive: (owner: number, markedAt: number) => boolean,
): Orphan | undefined {
  const [, owner, at] = /^(\d+):(\d+)$/.exec(marks?.owner ?? '') ?? []
  if (owner === undefined || entry.pid === process.pid || isOwnerAlive(Number(owner), Number(at))) return undefined
  try {
    if (readlinkSync(`/proc/${entry.pid}/ns/pid`) !== readlinkSync('/proc/self/ns/pid')) return undefined
    const command = readFileSync(`/proc/${entry.pid}/cmdline`, 'utf8').split('\0').join(' ').trim()
    return { ...entry, owner: Number(owner), markedAt: Number(at), command }
  } catch {
    // Gone meanwhile, or another user's.
    return undefined
  }
}

function send(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has gone by itself.
  }
}

function toTime(started: string, bootedAt: number): number {
  return bootedAt + (Number(started) / TICKS_PER_SECOND) * 1000
}

async function readBootTime(): Promise<number> {
  const [, seconds = '0'] = /^btime (\d+)$/m.exec(await readFile('/proc/stat', 'utf8')) ?? []
  return Number(seconds) * 1000
}
