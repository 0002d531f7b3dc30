/**
 * Checks that may take long, apart from everything else: on at most two threads, which are started when they are first
 * needed and kept for a while. Callers take turns, so that one whose checks all run into the deadline delays another's by
 * one of them, not by all.
 */
import { FairQueue } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type CheckDeadlines, type CheckOutcome, CheckThread, type SchemaCheck } from './check-thread.ts'

const MAX_THREADS = 2
/** Milliseconds without a check after which a thread is ended. */
const KEPT_MS = 60_000

export interface CheckTurn {
  /** Whose it is. */
  readonly lane: string
  readonly signal?: AbortSignal | undefined
  /** Milliseconds that may be spent on waiting. */
  readonly timeout?: number
}

export class ChecksApart {
  readonly #queue = new FairQueue(MAX_THREADS)
  readonly #idle: CheckThread[] = []
  readonly #options: object
  readonly #deadlines: CheckDeadlines
  #leaving: NodeJS.Timeout | undefined

  /** `options`: of Ajv. */
  constructor(options: object, deadlines: CheckDeadlines) {
    this.#options = options
    this.#deadlines = deadlines
  }

  /** `check` is asked for when it is its turn. Rejects when it never was. */
  async run(check: () => SchemaCheck | CheckOutcome, { lane, signal, timeout }: CheckTurn): Promise<CheckOutcome> {
    if (!this.#queue.tryEnter(lane)) {
      await this.#queue.wait(lane, {
        signal,
        ...(timeout === undefined ? {} : { timeout }),
        createAbortError: createCancelled,
        createTimeoutError: () =>
          new SwitchboardError('queue_timeout', 'The budget ran out before the arguments could be checked'),
      })
    }
    try {
      const wanted = check()
      return 'key' in wanted ? await this.#runOn(this.#take(), wanted) : wanted
    } finally {
      this.#queue.exit(lane)
    }
  }

  async #runOn(thread: CheckThread, check: SchemaCheck): Promise<CheckOutcome> {
    const outcome = await thread.check(check)
    if (!thread.isEnded) this.#idle.push(thread)
    clearTimeout(this.#leaving)
    this.#leaving = setTimeout(() => {
      for (const idle of this.#idle.splice(0)) idle.end()
    }, KEPT_MS).unref()
    return outcome
  }

  #take(): CheckThread {
    // The last one used has the most schemas.
    let thread = this.#idle.pop()
    while (thread?.isEnded === true) thread = this.#idle.pop()
    return thread ?? new CheckThread(this.#options, this.#deadlines)
  }
}

function createCancelled(reason: unknown): Error {
  return reason instanceof SwitchboardError ? reason : new SwitchboardError('cancelled', 'The call was cancelled')
}
