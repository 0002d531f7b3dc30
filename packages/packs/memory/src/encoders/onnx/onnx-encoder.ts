/**
 * A model on this machine. The runtime computes on the thread that asks it, so it has a thread of its own: nobody else waits. It is
 * started when something is to be encoded for the first time; one that has failed is started anew with the next attempt.
 */
import { Worker } from 'node:worker_threads'
import { type Encoder, EncoderError } from '../encoder.ts'
import { readVectors } from '../read-vectors.ts'
import type { ModelAnswer, ModelRequest, ModelStart, Pooling } from './thread/messages.ts'

export interface OnnxEncoderOptions {
  readonly folder: string
  readonly runtime: string | undefined
  readonly pooling: Pooling
}

type Answered = Extract<ModelAnswer, { vectors: unknown }>

/** Beside a bundle it is a file of its own; else it is where its source is. */
const FROM_SOURCE = import.meta.url.endsWith('.ts')
const PROGRAM = import.meta.url.endsWith('.mjs') ? './model-thread.mjs' : `./thread/main.${FROM_SOURCE ? 'ts' : 'js'}`

export class OnnxEncoder implements Encoder {
  readonly place: string
  readonly #start: ModelStart
  readonly #waiting = new Map<number, PromiseWithResolvers<Answered>>()
  #worker: Worker | undefined
  #lastId = 0

  constructor({ folder, runtime, pooling }: OnnxEncoderOptions) {
    this.place = folder
    this.#start = { folder, runtime, pooling }
  }

  async identify(signal: AbortSignal): Promise<string> {
    return (await this.#ask([], signal)).name
  }

  async encode(texts: readonly string[], signal: AbortSignal): Promise<readonly Float32Array[]> {
    return readVectors((await this.#ask(texts, signal)).vectors, texts.length)
  }

  async close(): Promise<void> {
    await this.#end(new EncoderError('waiting', 'is being closed'))
  }

  async #ask(texts: readonly string[], signal: AbortSignal): Promise<Answered> {
    signal.throwIfAborted()
    const worker = this.#worker ?? this.#startThread()
    const id = ++this.#lastId
    const answer = Promise.withResolvers<Answered>()
    const abort = () => answer.reject(signal.reason)
    signal.addEventListener('abort', abort, { once: true })
    this.#waiting.set(id, answer)
    worker.postMessage({ id, texts } satisfies ModelRequest)
    try {
      return await answer.promise
    } finally {
      signal.removeEventListener('abort', abort)
      this.#waiting.delete(id)
    }
  }

  #startThread(): Worker {
    const worker = new Worker(new URL(PROGRAM, import.meta.url), {
      workerData: this.#start,
      // It needs nothing of what the process was started with, but the way to our sources where it runs from them.
      execArgv: FROM_SOURCE ? ['--conditions=switchboard-source'] : [],
      env: {},
      name: 'memory model',
    })
    worker.on('message', (answer: ModelAnswer) => this.#settle(answer))
    worker.once('error', (error: Error) => this.#end(new EncoderError('failed', `failed (${error.message})`)))
    worker.once('exit', () => {
      if (this.#worker === worker) this.#end(new EncoderError('failed', 'failed: its thread ended'))
    })
    worker.unref()
    this.#worker = worker
    return worker
  }

  #settle(answer: ModelAnswer): void {
    const waiting = this.#waiting.get(answer.id)
    if (!('problem' in answer)) {
      waiting?.resolve(answer)
      return
    }
    const error = new EncoderError(answer.problem, answer.message)
    waiting?.reject(error)
    // What could not be loaded is looked for anew: it may have been installed by then.
    if (answer.problem === 'unusable') this.#end(error)
  }

  async #end(why: EncoderError): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    for (const { reject } of this.#waiting.values()) reject(why)
    await worker?.terminate()
  }
}
