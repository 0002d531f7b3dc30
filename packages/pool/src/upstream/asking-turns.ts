/**
 * Whose turn it is with what asks back. A legacy server's question names no call, so of the calls that may ask only those
 * of one agent run at a time. That agent's run side by side, and whatever was never seen asking waits for nobody: should it ask
 * all the same, it is found out whose question that is (`question-origin.ts`), and known from then on.
 */
import { type Clock, FairQueue, NEVER_ABORTED } from '@switchboard/base'
import type { Call, Caller } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Tool } from '@switchboard/protocol/mcp'
import type { Logger } from '@switchboard/telemetry'
import { agentOfCaller, createAbortError, type ServerRequest } from '../connection/server-requests.ts'
import type { AcquireOptions } from './call-queue.ts'

export interface AskingTurnsOptions {
  readonly server: string
  readonly clock: Clock
  /** Everything may ask: nothing is learned. */
  readonly all: boolean
  /** What was seen asking at earlier times: names of tools, or methods. */
  readonly known: readonly string[]
  readonly log: Logger
  /** All that is known, with what is new. */
  onLearned(subjects: readonly string[]): void
}

/** What a call is of: a tool, or a method. */
interface Subject {
  readonly method: string
  readonly tool?: Tool | undefined
}

export class AskingTurns {
  readonly #options: AskingTurnsOptions
  readonly #subjects: Set<string>
  readonly #queue: FairQueue
  #holder: string | undefined
  #unnamed = 0

  constructor(options: AskingTurnsOptions) {
    this.#options = options
    this.#subjects = new Set(options.known)
    this.#queue = new FairQueue(
      Number.POSITIVE_INFINITY,
      {
        // Whoever has the turn may bring more, unless another waits for it.
        mayEnter: (agent) =>
          this.#queue.active === 0 || (agent === this.#holder && !this.#queue.hasOthersWaiting(agent)),
        onEntered: (agent) => {
          this.#holder = agent
        },
      },
      options.clock,
    )
  }

  /** What was seen asking. */
  get subjects(): readonly string[] {
    return [...this.#subjects]
  }

  get waiting(): number {
    return this.#queue.waiting
  }

  needsTurn(subject: Subject): boolean {
    return this.#options.all || (this.#subjects.size > 0 && this.#subjects.has(nameOf(subject)))
  }

  /** One of these asks. Which is sure when they are of one kind; where that cost somebody an answer, all are taken for it. */
  learn(requests: readonly ServerRequest[], isDeclined: boolean): void {
    const { server, log, all, onLearned } = this.#options
    const names = new Set(requests.map(({ method, options: { tool } }) => nameOf({ method, tool })))
    if (all || !(names.size === 1 || isDeclined)) return
    const news = [...names].filter((name) => !this.#subjects.has(name))
    if (news.length === 0) return
    for (const name of news) this.#subjects.add(name)
    const what = `${news.join(', ')} asks back: different agents call it one after the other from now on`
    log.info('pool.ask', `${server}: ${what}`, { server, asks: this.subjects })
    onLearned(this.subjects)
  }

  /** How long an agent other than this one has been waiting; 0: none does. */
  waitedMs(caller: Caller): number {
    return this.#queue.waitedMs(agentOfCaller(caller) ?? '')
  }

  /** Returns what ends it. */
  async take({ caller }: Call, { signal, timeout }: AcquireOptions): Promise<() => void> {
    const agent = agentOfCaller(caller) ?? `unnamed ${this.#unnamed++}`
    if (!this.#queue.tryEnter(agent)) await this.#wait(agent, signal, timeout)
    return () => this.#queue.exit(agent)
  }

  #wait(agent: string, signal: AbortSignal | undefined, timeout: number): Promise<void> {
    return this.#queue.wait(agent, {
      signal: signal === NEVER_ABORTED ? undefined : signal,
      timeout,
      createAbortError: (reason) => {
        const error = createAbortError(reason)
        return new SwitchboardError(error.code, error.message, { executed: false, cause: error })
      },
      createTimeoutError: () => this.#createTimeoutError(timeout),
    })
  }

  #createTimeoutError(timeout: number): SwitchboardError {
    const { server } = this.#options
    const message = `Waited ${Math.round(timeout)} ms for another agent's call to ${server}, which may ask back`
    return new SwitchboardError('queue_timeout', message, { details: { queue: server } })
  }
}

function nameOf({ method, tool }: Subject): string {
  return tool?.name ?? method
}
