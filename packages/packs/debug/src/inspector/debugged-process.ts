/** The process behind a session, and how it is ended: one that we launched, a child of it, or one we attached to. */
import { isProcessAlive, within } from '@switchboard/base'
import { type OrphanGuard, type PipedChild, type ProcessFamily, TreeStop } from '@switchboard/process'

export interface ProcessEnd {
  readonly exitCode: number | null
  readonly signal?: string
}

export interface DebuggedProcess {
  readonly pid: number | undefined
  /** Once it has gone and all that it printed is read. Undefined: nobody tells us. */
  readonly ended: Promise<ProcessEnd> | undefined
  onOutput(listener: (category: 'stdout' | 'stderr', text: string) => void): void
  stop(options: { readonly kill: boolean; readonly grace: number }): Promise<void>
}

/** Whatever still holds the pipes of a process that has exited gets so long. */
const LAST_OUTPUT_MS = 500
const POLL_MS = 20
const KILL_WAIT_MS = 5_000

/** What the runtime itself says to a person at a terminal; not the program's output. */
const INSPECTOR_CHATTER =
  /^(?:Debugger (?:attached|ending on|listening on)\b.*|Waiting for the debugger to disconnect\.\.\.|For help, see: https:\/\/nodejs\.org\/\S{0,200}(?:inspector|debugging)\S{0,200})\r?\n/gm

export class LaunchedProcess implements DebuggedProcess {
  readonly pid: number
  readonly ended: Promise<ProcessEnd>
  readonly #guard: OrphanGuard
  readonly #family: ProcessFamily
  readonly #exited: Promise<ProcessEnd>
  #listener: ((category: 'stdout' | 'stderr', text: string) => void) | undefined
  #stopping: TreeStop | undefined
  #early: ['stdout' | 'stderr', string][] = []
  #hasExited = false

  constructor(
    child: PipedChild,
    pid: number,
    { guard, family, stdin = '' }: { guard: OrphanGuard; family: ProcessFamily; stdin?: string | undefined },
  ) {
    this.pid = pid
    this.#guard = guard
    this.#family = family
    guard.addFamily(family)
    this.#exited = new Promise((resolve) =>
      child.once('exit', (exitCode, signal) => {
        this.#hasExited = true
        resolve({ exitCode, ...(signal === null ? {} : { signal }) })
      }),
    )
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
    child.on('error', () => {})
    child.stdin.on('error', () => {})
    // Nobody can type: behind what was given, a program that reads gets the end at once.
    child.stdin.end(stdin)
    for (const category of ['stdout', 'stderr'] as const) {
      child[category].setEncoding('utf8').on('data', (text: string) => this.#tell(category, text))
      child[category].on('error', () => {})
    }
    this.ended = this.#exited.then(async (end) => {
      await within(closed, LAST_OUTPUT_MS)
      child.stdout.destroy()
      child.stderr.destroy()
      return end
    })
  }

  get hasExited(): boolean {
    return this.#hasExited
  }

  /** The last of what it wrote to stderr before anybody listened. */
  get earlyText(): string {
    return this.#early.map(([, text]) => text).join('')
  }

  onOutput(listener: (category: 'stdout' | 'stderr', text: string) => void): void {
    this.#listener = listener
    for (const [category, text] of this.#early.splice(0)) listener(category, text)
  }

  async stop({ kill, grace }: { kill: boolean; grace: number }): Promise<void> {
    const target = {
      pid: this.pid,
      exited: this.#exited,
      hasExited: () => this.#hasExited,
      endInput: () => {},
    }
    this.#stopping ??= new TreeStop(target, { input: 0, terminate: kill ? 0 : grace }, this.#family)
    if (kill) this.#stopping.force()
    await this.#stopping.done
    await this.endFamily()
    await this.ended
  }

  /** Whatever the program has started is ended, wherever it went. */
  async endFamily(): Promise<void> {
    await this.#family.kill()
    this.#guard.removeFamily(this.#family)
  }

  #tell(category: 'stdout' | 'stderr', raw: string): void {
    const text = category === 'stderr' ? raw.replace(INSPECTOR_CHATTER, '') : raw
    if (text === '') return
    if (this.#listener !== undefined) this.#listener(category, text)
    else if (this.#early.length < 1000) this.#early.push([category, text])
  }
}

/** A process whose output and exit code belong to somebody else. */
export class ForeignProcess implements DebuggedProcess {
  readonly pid: number | undefined
  readonly ended = undefined
  readonly #endsWithSession: boolean

  constructor(pid: number | undefined, endsWithSession: boolean) {
    this.pid = pid
    this.#endsWithSession = endsWithSession
  }

  onOutput(): void {}

  async stop({ kill, grace }: { kill: boolean; grace: number }): Promise<void> {
    const { pid } = this
    if (pid === undefined || (!kill && !this.#endsWithSession)) return
    if (!kill) {
      signal(pid, 'SIGTERM')
      if (await isGoneWithin(pid, grace)) return
    }
    signal(pid, 'SIGKILL')
    await isGoneWithin(pid, KILL_WAIT_MS)
  }
}

async function isGoneWithin(pid: number, ms: number): Promise<boolean> {
  for (const until = Date.now() + ms; isProcessAlive(pid); ) {
    if (Date.now() >= until) return false
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  return true
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It has gone by itself.
  }
}
