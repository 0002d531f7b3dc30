/**
 * The client's half of the debug adapter protocol: requests with a time limit, events, and requests of the adapter.
 * Owns the matching of answers; knows nothing of sessions. Once the wire is closed every request fails, also later ones.
 * While an evaluation that nobody waits for any more goes on in the program, most adapters answer nothing else, and some
 * break when they are asked: then requests are refused, with what the program is at.
 */
import { DebugError } from '../session/debug-error.ts'
import type { RequestOptions } from '../session/debug-session.ts'
import { type Json, readObject, readString } from './json.ts'
import type { Wire } from './wire.ts'

export interface DapEvent {
  readonly event: string
  readonly body: Json
}

export interface DapClientHandlers {
  onEvent(event: DapEvent): void
  /** What the adapter wants of us; the answer's body, or a rejection. Unknown ones are refused by the client. */
  onReverseRequest?(command: string, args: Json): Promise<Json> | undefined
  onNoise?(text: string): void
  onClosed(reason: string): void
}

/** The adapter understood and refused. */
export class DapRequestError extends Error {
  readonly command: string

  constructor(command: string, message: string) {
    super(message)
    this.name = 'DapRequestError'
    this.command = command
  }
}

export const REQUEST_TIMEOUT_MS = 15_000
/** So long an overdue evaluation may still end before the next request is refused. */
const OVERDUE_PATIENCE_MS = 1_000
/** What ends a session, or lets the program begin, waits for nobody. */
const ALWAYS_SENT: ReadonlySet<string> = new Set(['disconnect', 'terminate', 'configurationDone'])

interface Pending {
  readonly command: string
  resolve(body: Json): void
  reject(error: Error): void
}

interface Overdue {
  readonly expression: string
  readonly since: number
  readonly ended: Promise<void>
  end(): void
}

export class DapClient {
  readonly #wire: Wire
  readonly #handlers: DapClientHandlers
  readonly #pending = new Map<number, Pending>()
  readonly #overdue = new Map<number, Overdue>()
  #sequence = 1
  #closedBecause: string | undefined
  /** The adapter knows the request `cancel`. */
  canCancel = false

  constructor(wire: Wire, handlers: DapClientHandlers) {
    this.#wire = wire
    this.#handlers = handlers
    wire.open({
      onMessage: (message) => this.#dispatch(message),
      onNoise: (text) => handlers.onNoise?.(text),
      onClosed: (reason) => this.#end(reason),
    })
  }

  get isClosed(): boolean {
    return this.#closedBecause !== undefined
  }

  /** Milliseconds without an answer until it fails; 0 waits for ever. `evaluates`: what the program is at meanwhile. */
  async request(
    command: string,
    args: object = {},
    { signal, timeout, evaluates }: RequestOptions & { readonly evaluates?: string } = {},
  ): Promise<Json> {
    if (signal?.aborted) throw cancelled(command)
    const limit = timeout ?? REQUEST_TIMEOUT_MS
    if (this.#overdue.size > 0 && !ALWAYS_SENT.has(command)) await this.#waitForOverdue(command, limit, signal)
    if (this.#closedBecause !== undefined) throw this.#gone(command)
    const sequence = this.#sequence++
    const { promise, resolve, reject } = Promise.withResolvers<Json>()
    this.#pending.set(sequence, { command, resolve, reject })
    const giveUp = (error: Error): void => {
      if (!this.#pending.delete(sequence)) return
      if (evaluates !== undefined) this.#noteOverdue(sequence, evaluates)
      if (this.canCancel) this.#send({ type: 'request', command: 'cancel', arguments: { requestId: sequence } })
      reject(error)
    }
    const late = evaluates === undefined ? timedOut(command, limit) : stillEvaluating(evaluates, limit)
    const timer = limit > 0 ? setTimeout(() => giveUp(late), limit) : undefined
    const onAbort = (): void => giveUp(cancelled(command))
    signal?.addEventListener('abort', onAbort, { once: true })
    this.#wire.send({ seq: sequence, type: 'request', command, arguments: args })
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  close(reason = 'the session has ended'): void {
    this.#wire.close()
    this.#end(reason)
  }

  #noteOverdue(sequence: number, expression: string): void {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#overdue.set(sequence, { expression, since: Date.now(), ended: promise, end: resolve })
  }

  async #waitForOverdue(command: string, limit: number, signal: AbortSignal | undefined): Promise<void> {
    const patience = Math.min(OVERDUE_PATIENCE_MS, limit === 0 ? OVERDUE_PATIENCE_MS : limit)
    const over = Promise.withResolvers<'over'>()
    const onAbort = (): void => over.reject(cancelled(command))
    const timer = setTimeout(() => over.resolve('over'), patience)
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const all = Promise.all([...this.#overdue.values()].map(({ ended }) => ended))
      if ((await Promise.race([all, over.promise])) !== 'over') return
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
    const [first] = this.#overdue.values()
    if (first === undefined) return
    const seconds = ((Date.now() - first.since) / 1000).toFixed(1)
    throw new DebugError(
      'E_OPERATION_FAILED',
      `The program is still evaluating "${first.expression.slice(0, 200)}", ${seconds} s after its time was over. Call again later, or end it with debug_restart or debug_stop`,
    )
  }

  #send(message: object): void {
    this.#wire.send({ seq: this.#sequence++, ...message })
  }

  #dispatch(message: Json): void {
    switch (message.type) {
      case 'response':
        this.#settle(message)
        break
      case 'event':
        this.#handlers.onEvent({ event: readString(message.event) ?? '', body: readObject(message.body) })
        break
      case 'request':
        void this.#answer(message)
    }
  }

  #settle(message: Json): void {
    const sequence = typeof message.request_seq === 'number' ? message.request_seq : -1
    const pending = this.#pending.get(sequence)
    this.#overdue.get(sequence)?.end()
    this.#overdue.delete(sequence)
    // An answer nobody waits for any more: it came after its time, or was cancelled.
    if (pending === undefined) return
    this.#pending.delete(sequence)
    if (message.success === true) pending.resolve(readObject(message.body))
    else pending.reject(new DapRequestError(pending.command, describeFailure(message)))
  }

  async #answer(message: Json): Promise<void> {
    const command = readString(message.command) ?? ''
    const answer = { type: 'response', request_seq: message.seq, command }
    try {
      const handled = this.#handlers.onReverseRequest?.(command, readObject(message.arguments))
      if (handled === undefined) throw new Error(`Switchboard does not know the request ${command}`)
      this.#send({ ...answer, success: true, body: await handled })
    } catch (error) {
      this.#send({ ...answer, success: false, message: error instanceof Error ? error.message : String(error) })
    }
  }

  #end(reason: string): void {
    if (this.#closedBecause !== undefined) return
    this.#closedBecause = reason
    for (const { command, reject } of this.#pending.values()) reject(this.#gone(command))
    this.#pending.clear()
    for (const { end } of this.#overdue.values()) end()
    this.#overdue.clear()
    this.#handlers.onClosed(reason)
  }

  #gone(command: string): DebugError {
    return new DebugError(
      'E_SESSION_TERMINATED',
      `${command} has no answer, because ${this.#closedBecause ?? 'it ended'}.`,
    )
  }
}

function timedOut(command: string, limit: number): DebugError {
  return new DebugError('E_TIMEOUT', `The debug adapter did not answer ${command} within ${limit} ms.`, {
    details: { command, timeout: limit },
  })
}

function stillEvaluating(expression: string, limit: number): DebugError {
  return new DebugError(
    'E_TIMEOUT',
    `"${expression.slice(0, 200)}" is not evaluated after ${limit} ms; the program is still at it, and can do nothing else meanwhile`,
    { details: { timeout: limit } },
  )
}

function cancelled(command: string): DebugError {
  return new DebugError('E_CANCELLED', `${command} was cancelled.`)
}

/** The short `message` is often a mere code word; the long one stands in the body, with its variables beside it. */
function describeFailure(message: Json): string {
  const error = readObject(readObject(message.body).error)
  const variables = readObject(error.variables)
  const long = readString(error.format)?.replace(/\{(_?\w+)\}/g, (whole, name) => readString(variables[name]) ?? whole)
  const short = readString(message.message)
  return long !== undefined && long !== ''
    ? long
    : short !== undefined && short !== ''
      ? short
      : 'refused without a reason'
}
