/**
 * The events of a session and its children for a tool that drives them itself. Waits end with a stop, with the end of
 * everything, when the time is over, or when the call is cancelled; none decides what becomes of the program.
 */
import type { Disposable } from '@switchboard/base'
import type { DebugSession, SessionEvent } from '../engine/debug-session.ts'

export interface WatchedStop {
  readonly kind: 'stopped'
  readonly session: DebugSession
  readonly threadId: number
  readonly reason: string
  readonly text: string
  readonly breakpointIds: readonly string[]
}

export type WatchOutcome =
  | WatchedStop
  | { readonly kind: 'ended'; readonly exitCode: number | null | undefined; readonly error: Error | undefined }
  | { readonly kind: 'timeout' }

const TAIL_CHARACTERS = 4_000

export class SessionWatch implements Disposable {
  readonly #subscriptions: Disposable[] = []
  readonly #open = new Set<DebugSession>()
  readonly #root: DebugSession
  readonly #onEvent: (event: SessionEvent, session: DebugSession) => void
  #stops: WatchedStop[] = []
  #tail = ''
  #exitCode: number | null | undefined
  #error: Error | undefined
  #wake: () => void = () => undefined

  constructor(session: DebugSession, onEvent: (event: SessionEvent, session: DebugSession) => void = () => undefined) {
    this.#root = session
    this.#onEvent = onEvent
    this.#add(session)
  }

  /** The last that the program printed, logpoints left out. */
  get tail(): string {
    return this.#tail
  }

  get exitCode(): number | null | undefined {
    return this.#exitCode
  }

  /** Stops that came meanwhile are given one by one, oldest first. */
  async next(signal: AbortSignal, timeoutMs: number): Promise<WatchOutcome> {
    const { promise, resolve, reject } = Promise.withResolvers<WatchOutcome>()
    const look = (): void => {
      const found = this.#look()
      if (found !== undefined) resolve(found)
    }
    signal.throwIfAborted()
    const timer = setTimeout(() => resolve({ kind: 'timeout' }), Math.max(0, timeoutMs))
    const onAbort = (): void => reject(signal.reason)
    signal.addEventListener('abort', onAbort, { once: true })
    this.#wake = look
    look()
    try {
      return await promise
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      this.#wake = () => undefined
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions.splice(0)) subscription.dispose()
  }

  #look(): WatchOutcome | undefined {
    const stop = this.#stops.shift()
    if (stop !== undefined) return stop
    return this.#open.size > 0 ? undefined : { kind: 'ended', exitCode: this.#exitCode, error: this.#error }
  }

  #add(session: DebugSession): void {
    this.#open.add(session)
    this.#subscriptions.push(session.onEvent((event) => this.#take(session, event)))
    if (session.isEnded) this.#open.delete(session)
  }

  #take(session: DebugSession, event: SessionEvent): void {
    this.#onEvent(event, session)
    switch (event.type) {
      case 'output':
        if (event.breakpointId === undefined) this.#tail = (this.#tail + event.text).slice(-TAIL_CHARACTERS)
        return
      case 'stopped':
        this.#stops.push({ ...event, kind: 'stopped', session, text: event.text ?? '' })
        break
      case 'continued':
        this.#stops = this.#stops.filter((stop) => stop.session !== session)
        return
      case 'child':
        this.#add(event.session)
        return
      case 'exited':
        if (session === this.#root) this.#exitCode = event.exitCode
        return
      case 'terminated':
        this.#open.delete(session)
        this.#stops = this.#stops.filter((stop) => stop.session !== session)
        if (session === this.#root) this.#error = event.error
        break
      default:
        return
    }
    this.#wake()
  }
}
