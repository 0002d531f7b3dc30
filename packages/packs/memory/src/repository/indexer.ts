/**
 * Which folders are being indexed, and for whom.
 *
 * 1. One run at a time: reading and parsing is work for one thread, and the store has one writer.
 * 2. Who asks for what is being done joins it. A run ends when nobody waits for it any more.
 * 3. A run of the same folder with other wishes waits for the one before.
 */
import { type Clock, FairQueue, type Timer } from '@switchboard/base'
import type { Space } from '@switchboard/store'
import { giveMemoryBack } from './give-memory-back.ts'
import { type IndexOutcome, type IndexProgress, type IndexRequest, IndexRun } from './index-run.ts'

interface Running {
  readonly request: IndexRequest
  readonly outcome: Promise<IndexOutcome>
  readonly controller: AbortController
  readonly listeners: Set<(progress: IndexProgress) => void>
  waiting: number
  progress: IndexProgress | undefined
}

/** From so many on reading them leaves more memory behind than a moment's pause is worth. */
const MANY_FILES = 500
/** Sooner the engine still keeps most of it for a thread that may follow. */
const TIDY_AFTER_MS = 30_000

export class Indexer {
  readonly #space: (name: 'code' | 'files') => Promise<Space>
  readonly #clock: Clock
  readonly #turns = new FairQueue(1)
  readonly #running = new Map<string, Running>()
  #tidying: Timer | undefined

  constructor(space: (name: 'code' | 'files') => Promise<Space>, clock: Clock) {
    this.#space = space
    this.#clock = clock
  }

  /** Resolves with what was done, also when it was stopped. */
  async index(
    request: IndexRequest,
    { signal, onProgress }: { readonly signal: AbortSignal; onProgress(progress: IndexProgress): void },
  ): Promise<IndexOutcome> {
    const key = JSON.stringify([request.root, request.include, request.exclude, request.maxFileSize])
    const dying = this.#running.get(key)
    if (dying?.controller.signal.aborted === true) await dying.outcome.catch(() => {})
    const running = this.#running.get(key) ?? this.#start(key, request)
    running.waiting++
    running.listeners.add(onProgress)
    if (running.progress !== undefined) onProgress(running.progress)
    const left = Promise.withResolvers<never>()
    left.promise.catch(() => {})
    const onAbort = (): void => {
      if (--running.waiting === 0) running.controller.abort(signal.reason)
      // Somebody else has it done: this caller alone goes.
      else left.reject(signal.reason)
    }
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    try {
      return await Promise.race([running.outcome, left.promise])
    } finally {
      signal.removeEventListener('abort', onAbort)
      running.listeners.delete(onProgress)
    }
  }

  /** Of the run that is at work in this project; undefined: none is. */
  progressOf(scope: string): IndexProgress | undefined {
    const running = [...this.#running.values()].find(({ request }) => request.project.scope === scope)
    return running === undefined ? undefined : (running.progress ?? { total: 0, seen: 0, stored: 0 })
  }

  /** Ends all of them; what is stored by then stays. */
  async close(): Promise<void> {
    this.#tidying?.cancel()
    const all = [...this.#running.values()]
    for (const { controller } of all) controller.abort(new Error('Switchboard ends'))
    await Promise.allSettled(all.map(({ outcome }) => outcome))
  }

  #start(key: string, request: IndexRequest): Running {
    const controller = new AbortController()
    const listeners = new Set<(progress: IndexProgress) => void>()
    const running: Running = {
      request,
      controller,
      listeners,
      waiting: 0,
      progress: undefined,
      outcome: this.#run(request, controller.signal, (progress) => {
        running.progress = progress
        for (const listener of listeners) listener(progress)
      }).finally(() => this.#running.delete(key)),
    }
    running.outcome.catch(() => {})
    this.#running.set(key, running)
    return running
  }

  async #run(
    request: IndexRequest,
    signal: AbortSignal,
    onProgress: (progress: IndexProgress) => void,
  ): Promise<IndexOutcome> {
    const owner = request.project.scope
    const createAbortError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)))
    if (!this.#turns.tryEnter(owner)) await this.#turns.wait(owner, { signal, createAbortError })
    try {
      const spaces = { code: await this.#space('code'), files: await this.#space('files') }
      const outcome = await new IndexRun(request, spaces, this.#clock).run(signal, onProgress)
      if (outcome.stored >= MANY_FILES) this.#tidyLater()
      return outcome
    } finally {
      this.#turns.exit(owner)
    }
  }

  #tidyLater(): void {
    this.#tidying?.cancel()
    this.#tidying = this.#clock.setBackgroundTimer(TIDY_AFTER_MS, () => {
      // Where it is not possible, everything is as it was.
      void giveMemoryBack().catch(() => undefined)
    })
  }
}
