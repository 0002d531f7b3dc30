/**
 * A thread that reads, hashes and parses, so that nobody's event loop does. Its owner ends it: then its grammars and all their
 * memory are gone.
 *
 * 1. One scan at a time.
 * 2. A scan that is stopped resolves at once with what is known by then; the thread is ended for it, wherever it was.
 * 3. Batches are given one after the other; the next one is made only a little ahead.
 */
import { Worker } from 'node:worker_threads'
import { errorMessage } from '@switchboard/base'
import type { KnownFile, ScanBatch, ScanOutcome, ScanTask, SourceNews, SourceOrder, SourceStart } from './messages.ts'

/** Beside a bundle it is a file of its own; else it is where its source is. */
const FROM_SOURCE = import.meta.url.endsWith('.ts')
const PROGRAM = import.meta.url.endsWith('.mjs') ? './source-thread.mjs' : `./main.${FROM_SOURCE ? 'ts' : 'js'}`

/** The thread itself has failed: not a file, and not who takes what it reads. */
export class SourceError extends Error {
  constructor(root: string, why: string) {
    super(`Reading ${root} failed: ${why}`)
    this.name = 'SourceError'
  }
}

export interface ScanHooks {
  /** What is known of the folder, in portions. */
  known(): AsyncIterable<readonly KnownFile[]>
  /** The next batch waits for it. What it throws ends the scan. */
  onBatch(batch: ScanBatch): Promise<void>
  readonly signal: AbortSignal
}

export class SourceThread {
  readonly #worker: Worker
  readonly #stop = new SharedArrayBuffer(4)
  readonly #gone: Promise<string>
  #onNews: ((news: SourceNews) => void) | undefined

  constructor() {
    const start: SourceStart = { stop: this.#stop }
    this.#worker = new Worker(new URL(PROGRAM, import.meta.url), {
      workerData: start,
      // It needs nothing of what the process was started with, but the way to our sources where it runs from them.
      execArgv: FROM_SOURCE ? ['--conditions=switchboard-source'] : [],
      env: {},
      name: 'source',
      // Whatever a repository holds: this thread fails then, and not the daemon.
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    })
    this.#gone = new Promise((resolve) => {
      this.#worker.once('error', (error) => resolve(errorMessage(error)))
      this.#worker.once('exit', () => resolve('its thread ended'))
    })
    this.#worker.on('message', (news: SourceNews) => this.#onNews?.(news))
  }

  /** Undefined: it was stopped. */
  async scan(task: ScanTask, { known, onBatch, signal }: ScanHooks): Promise<ScanOutcome | undefined> {
    const ended = Promise.withResolvers<ScanOutcome | undefined>()
    // Nobody may be waiting when the thread ends.
    ended.promise.catch(() => {})
    const onAbort = (): void => {
      Atomics.store(new Int32Array(this.#stop), 0, 1)
      ended.resolve(undefined)
    }
    void this.#gone.then((why) => ended.reject(new SourceError(task.root, why)))
    // One after the other, and none after it was stopped.
    let last = Promise.resolve()
    const take = async (batch: ScanBatch): Promise<void> => {
      if (signal.aborted) return
      await onBatch(batch)
      this.#tell({ type: 'taken' })
    }
    this.#onNews = (news) => {
      if (news.type === 'failed') ended.reject(new SourceError(task.root, news.message))
      else if (news.type === 'done') void last.then(() => ended.resolve(news.outcome))
      else last = last.then(() => take(news.batch)).catch((error: unknown) => ended.reject(error))
    }
    signal.addEventListener('abort', onAbort, { once: true })
    try {
      if (signal.aborted) return undefined
      this.#tell({ type: 'scan', task })
      for await (const files of known()) this.#tell({ type: 'known', files })
      this.#tell({ type: 'go' })
      const outcome = await ended.promise
      // What was being stored is stored.
      await last
      return outcome
    } finally {
      signal.removeEventListener('abort', onAbort)
      this.#onNews = undefined
    }
  }

  /** Resolves when it is gone. */
  async end(): Promise<void> {
    Atomics.store(new Int32Array(this.#stop), 0, 1)
    await this.#worker.terminate()
  }

  #tell(order: SourceOrder): void {
    this.#worker.postMessage(order)
  }
}
