/**
 * Everything that a program has started, and how to end it when the program itself is gone. Descent tells little then: a
 * process whose parent has ended belongs to nobody, and one with a session of its own is in no group that we know. So the
 * first process gets a mark in its environment, which all below it inherit. Only Linux lets us read it (as long as nobody
 * cleans the environment); elsewhere what was seen below the first one is remembered and ended.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setTimeout as delay, setImmediate } from 'node:timers/promises'
import { listProcesses, type ProcessEntry, selectDescendants } from './process-table.ts'

export const FAMILY_VARIABLE = 'SWITCHBOARD_FAMILY'

const POLL_MS = 20
const READ_AT_ONCE = 50
/** A process in an uninterruptible wait cannot be killed. */
const LAST_LOOK_MS = 5_000

export class ProcessFamily {
  readonly mark: string
  #seen: ProcessEntry[] = []

  constructor(mark: string = randomBytes(12).toString('hex')) {
    this.mark = mark
  }

  /** For the environment of the first process. */
  get environment(): Readonly<Record<string, string>> {
    return { [FAMILY_VARIABLE]: this.mark }
  }

  /** Notes and returns who is below `root` now: to be called while parents still live. */
  async remember(root: number): Promise<readonly ProcessEntry[]> {
    const found = selectDescendants(await listProcesses(), root)
    this.#seen.push(...found.filter((entry) => !this.#seen.some((known) => isSame(known, entry))))
    return found
  }

  /** Whoever is left is killed, until nobody is. */
  async kill(): Promise<void> {
    const until = Date.now() + LAST_LOOK_MS
    for (let alive = await this.#alive(); alive.length > 0; alive = await this.#alive()) {
      for (const { pid } of alive) sendKill(pid)
      if (Date.now() > until) return
      await delay(POLL_MS)
    }
  }

  async #alive(): Promise<ProcessEntry[]> {
    const alive: ProcessEntry[] = []
    for (const [index, entry] of (await listProcesses()).entries()) {
      // So that many processes keep nobody else waiting.
      if (index % READ_AT_ONCE === READ_AT_ONCE - 1) await setImmediate()
      if (entry.pid === process.pid) continue
      if (this.#seen.some((known) => isSame(known, entry)) || bearsMark(entry.pid, this.mark)) alive.push(entry)
    }
    return alive
  }
}

function isSame(known: ProcessEntry, entry: ProcessEntry): boolean {
  return known.pid === entry.pid && known.started === entry.started
}

/** At once, as the table itself is read: waiting for each file takes longer than reading it. */
function bearsMark(pid: number, mark: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`${FAMILY_VARIABLE}=${mark}`)
  } catch {
    // Gone meanwhile, or another user's.
    return false
  }
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has gone by itself.
  }
}
