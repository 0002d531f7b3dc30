/**
 * SELECTs of agents, in a process of their own: one that takes too long is ended with it, wherever it was. The process stays for a
 * while after its last query.
 */
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findProgram } from '@switchboard/base'
import { type PipedChild, spawnChild } from '@switchboard/process'
import type { QueryAnswer, QueryOrder } from './messages.ts'

const PROGRAM = findProgram(import.meta.url, { bundled: 'lens-query', source: './program' })
const REST_MS = 60_000

interface Runner {
  readonly child: PipedChild
  answer: ((answer: QueryAnswer) => void) | undefined
}

export class QueryRunner {
  #runner: Runner | undefined
  #last: Promise<unknown> = Promise.resolve()
  #rest: NodeJS.Timeout | undefined
  #gone: Promise<unknown> = Promise.resolve()

  /** One at a time. `timeout`: it was ended. */
  run(
    order: QueryOrder,
    { limitMs, signal }: { limitMs: number; signal: AbortSignal },
  ): Promise<QueryAnswer | 'timeout'> {
    const done = this.#last.then(() => this.#run(order, limitMs, signal))
    this.#last = done.catch(() => undefined)
    return done
  }

  async close(): Promise<void> {
    this.#end()
    await this.#gone
  }

  async #run(order: QueryOrder, limitMs: number, signal: AbortSignal): Promise<QueryAnswer | 'timeout'> {
    signal.throwIfAborted()
    clearTimeout(this.#rest)
    const runner = this.#runner ?? this.#start()
    if ('problem' in runner) return runner
    const { promise, resolve } = Promise.withResolvers<QueryAnswer | 'timeout'>()
    runner.answer = resolve
    runner.child.stdin.write(`${JSON.stringify(order)}\n`)
    const stop = (): void => {
      resolve('timeout')
      this.#end()
    }
    const timer = setTimeout(stop, limitMs)
    signal.addEventListener('abort', stop, { once: true })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      this.#rest = setTimeout(() => this.#end(), REST_MS).unref()
    }
  }

  #start(): Runner | { problem: string } {
    const program = fileURLToPath(PROGRAM)
    const flags = program.endsWith('.ts') ? ['--conditions=switchboard-source'] : []
    const outcome = spawnChild({
      command: process.execPath,
      args: [...flags, program],
      cwd: undefined,
      env: {},
      inheritEnv: false,
    })
    if (!outcome.spawned) return { problem: outcome.problem.message }
    const { child } = outcome
    const runner: Runner = { child, answer: undefined }
    child.stdin.on('error', () => {})
    child.stderr.resume()
    // A query that was answered leaves nothing behind that the process would have to wait for.
    child.unref()
    createInterface({ input: child.stdout }).on('line', (line) => {
      // Written by our own program.
      runner.answer?.(JSON.parse(line) as QueryAnswer)
      runner.answer = undefined
    })
    this.#gone = new Promise((resolve) => {
      child.once('exit', resolve)
      child.once('error', resolve)
    })
    void this.#gone.then(() => {
      if (this.#runner === runner) this.#runner = undefined
      runner.answer?.({ problem: 'The process that runs queries ended' })
    })
    this.#runner = runner
    return runner
  }

  #end(): void {
    clearTimeout(this.#rest)
    this.#runner?.child.kill('SIGKILL')
    this.#runner = undefined
  }
}
