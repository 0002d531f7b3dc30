/** Requests and events of the inspector protocol on one pipe. Every request is answered, timed out, cancelled or failed. */
import { Listeners, PendingRequests } from '@switchboard/base'
import { parsePlainJson } from '@switchboard/protocol/framing'
import { ToolError } from '@switchboard/toolkit'
import type { EngineRequestOptions } from '../engine/debug-session.ts'
import type { MessagePipe } from './message-pipe.ts'
import type { Events, Methods } from './protocol.ts'

const DEFAULT_TIMEOUT_MS = 15_000
/** So many messages that make no sense, and the other side is no inspector. */
const MOST_GARBAGE = 3

export class InspectorClient {
  readonly #pipe: MessagePipe
  readonly #pending = new PendingRequests<unknown>({
    createTimeoutError: ({ method, options: { timeout } }) =>
      new ToolError('E_TIMEOUT', `The inspector did not answer ${method} within ${timeout} ms.`),
    createAbortError: cancelledError,
  })
  readonly #listeners = new Map<string, (params: never) => void>()
  readonly #closeListeners = new Listeners<[reason: string]>()
  #lastId = 0
  #garbage = 0
  #closed: string | undefined

  constructor(pipe: MessagePipe) {
    this.#pipe = pipe
    pipe.listen({
      message: (text) => this.#receive(text),
      tooLarge: (beginning) => this.#failTooLarge(beginning),
      close: (reason) => this.#end(reason),
    })
  }

  get isClosed(): boolean {
    return this.#closed !== undefined
  }

  on<E extends keyof Events>(event: E, listener: (params: Events[E]) => void): void {
    this.#listeners.set(event, listener)
  }

  onClose(listener: (reason: string) => void): void {
    this.#closeListeners.add(listener)
  }

  request<M extends keyof Methods>(
    method: M,
    params: Methods[M]['params'],
    { signal, timeout = DEFAULT_TIMEOUT_MS }: EngineRequestOptions = {},
  ): Promise<Methods[M]['result']> {
    if (this.#closed !== undefined) return Promise.reject(endedError(this.#closed))
    if (signal?.aborted) return Promise.reject(cancelledError())
    const id = ++this.#lastId
    const answer = this.#pending.add(id, method, { timeout, signal })
    this.#pipe.send(JSON.stringify({ id, method, params }))
    this.#pending.watch(id)
    // The protocol of the runtime says that this is what the method gives.
    return answer as Promise<Methods[M]['result']>
  }

  /** For what may fail because the program has just gone. */
  notify<M extends keyof Methods>(method: M, params: Methods[M]['params']): void {
    this.request(method, params).catch(() => {})
  }

  close(): void {
    this.#pipe.close()
    this.#end('the session was closed')
  }

  #receive(text: string): void {
    let message: unknown
    try {
      message = parsePlainJson(text)
    } catch {
      message = undefined
    }
    if (typeof message !== 'object' || message === null) {
      this.#countGarbage()
      return
    }
    if ('method' in message && typeof message.method === 'string') {
      this.#tell(message.method, 'params' in message ? message.params : {})
      return
    }
    if (!('id' in message) || typeof message.id !== 'number') {
      // An error without an id answers something that was no request.
      if (!('error' in message)) this.#countGarbage()
      return
    }
    const pending = this.#pending.take(message.id)
    if (pending === undefined) return
    if ('error' in message) pending.reject(refusal(pending.method, message.error))
    else pending.resolve('result' in message ? message.result : {})
  }

  /** What attaches as a runtime may be any program: an event that is not what its name says is garbage, not our end. */
  #tell(event: string, params: unknown): void {
    try {
      // Listeners are registered by the name of the event, with what the runtime says that it carries.
      this.#listeners.get(event)?.(params as never)
    } catch {
      this.#countGarbage()
    }
  }

  #countGarbage(): void {
    this.#garbage += 1
    if (this.#garbage < MOST_GARBAGE) return
    this.#pipe.close()
    this.#end('what it sends is not the inspector protocol')
  }

  #failTooLarge(beginning: string): void {
    const id = /^\s*\{\s*"id"\s*:\s*(\d+)/.exec(beginning)?.[1]
    this.#pending.take(Number(id ?? -1))?.reject(
      new ToolError('E_OPERATION_FAILED', 'The answer is larger than 64 MB. Ask for a part of the value.', {
        details: { tooLarge: true },
      }),
    )
  }

  #end(reason: string): void {
    if (this.#closed !== undefined) return
    this.#closed = reason
    this.#pending.failAll(() => endedError(reason))
    this.#closeListeners.notify(reason)
  }
}

export function cancelledError(): ToolError {
  return new ToolError('E_CANCELLED', 'The request was cancelled.')
}

export function endedError(reason: string): ToolError {
  return new ToolError('E_SESSION_TERMINATED', `The program is no longer under the debugger: ${reason}.`)
}

function refusal(method: string, error: unknown): ToolError {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : 'no reason given'
  return new ToolError('E_OPERATION_FAILED', `The inspector refused ${method}: ${message}`, {
    details: { method, message },
  })
}
