/** Requests and events of the inspector protocol on one pipe. Every request is answered, timed out, cancelled or failed. */
import { DebugError } from '../session/debug-error.ts'
import type { RequestOptions } from '../session/debug-session.ts'
import type { MessagePipe } from './message-pipe.ts'
import type { Events, Methods } from './protocol.ts'

const DEFAULT_TIMEOUT_MS = 15_000
/** So many messages that make no sense, and the other side is no inspector. */
const MOST_GARBAGE = 3

interface Pending {
  readonly method: string
  resolve(result: unknown): void
  reject(error: Error): void
}

export class InspectorClient {
  readonly #pipe: MessagePipe
  readonly #pending = new Map<number, Pending>()
  readonly #listeners = new Map<string, (params: never) => void>()
  readonly #closeListeners = new Set<(reason: string) => void>()
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
    { signal, timeout = DEFAULT_TIMEOUT_MS }: RequestOptions = {},
  ): Promise<Methods[M]['result']> {
    if (this.#closed !== undefined) return Promise.reject(endedError(this.#closed))
    if (signal?.aborted) return Promise.reject(cancelledError())
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abort)
        this.#pending.delete(id)
      }
      const abort = (): void => {
        settle()
        reject(cancelledError())
      }
      const timer = setTimeout(() => {
        settle()
        reject(new DebugError('E_TIMEOUT', `The inspector did not answer ${method} within ${timeout} ms.`))
      }, timeout)
      signal?.addEventListener('abort', abort, { once: true })
      this.#pending.set(id, {
        method,
        // The protocol of the runtime says that this is what the method gives.
        resolve: (result) => {
          settle()
          resolve(result as Methods[M]['result'])
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      })
      this.#pipe.send(JSON.stringify({ id, method, params }))
    })
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
      message = JSON.parse(text)
    } catch {
      message = undefined
    }
    if (typeof message !== 'object' || message === null) {
      this.#countGarbage()
      return
    }
    if ('method' in message && typeof message.method === 'string') {
      const listener = this.#listeners.get(message.method)
      // Listeners are registered by the name of the event, with what the runtime says that it carries.
      listener?.(('params' in message ? message.params : {}) as never)
      return
    }
    if (!('id' in message) || typeof message.id !== 'number') {
      // An error without an id answers something that was no request.
      if (!('error' in message)) this.#countGarbage()
      return
    }
    const pending = this.#pending.get(message.id)
    if (pending === undefined) return
    if ('error' in message) pending.reject(refusal(pending.method, message.error))
    else pending.resolve('result' in message ? message.result : {})
  }

  #countGarbage(): void {
    this.#garbage += 1
    if (this.#garbage < MOST_GARBAGE) return
    this.#pipe.close()
    this.#end('what it sends is not the inspector protocol')
  }

  #failTooLarge(beginning: string): void {
    const id = /^\s*\{\s*"id"\s*:\s*(\d+)/.exec(beginning)?.[1]
    this.#pending.get(Number(id ?? -1))?.reject(
      new DebugError('E_OPERATION_FAILED', 'The answer is larger than 64 MB. Ask for a part of the value.', {
        details: { tooLarge: true },
      }),
    )
  }

  #end(reason: string): void {
    if (this.#closed !== undefined) return
    this.#closed = reason
    for (const pending of [...this.#pending.values()]) pending.reject(endedError(reason))
    for (const listener of this.#closeListeners) listener(reason)
  }
}

export function cancelledError(): DebugError {
  return new DebugError('E_CANCELLED', 'The request was cancelled.')
}

export function endedError(reason: string): DebugError {
  return new DebugError('E_SESSION_TERMINATED', `The program is no longer under the debugger: ${reason}.`)
}

function refusal(method: string, error: unknown): DebugError {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : 'no reason given'
  return new DebugError('E_OPERATION_FAILED', `The inspector refused ${method}: ${message}`, {
    details: { method, message },
  })
}
