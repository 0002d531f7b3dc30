/**
 * Everything that a program has started, and how to end it when the program itself is gone. Descent tells little then: a
 * process whose parent has ended belongs to nobody, and one with a session of its own is in no group that we know. A process is
 * of the family when
 *
 * 1. it bears the family's mark, which the first process got in its environment and all below it inherit, or
 * 2. it is in the session that the first process began with, or in the session of one that bears the mark, or
 * 3. it was below one of the family when somebody looked.
 *
 * So one escapes that leaves its session, forgets its environment and loses its parent, all three; whoever wants to, and has
 * the rights of the same user, always can. Marks are seen on Linux and macOS, sessions on Linux. Windows tells neither, but there
 * a process keeps the number of its parent for ever: children of the first process are known by it also when that one is gone,
 * and who is below those is looked for once soon after the start, while parents still live.
 *
 * A family that somebody else starts for us, such as an editor, is a guest in the sessions that it is in: the second rule does not
 * hold for it, since the editor itself, or the person's terminal, may be in one of them.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { FAMILY_VARIABLE, lookForMarked } from './process-marks.ts'
import { lookForProcesses, type ProcessEntry, readStart, selectDescendants } from './process-table.ts'

const POLL_MS = 20
/** By then whatever a program starts at its start is there. */
const FIRST_LOOK_MS = 3_000
/** Of two clocks of one machine, and of whoever hears of an end a little later. */
const CLOCK_TOLERANCE_MS = 1_000
/** A process in an uninterruptible wait cannot be killed. */
const LAST_LOOK_MS = 5_000

export class ProcessFamily {
  readonly mark = randomBytes(12).toString('hex')
  readonly isGuest: boolean
  #seen: ProcessEntry[] = []
  #first: { readonly pid: number; readonly started: string } | undefined
  #life: { readonly from: number; until: number } = { from: 0, until: Number.POSITIVE_INFINITY }

  constructor({ isGuest = false } = {}) {
    this.isGuest = isGuest
  }

  /** For the environment of the first process. A family inside a family is of both. */
  get environment(): Readonly<Record<string, string>> {
    const outer = process.env[FAMILY_VARIABLE]
    return { [FAMILY_VARIABLE]: outer === undefined ? this.mark : `${outer}.${this.mark}` }
  }

  /** It began with this process, which leads a session of its own. To be called while it cannot have ended unnoticed. */
  begin(pid: number): void {
    this.#first = { pid, started: readStart(pid) }
    this.#life = { from: Date.now(), until: Number.POSITIVE_INFINITY }
    if (process.platform === 'win32') setTimeout(() => void this.#look(), FIRST_LOOK_MS).unref()
  }

  /** Its first process has ended. Whoever has its number later is somebody else, and so are that one's children. */
  end(): void {
    this.#life.until = Math.min(this.#life.until, Date.now())
  }

  /** Pid and start of the first process; undefined before it began. */
  get first(): { readonly pid: number; readonly started: string } | undefined {
    return this.#first
  }

  /** Notes and returns who is below `root` now: to be called while parents still live. */
  async remember(root: number): Promise<readonly ProcessEntry[]> {
    const found = selectDescendants((await lookForProcesses()) ?? [], root)
    this.#note(found)
    return found
  }

  /** Who of it is alive now, except ourselves. Undefined: nobody can tell just now, for want of handles. */
  async find(): Promise<readonly ProcessEntry[] | undefined> {
    const all = await lookForMarked()
    if (all === undefined) return undefined
    const { entries, marks } = all
    const found = new Set(
      entries.filter((entry) => this.#isKnown(entry) || marks.get(entry.pid)?.family.includes(this.mark) === true),
    )
    if (process.platform === 'win32') for (const entry of this.#findByNumber(entries)) found.add(entry)
    const sessions = this.#findSessions(entries, found)
    for (const entry of entries) if (sessions.has(entry.session)) found.add(entry)
    for (const { pid } of [...found]) for (const below of selectDescendants(entries, pid)) found.add(below)
    const others = [...found].filter(({ pid }) => pid !== process.pid)
    this.#note(others)
    return others
  }

  /** Whoever is left is killed, until nobody is. */
  async kill(): Promise<void> {
    const until = Date.now() + LAST_LOOK_MS
    for (let alive = await this.find(); alive?.length !== 0; alive = await this.find()) {
      for (const { pid } of alive ?? []) sendKill(pid)
      if (Date.now() > until) return
      await delay(POLL_MS)
    }
  }

  async #look(): Promise<void> {
    if (this.#life.until === Number.POSITIVE_INFINITY) await this.find()
  }

  /** A session keeps the number of who began it, and nobody else gets that number as long as there is one in it. */
  #findSessions(entries: readonly ProcessEntry[], found: ReadonlySet<ProcessEntry>): ReadonlySet<number> {
    if (this.isGuest) return new Set()
    const sessions = new Set([...found].map(({ session }) => session))
    const first = this.#first
    const namesake = entries.find(({ pid }) => pid === first?.pid)
    if (first !== undefined && (namesake === undefined || namesake.started === first.started)) sessions.add(first.pid)
    const own = entries.find(({ pid }) => pid === process.pid)?.session
    for (const nobodys of [0, own]) if (nobodys !== undefined) sessions.delete(nobodys)
    return sessions
  }

  /** On Windows: the first process while it lives, and its children, also when it is gone. */
  #findByNumber(entries: readonly ProcessEntry[]): readonly ProcessEntry[] {
    const first = this.#first
    if (first === undefined) return []
    const { from, until } = this.#life
    const isGone = until !== Number.POSITIVE_INFINITY
    const hasNamesake = isGone && entries.some(({ pid }) => pid === first.pid)
    return entries.filter(({ pid, parent, started }) => {
      if (pid === first.pid) return !isGone
      if (parent !== first.pid) return false
      // Where nobody knows when it began: not if it may be the namesake's.
      if (started === '') return !hasNamesake
      return Number(started) >= from - CLOCK_TOLERANCE_MS && Number(started) <= until + CLOCK_TOLERANCE_MS
    })
  }

  #isKnown(entry: ProcessEntry): boolean {
    const { pid, started } = entry
    if (pid === this.#first?.pid && started === this.#first.started && started !== '') return true
    return this.#seen.some((known) => known.pid === pid && known.started === started)
  }

  #note(found: readonly ProcessEntry[]): void {
    this.#seen.push(...found.filter((entry) => !this.#seen.some((known) => isSame(known, entry))))
  }
}

export function isSame(known: ProcessEntry, entry: ProcessEntry): boolean {
  return known.pid === entry.pid && known.started === entry.started
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has gone by itself.
  }
}
