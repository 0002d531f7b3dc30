/** One thread of the store, and what waits for its answers. */
import { Worker } from 'node:worker_threads'
import { NEVER_ABORTED, PendingRequests } from '@switchboard/base'
import type { ErrorCode } from '@switchboard/protocol/errors'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { FailureKind, OperationInputOf, OperationOutputOf, ThreadAnswer, ThreadRequest } from './messages.ts'

export interface StoreThreadOptions {
  /** What it runs. */
  readonly program: URL
  /** What people call the thread. */
  readonly name: string
  /** What people call that which is kept: a file, or a database. */
  readonly place: string
  /** What the program is given as it starts. */
  readonly start: unknown
  /** Operations that may have been done though nobody was told. */
  readonly writes?: ReadonlySet<string>
  /** Megabytes for what was just made. Default: what the engine thinks right, which in the end is several times as much. */
  readonly youngMB?: number
  /** What it tells without being asked. */
  onNews?(news: unknown): void
}

const CODES: Readonly<Record<FailureKind, ErrorCode>> = {
  busy: 'store_busy' satisfies ErrorCode,
  full: 'store_full' satisfies ErrorCode,
  damaged: 'store_damaged' satisfies ErrorCode,
  newer: 'store_newer' satisfies ErrorCode,
  too_large: 'store_too_large' satisfies ErrorCode,
  unavailable: 'store_unavailable' satisfies ErrorCode,
  uncertain: 'store_uncertain' satisfies ErrorCode,
  no_vectors: 'store_no_vectors' satisfies ErrorCode,
  wrong: 'internal',
  other: 'internal',
}

const NO_WRITES: ReadonlySet<string> = new Set()

/** `O`: each operation with what it is given and what it answers. */
export class StoreThread<O extends object> {
  readonly #worker: Worker
  readonly #place: string
  readonly #pending: PendingRequests<unknown>
  readonly #writes: ReadonlySet<string>
  #lastId = 0
  #ended: string | undefined
  /** Whoever ends it waits until it is gone. */
  #isEnding = false

  constructor({ program, name, place, start, writes = NO_WRITES, youngMB, onNews }: StoreThreadOptions) {
    this.#place = place
    this.#writes = writes
    this.#pending = new PendingRequests<unknown>({
      createTimeoutError: ({ method }) => this.#failed('store_unavailable', `"${method}" was not answered in time`),
      createAbortError: (_request, reason) => (reason instanceof Error ? reason : new Error(String(reason))),
    })
    this.#worker = new Worker(program, {
      workerData: start,
      // It needs nothing of what the process was started with, but the way to our sources where it runs from them.
      execArgv: program.pathname.endsWith('.ts') ? ['--conditions=switchboard-source'] : [],
      env: {},
      ...(youngMB === undefined ? {} : { resourceLimits: { maxYoungGenerationSizeMb: youngMB } }),
      name: `store ${name}`,
    })
    this.#worker.on('message', (answer: ThreadAnswer | { readonly news: unknown }) => {
      if ('news' in answer) onNews?.(answer.news)
      else this.#settle(answer)
    })
    this.#worker.on('error', (error: Error) => this.#end(error.message))
    this.#worker.once('exit', () => this.#end('its thread ended'))
    this.#worker.unref()
  }

  get isAlive(): boolean {
    return this.#ended === undefined
  }

  get waiting(): number {
    return this.#pending.size
  }

  request<N extends keyof O & string>(
    name: N,
    input: OperationInputOf<O, N>,
    signal: AbortSignal = NEVER_ABORTED,
  ): Promise<OperationOutputOf<O, N>> {
    return this.#ask(name, input, signal) as Promise<OperationOutputOf<O, N>>
  }

  /** The thread answers each operation with what `O` says of it. */
  #ask(name: string, input: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    if (this.#ended !== undefined) return Promise.reject(this.#failed('store_unavailable', this.#ended))
    const id = ++this.#lastId
    const answer = this.#pending.add(id, name, { timeout: Number.POSITIVE_INFINITY, signal })
    // While somebody waits, the process does not end.
    this.#worker.ref()
    this.#worker.postMessage({ id, name, input } satisfies ThreadRequest)
    this.#pending.watch(id)
    return answer
  }

  /** Resolves when the thread is gone. */
  async end(): Promise<void> {
    if (this.#ended !== undefined) return
    const gone = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()))
    this.#isEnding = true
    // One that dies meanwhile is gone as well.
    await this.#ask('end', [], NEVER_ABORTED).catch(() => undefined)
    await gone
  }

  #settle(answer: ThreadAnswer): void {
    const request = this.#pending.take(answer.id)
    if (this.#pending.size === 0 && !this.#isEnding) this.#worker.unref()
    if (request === undefined) return
    if ('failure' in answer) request.reject(this.#failed(CODES[answer.failure], answer.message, answer.hint))
    else request.resolve(answer.result)
  }

  #end(why: string): void {
    this.#ended ??= why
    this.#pending.failAll(({ method }) =>
      this.#writes.has(method)
        ? this.#failed('store_uncertain', `${why} before it told whether this was stored`)
        : this.#failed('store_unavailable', why),
    )
  }

  #failed(code: ErrorCode, why: string, hint?: string): SwitchboardError {
    const more = hint === undefined ? {} : { hint }
    return new SwitchboardError(code, `The store ${this.#place}: ${why}`, { details: { store: this.#place }, ...more })
  }
}
