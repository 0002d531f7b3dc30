/**
 * The kill ladder: end stdin, SIGTERM, SIGKILL, to the child's whole process group and to descendants that left it
 * (a server started by `npx` or `uvx` is a grandchild). Every step ends early when nothing is left alive.
 * Windows has no groups: `taskkill /T` takes the tree.
 */
import { execFile } from 'node:child_process'
import { type Clock, systemClock } from './clock.ts'
import { listProcesses, type ProcessEntry, selectDescendants } from './process-table.ts'

export interface StoppableProcess {
  readonly pid: number
  /** Settles when the child itself has exited. */
  readonly exited: Promise<unknown>
  hasExited(): boolean
  endInput(): void
}

export interface StopGraces {
  /** Between the end of stdin and SIGTERM; 0 skips the step. */
  readonly input: number
  /** Between SIGTERM and SIGKILL. */
  readonly terminate: number
}

export const STOP_GRACES: StopGraces = { input: 2000, terminate: 2000 }
export const RESTART_GRACES: StopGraces = { input: 0, terminate: 1000 }

/** How long we look after SIGKILL before we give the rest up: a process in an uninterruptible wait cannot be killed. */
const LAST_LOOK_MS = 5000
const POLL_MS = 20

export class TreeStop {
  readonly #child: StoppableProcess
  readonly #graces: StopGraces
  readonly #clock: Clock
  #forced = Promise.withResolvers<void>()
  #escaped: ProcessEntry[] = []
  readonly done: Promise<void>

  constructor(child: StoppableProcess, graces: StopGraces, clock: Clock = systemClock) {
    this.#child = child
    this.#graces = graces
    this.#clock = clock
    this.done = this.#run()
  }

  /** Skips what is left of the graces. */
  force(): void {
    this.#forced.resolve()
  }

  async #run(): Promise<void> {
    await this.#rememberEscaped()
    this.#child.endInput()
    if (this.#graces.input > 0 && (await this.#isGoneWithin(this.#graces.input))) return
    await this.#rememberEscaped()
    await this.#signal('SIGTERM')
    if (await this.#isGoneWithin(this.#graces.terminate)) return
    await this.#rememberEscaped()
    await this.#signal('SIGKILL')
    await this.#isGoneWithin(LAST_LOOK_MS, true)
  }

  /** Descendants outside the group can be found only while their parents live. */
  async #rememberEscaped(): Promise<void> {
    if (process.platform === 'win32' || this.#child.hasExited()) return
    for (const entry of selectDescendants(await listProcesses(), this.#child.pid)) {
      if (entry.group !== this.#child.pid && !this.#escaped.some((known) => known.pid === entry.pid)) {
        this.#escaped.push(entry)
      }
    }
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const { pid } = this.#child
    if (process.platform === 'win32') {
      if (signal === 'SIGKILL' || !this.#child.hasExited()) await taskkill(pid, signal === 'SIGKILL')
      return
    }
    sendSignal(-pid, signal)
    for (const entry of await this.#escapedAlive()) sendSignal(entry.pid, signal)
  }

  async #escapedAlive(): Promise<ProcessEntry[]> {
    if (this.#escaped.length === 0) return []
    const alive = await listProcesses()
    return this.#escaped.filter((known) =>
      alive.some((entry) => entry.pid === known.pid && entry.started === known.started),
    )
  }

  async #isGone(): Promise<boolean> {
    if (!this.#child.hasExited()) return false
    if (process.platform === 'win32') return true
    if (sendSignal(-this.#child.pid, 0)) {
      // Something answers for the group; it may be nothing but a zombie that nobody has collected.
      const entries = await listProcesses()
      if (entries.some((entry) => entry.group === this.#child.pid)) return false
    }
    return (await this.#escapedAlive()).length === 0
  }

  async #isGoneWithin(ms: number, evenIfForced = false): Promise<boolean> {
    const until = this.#clock.now() + ms
    for (;;) {
      if (await this.#isGone()) return true
      const left = until - this.#clock.now()
      if (left <= 0) return false
      const { promise: elapsed, resolve } = Promise.withResolvers<'elapsed'>()
      const timer = this.#clock.setTimer(this.#child.hasExited() ? Math.min(left, POLL_MS) : left, () =>
        resolve('elapsed'),
      )
      const waits: Promise<unknown>[] = [elapsed]
      if (!this.#child.hasExited()) waits.push(this.#child.exited)
      if (!evenIfForced) waits.push(this.#forced.promise.then(() => 'forced'))
      const first = await Promise.race(waits)
      timer.cancel()
      if (first === 'forced') return false
    }
  }
}

/** True when there was somebody to receive it. */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal)
    return true
  } catch {
    return false
  }
}

function taskkill(pid: number, force: boolean): Promise<void> {
  const args = ['/PID', String(pid), '/T', ...(force ? ['/F'] : [])]
  return new Promise((resolve) => execFile('taskkill', args, () => resolve()))
}
