/**
 * The kill ladder: end stdin, SIGTERM, SIGKILL, to the child's whole process group and to all of its family that left the
 * group (a server started by `npx` or `uvx` is a grandchild; a browser that it opened may have a session of its own and no
 * parent any more). Every step ends early when nothing is left alive. Windows has no groups and no SIGTERM: there the family is
 * all that is known, whoever has a window is asked to close it, and then all are ended.
 */
import { execFile } from 'node:child_process'
import { type Clock, isProcessAlive, systemClock } from '@switchboard/base'
import { isSame, type ProcessFamily } from './process-family.ts'
import { lookForProcesses, type ProcessEntry } from './process-table.ts'

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
const isWindows = process.platform === 'win32'

export class TreeStop {
  readonly #child: StoppableProcess
  readonly #graces: StopGraces
  readonly #family: ProcessFamily
  readonly #clock: Clock
  #forced = Promise.withResolvers<void>()
  #escaped: ProcessEntry[] = []
  readonly done: Promise<void>

  constructor(child: StoppableProcess, graces: StopGraces, family: ProcessFamily, clock: Clock = systemClock) {
    this.#child = child
    this.#graces = graces
    this.#family = family
    this.#clock = clock
    this.done = this.#run()
  }

  /** Skips what is left of the graces. */
  force(): void {
    this.#forced.resolve()
  }

  async #run(): Promise<void> {
    const found = await this.#rememberEscaped()
    this.#child.endInput()
    // One that has died by itself, and left nobody.
    if (found === 0 && this.#child.hasExited()) return
    if (this.#graces.input > 0 && (await this.#isGoneWithin(this.#graces.input))) return
    await this.#rememberEscaped()
    await this.#signal('SIGTERM')
    if (await this.#isGoneWithin(this.#graces.terminate)) return
    await this.#rememberEscaped()
    await this.#signal('SIGKILL')
    // Also whoever was started meanwhile.
    await this.#family.kill()
    await this.#isGoneWithin(LAST_LOOK_MS, true)
  }

  /** Returns how many of the family there are, in the group and outside; undefined when nobody can tell just now. */
  async #rememberEscaped(): Promise<number | undefined> {
    // Where neither marks nor sessions are told, descendants are found only while their parents live.
    if (process.platform === 'darwin' && !this.#child.hasExited()) await this.#family.remember(this.#child.pid)
    const found = await this.#family.find()
    if (found === undefined) return undefined
    const outside = found.filter((entry) => !this.#isInGroup(entry))
    this.#escaped.push(...outside.filter((entry) => !this.#escaped.some((known) => isSame(known, entry))))
    return found.length
  }

  #isInGroup({ pid, group }: ProcessEntry): boolean {
    return (isWindows ? pid : group) === this.#child.pid
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const { pid } = this.#child
    const entries = (await lookForProcesses()) ?? []
    if (isWindows) {
      const escaped = this.#escapedAmong(entries).map((entry) => entry.pid)
      const pids = this.#child.hasExited() ? escaped : [pid, ...escaped]
      if (signal === 'SIGTERM') await askToClose(pids)
      else for (const each of pids) sendSignal(each, signal)
      return
    }
    if (this.#isOwnGroup(entries)) sendSignal(-pid, signal)
    for (const entry of this.#escapedAmong(entries)) sendSignal(entry.pid, signal)
  }

  /** The number of a child that has exited may have been given to somebody else, who leads another group by it. */
  #isOwnGroup(entries: readonly ProcessEntry[]): boolean {
    return !this.#child.hasExited() || !entries.some(({ pid }) => pid === this.#child.pid)
  }

  #escapedAmong(entries: readonly ProcessEntry[]): ProcessEntry[] {
    return this.#escaped.filter((known) => entries.some((entry) => isSame(known, entry)))
  }

  async #isGone(): Promise<boolean> {
    if (!this.#child.hasExited()) return false
    // Reading the table takes a program and half a second there; whether one that we know lives is told at once.
    if (isWindows && this.#escaped.some((entry) => isProcessAlive(entry.pid))) return false
    // Whoever we know of first; whether there is somebody new takes longer to find out.
    const entries = await lookForProcesses()
    if (entries === undefined) return this.#seemsGone()
    if (this.#isOwnGroup(entries) && entries.some((entry) => this.#isInGroup(entry))) return false
    if (this.#escapedAmong(entries).length > 0) return false
    const left = await this.#rememberEscaped()
    return left === undefined ? this.#seemsGone() : left === 0
  }

  /** As far as can be told without a handle: nobody answers for the group, and nobody is known to have left it. */
  #seemsGone(): boolean {
    if (isWindows) return true
    return this.#escaped.length === 0 && !sendSignal(-this.#child.pid, 0)
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

/** Programs without a window do not hear of it. */
function askToClose(pids: readonly number[]): Promise<void> {
  if (pids.length === 0) return Promise.resolve()
  const args = pids.flatMap((pid) => ['/PID', String(pid)])
  return new Promise((resolve) => execFile('taskkill', args, { windowsHide: true }, () => resolve()))
}
