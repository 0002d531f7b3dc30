/**
 * Finding what a killed owner left behind. Every child carries a mark in its environment: who started it, and when. A
 * process is called an orphan only when it bears the mark, leads a process group (as every child of ours does), began when
 * the mark says, and its owner is no longer alive: whatever a server itself started later has inherited the mark, but not
 * the moment. Where the system does not tell all of this (anything but Linux), nothing is found.
 */
import { readdir, readFile } from 'node:fs/promises'
import { listProcesses, type ProcessEntry } from './process-table.ts'

export const OWNER_VARIABLE = 'SWITCHBOARD_OWNER'

export interface Orphan {
  readonly pid: number
  /** The pid of who started it. */
  readonly owner: number
  /** Its command line. */
  readonly command: string
  /** As in the process table; another one means another process. */
  readonly started: string
}

/** Of the boot time, which is told in whole seconds, and of a spawn that takes its time on a loaded machine. */
const CLOCK_TOLERANCE_MS = 3_000
/** Of Linux on every architecture that Node runs on. */
const TICKS_PER_SECOND = 100

export function createOwnerMark(pid: number = process.pid, now: number = Date.now()): string {
  return `${pid}:${now}`
}

export async function findOrphans(): Promise<Orphan[]> {
  if (process.platform !== 'linux') return []
  const [entries, bootedAt] = await Promise.all([listProcesses(), readBootTime()])
  const alive = new Set(entries.map(({ pid }) => pid))
  const found = await Promise.all(entries.map((entry) => readOrphan(entry, alive, bootedAt)))
  return found.filter((orphan) => orphan !== undefined)
}

/** Whether it is still the process that was found, and still without its owner. */
export async function isStillOrphan({ pid, started, owner }: Orphan): Promise<boolean> {
  const entries = await listProcesses()
  return entries.some((entry) => entry.pid === pid && entry.started === started) && !(await isAlive(owner))
}

async function readOrphan(
  { pid, group, started }: ProcessEntry,
  alive: ReadonlySet<number>,
  bootedAt: number,
): Promise<Orphan | undefined> {
  if (group !== pid) return undefined
  try {
    const environment = await readFile(`/proc/${pid}/environ`, 'utf8')
    const mark = environment.split('\0').find((line) => line.startsWith(`${OWNER_VARIABLE}=`))
    const [, owner, at] = /=(\d+):(\d+)$/.exec(mark ?? '') ?? []
    if (owner === undefined || alive.has(Number(owner))) return undefined
    const startedAt = bootedAt + (Number(started) / TICKS_PER_SECOND) * 1000
    if (Math.abs(startedAt - Number(at)) > CLOCK_TOLERANCE_MS) return undefined
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0').join(' ').trim()
    return { pid, owner: Number(owner), command, started }
  } catch {
    // Gone meanwhile, or another user's.
    return undefined
  }
}

async function isAlive(pid: number): Promise<boolean> {
  return (await readdir('/proc')).includes(String(pid))
}

async function readBootTime(): Promise<number> {
  const [, seconds = '0'] = /^btime (\d+)$/m.exec(await readFile('/proc/stat', 'utf8')) ?? []
  return Number(seconds) * 1000
}
