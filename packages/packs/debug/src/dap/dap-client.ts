/**
 * The client's half of the debug adapter protocol: requests with a time limit, events, and requests of the adapter.
 * Owns the matching of answers; knows nothing of sessions. Once the wire is closed every request fails, also later ones.
 * While an evaluation that nobody waits for any more goes on in the program, most adapters answer nothing else, and some
 * break when they are asked: then requests are refused, with what the program is at.
 */
import { errorMessage, PendingRequests, type RequestLimits } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'
import type { EngineRequestOptions } from '../engine/debug-session.ts'
import { type JsonMembers, readObject, readString } from '../json-values.ts'
import type { Wire } from './wire.ts'

export interface DapEvent {
  readonly event: string
  readonly body: JsonMembers
}

export interface DapClientHandlers {
  onEvent(event: DapEvent): void
  /** What the adapter wants of us; the answer's body, or a rejection. Unknown ones are refused by the client. */
  onReverseRequest?(command: string, args: JsonMembers): Promise<JsonMembers> | undefined
  onNoise?(text: string): void
  onClosed(reason: string): void
}

/** The adapter understood and refused. */
export class DapRequestError extends Error {
  readonly command: string
  /** Where our own extension has refused: a code that agents know, and what to do. */
  readonly told: { readonly code?: string | undefined; readonly hint?: string | undefined }

  constructor(command: string, message: string, told: DapRequestError['told'] = {}) {
    super(message)
    this.name = 'DapRequestError'
    this.command = command
    this.told = told
  }
}

export const REQUEST_TIMEOUT_MS = 15_000
/** So long an overdue evaluation may still end before the next request is refused. */
const OVERDUE_PATIENCE_MS = 1_000
/** What ends a session, or lets the program begin, waits for nobody. */
const ALWAYS_SENT: ReadonlySet<string> = new Set(['disconnect', 'terminate', 'configurationDone'])

/** `evaluates`: what the program is at meanwhile. */
interface PendingOptions extends RequestLimits {
  readonly evaluates: string | undefined
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
  readonly #pending = new PendingRequests<JsonMembers, PendingOptions>({
    createTimeoutError: ({ method, options: { timeout, evaluates } }) =>
      evaluates === undefined ? timedOut(method, timeout) : stillEvaluating(evaluates, timeout),
    createAbortError: ({ method }) => cancelled(method),
    onAbandoned: ({ id, options: { evaluates } }) => {
      if (evaluates !== undefined) this.#noteOverdue(Number(id), evaluates)
      if (this.canCancel) this.#send({ type: 'request', command: 'cancel', arguments: { requestId: id } })
    },
  })
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
    { signal, timeout, evaluates }: EngineRequestOptions & { readonly evaluates?: string } = {},
  ): Promise<JsonMembers> {
    if (signal?.aborted) throw cancelled(command)
    const limit = timeout ?? REQUEST_TIMEOUT_MS
    if (this.#overdue.size > 0 && !ALWAYS_SENT.has(command)) await this.#waitForOverdue(command, limit, signal)
    if (this.#closedBecause !== undefined) throw this.#gone(command)
    const sequence = this.#sequence++
    const budget = limit > 0 ? limit : Number.POSITIVE_INFINITY
    const answer = this.#pending.add(sequence, command, { timeout: budget, signal, evaluates })
    this.#wire.send({ seq: sequence, type: 'request', command, arguments: args })
    this.#pending.watch(sequence)
    return answer
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
    throw new ToolError(
      'E_OPERATION_FAILED',
      `The program is still evaluating "${first.expression.slice(0, 200)}", ${seconds} s after its time was over. Call again later, or end it with debug_stop`,
    )
  }

  #send(message: object): void {
    this.#wire.send({ seq: this.#sequence++, ...message })
  }

  #dispatch(message: JsonMembers): void {
    switch (message.type) {
      case 'response':
        this.#settle(message)
        break
      case 'event':
        this.#tell({ event: readString(message.event) ?? '', body: readObject(message.body) })
        break
      case 'request':
        void this.#answer(message)
    }
  }

  /** A program may stand at the other end: an event that is not what its name says is noise, not our end. */
  #tell(event: DapEvent): void {
    try {
      this.#handlers.onEvent(event)
    } catch (error) {
      this.#handlers.onNoise?.(`the event ${event.event.slice(0, 100)} makes no sense: ${errorMessage(error)}\n`)
    }
  }

  #settle(message: JsonMembers): void {
    const sequence = typeof message.request_seq === 'number' ? message.request_seq : -1
    const pending = this.#pending.take(sequence)
    this.#overdue.get(sequence)?.end()
    this.#overdue.delete(sequence)
    // An answer nobody waits for any more: it came after its time, or was cancelled.
    if (pending === undefined) return
    if (message.success === true) pending.resolve(readObject(message.body))
    else pending.reject(new DapRequestError(pending.method, describeFailure(message), readTold(message)))
  }

  async #answer(message: JsonMembers): Promise<void> {
    const command = readString(message.command) ?? ''
    const answer = { type: 'response', request_seq: message.seq, command }
    try {
      const handled = this.#handlers.onReverseRequest?.(command, readObject(message.arguments))
      if (handled === undefined) throw new Error(`Switchboard does not know the request ${command}`)
      this.#send({ ...answer, success: true, body: await handled })
    } catch (error) {
      this.#send({ ...answer, success: false, message: errorMessage(error) })
    }
  }

  #end(reason: string): void {
    if (this.#closedBecause !== undefined) return
    this.#closedBecause = reason
    this.#pending.failAll(({ method }) => this.#gone(method))
    for (const { end } of this.#overdue.values()) end()
    this.#overdue.clear()
    this.#handlers.onClosed(reason)
  }

  #gone(command: string): ToolError {
    return new ToolError(
      'E_SESSION_TERMINATED',
      `${command} has no answer, because ${this.#closedBecause ?? 'it ended'}.`,
    )
  }
}

function timedOut(command: string, limit: number): ToolError {
  return new ToolError('E_TIMEOUT', `The debug adapter did not answer ${command} within ${limit} ms.`, {
    details: { command, timeout: limit },
  })
}

function stillEvaluating(expression: string, limit: number): ToolError {
  return new ToolError(
    'E_TIMEOUT',
    `"${expression.slice(0, 200)}" is not evaluated after ${limit} ms; the program is still at it, and can do nothing else meanwhile`,
    { details: { timeout: limit } },
  )
}

function cancelled(command: string): ToolError {
  return new ToolError('E_CANCELLED', `${command} was cancelled.`)
}

/** The short `message` is often a mere code word; the long one stands in the body, with its variables beside it. */
function describeFailure(message: JsonMembers): string {
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

function readTold({ body }: JsonMembers): DapRequestError['told'] {
  const { code, hint } = readObject(readObject(body).switchboardError)
  return { code: readString(code), hint: readString(hint) }
}
