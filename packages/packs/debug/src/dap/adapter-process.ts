/**
 * A debug adapter's process: in a group of its own, known to the guard (so that it ends when we are killed), ended with
 * everything that was started below it, wherever that went.
 */
import { within } from '@switchboard/base'
import {
  type OrphanGuard,
  type PipedChild,
  type ProcessFamily,
  type StopGraces,
  spawnChild,
  TreeStop,
} from '@switchboard/process'
import { ToolError } from '@switchboard/toolkit'

/** What is kept of an adapter's error output, for the message when it fails. */
const KEPT_CHARACTERS = 4000
/** Something that it left behind may hold its pipes open after the exit. */
const LAST_WORDS_MS = 300
/** A process that hangs up is about to exit, sooner or later; one that lives on is not waited for. */
const EXIT_MS = 2_000

export interface AdapterCommand {
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Of the agent's window, in place of ours. */
  readonly base?: Readonly<Record<string, string>> | undefined
}

export interface AdapterExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export class AdapterProcess {
  readonly #child: PipedChild
  readonly #guard: OrphanGuard
  readonly #guarded = new Set<number>()
  readonly #family: ProcessFamily
  #stop: TreeStop | undefined
  #exit: AdapterExit | undefined
  #tail = ''
  readonly exited: Promise<AdapterExit>
  readonly #closed: Promise<unknown>
  /** As messages call it; a program that is its own adapter is a program. */
  readonly #name: string

  constructor(wanted: AdapterCommand, guard: OrphanGuard, name = 'the debug adapter') {
    this.#name = name
    const outcome = spawnChild({ ...wanted, inheritEnv: true })
    if (!outcome.spawned) {
      const code = ['no_directory', 'bad_argument', 'no_room'].includes(outcome.problem.reason)
        ? 'E_LAUNCH_FAILED'
        : 'E_ADAPTER_MISSING'
      throw new ToolError(code, `${capitalize(name)} cannot be started: ${outcome.problem.message}.`)
    }
    this.#child = outcome.child
    this.#family = outcome.family
    this.#guard = guard
    if (outcome.child.pid !== undefined) guard.addFamily(this.#family)
    const { promise, resolve } = Promise.withResolvers<AdapterExit>()
    this.exited = promise
    const { child } = outcome
    this.#closed = new Promise((done) => child.once('close', done))
    child.once('exit', (code, signal) => {
      this.#exit = { code, signal }
      resolve(this.#exit)
    })
    child.on('error', (error) => {
      this.#tail += error.message
      this.#exit ??= { code: null, signal: null }
      resolve(this.#exit)
    })
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (text: string) => {
      this.#tail = (this.#tail + text).slice(-KEPT_CHARACTERS)
    })
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  get stdin(): PipedChild['stdin'] {
    return this.#child.stdin
  }

  get stdout(): PipedChild['stdout'] {
    return this.#child.stdout
  }

  get stderr(): PipedChild['stderr'] {
    return this.#child.stderr
  }

  get exit(): AdapterExit | undefined {
    return this.#exit
  }

  get errorTail(): string {
    return this.#tail.trim()
  }

  /** As it reads in a message. */
  describeExit(): string {
    if (this.#exit === undefined) return `${this.#name} is running`
    const { code, signal } = this.#exit
    return signal === null
      ? `${this.#name} exited with code ${code}`
      : `${this.#name} was ended by the signal ${signal}`
  }

  /** Who is below it now: groups that were founded there are not reached by a signal to its own group. */
  async guardDescendants(): Promise<void> {
    if (this.pid === undefined || process.platform === 'win32') return
    const found = await this.#family.remember(this.pid)
    if (this.#exit !== undefined) return
    for (const { group } of found) if (group > 1) this.#watch(group)
  }

  /** Resolves when nothing of it is left. A second call joins the first. */
  async stop(graces: StopGraces): Promise<void> {
    const { pid } = this.#child
    if (pid === undefined) return
    this.#stop ??= new TreeStop(
      {
        pid,
        exited: this.exited,
        hasExited: () => this.#exit !== undefined,
        endInput: () => this.#child.stdin.end(),
      },
      graces,
      this.#family,
    )
    await this.#stop.done
    await this.lastWords()
    this.#guard.removeFamily(this.#family)
    for (const group of this.#guarded) this.#guard.remove(group)
    this.#guarded.clear()
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy()
  }

  /** A process that ends closes its pipes first; its exit code and the rest of its words come a moment later. */
  async lastWords(): Promise<void> {
    await within(this.exited, EXIT_MS)
    await within(this.#closed, LAST_WORDS_MS)
  }

  #watch(group: number): void {
    if (this.#guarded.has(group)) return
    this.#guarded.add(group)
    this.#guard.add(group)
  }
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
