/**
 * Logins of people at remote servers. One at a time for each server: whoever wants the same joins it, in a terminal, an agent or
 * the dashboard, and all hear of its end. It ends when nobody waits for it any more.
 */
import { errorMessage } from '@switchboard/base'
import type { LoginOutcome, LoginVisit, ServerLogin } from '@switchboard/pool'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'
import { CallbackListener } from './callback-listener.ts'
import type { CallbackVerdict } from './callback-page.ts'

export interface LoginServiceOptions {
  /** Throws what speaks against it. */
  login(server: string): ServerLogin
  /** Somebody came or left: what it offers may be another. */
  restart(server: string): void
  readonly log: Logger
  /** Milliseconds. */
  readonly limit?: number
}

/** A person may take their time, but not for ever. */
const LIMIT_MS = 10 * 60_000

interface Visit {
  readonly begun: Promise<Omit<LoginVisit, 'leave'>>
  readonly over: AbortController
  waiting: number
}

export class LoginService {
  readonly #options: LoginServiceOptions
  readonly #visits = new Map<string, Visit>()

  constructor(options: LoginServiceOptions) {
    this.#options = options
  }

  /** Begins a login, or joins it. Rejects with `login_failed`. */
  async join(server: string, signal: AbortSignal): Promise<LoginVisit> {
    signal.throwIfAborted()
    const visit = this.#visits.get(server) ?? this.#begin(server)
    visit.waiting += 1
    let hasLeft = false
    const leave = (): void => {
      if (hasLeft) return
      hasLeft = true
      visit.waiting -= 1
      if (visit.waiting === 0)
        visit.over.abort(new SwitchboardError('cancelled', 'Nobody waits for the login any more'))
    }
    try {
      return { ...(await untilAborted(visit.begun, signal)), leave }
    } catch (error) {
      leave()
      throw error
    }
  }

  async logOut(server: string, signal: AbortSignal): Promise<LoginOutcome> {
    const outcome = await this.#options.login(server).logOut(signal)
    this.#options.log.info('login.out', `${server}: logged out`, { server, ...outcome })
    if (outcome.wasLoggedIn) this.#restart(server)
    return outcome
  }

  async close(): Promise<void> {
    const visits = [...this.#visits.values()]
    for (const { over } of visits) over.abort(new SwitchboardError('shutting_down', 'Switchboard is stopping'))
    await Promise.allSettled(visits.map(({ begun }) => begun.then(({ done }) => done)))
  }

  #begin(server: string): Visit {
    const over = new AbortController()
    const begun = this.#open(server, over.signal)
    const visit: Visit = { begun, over, waiting: 0 }
    this.#visits.set(server, visit)
    const forget = (): void => {
      if (this.#visits.get(server) === visit) this.#visits.delete(server)
    }
    begun.then(({ done }) => done).then(forget, forget)
    return visit
  }

  async #open(server: string, signal: AbortSignal): Promise<Omit<LoginVisit, 'leave'>> {
    const { log, limit = LIMIT_MS } = this.#options
    const login = this.#options.login(server)
    const done = Promise.withResolvers<void>()
    // Whoever waits hears of it; that nobody did is no error of its own.
    done.promise.catch(() => {})
    let judge = async (_answer: URLSearchParams): Promise<CallbackVerdict> => ({ kind: 'unknown' })
    const place = await login.findPlace()
    const listener = await CallbackListener.open({ ...place, onAnswer: (answer) => judge(answer) })
    const timer = setTimeout(() => {
      done.reject(new SwitchboardError('login_failed', `Nobody finished the login within ${limit / 60_000} minutes`))
    }, limit)
    const onAbort = (): void => done.reject(signal.reason)
    signal.addEventListener('abort', onAbort)
    const end = async (): Promise<void> => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      await listener.close()
    }
    try {
      signal.throwIfAborted()
      const attempt = await login.begin(listener.redirectUri, signal)
      let isAnswered = false
      judge = async (answer) => {
        // A code is good for once, so a page that is loaded again is no second answer.
        if (isAnswered || !attempt.isOurs(answer)) return { kind: 'unknown' }
        isAnswered = true
        try {
          await login.keep(await attempt.finish(answer, signal))
          log.info('login.in', `${server}: logged in`, { server, issuer: attempt.issuer })
          this.#restart(server)
          done.resolve()
          return { kind: 'done', server }
        } catch (error) {
          done.reject(error)
          return { kind: 'failed', server, why: errorMessage(error) }
        }
      }
      const over = done.promise.finally(end)
      over.catch(() => {})
      return { url: attempt.authorizationUrl, issuer: attempt.issuer, done: over }
    } catch (error) {
      await end()
      throw error
    }
  }

  #restart(server: string): void {
    try {
      this.#options.restart(server)
    } catch (error) {
      // Disabled, or gone from the configuration meanwhile.
      this.#options.log.debug('login.restart', `${server}: not started again: ${errorMessage(error)}`, { server })
    }
  }
}

async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const onAbort = (): void => aborted.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  if (signal.aborted) onAbort()
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** For whoever has to say how it went. Rejects with what ended the login, or the waiting. */
export async function waitForLogin({ done }: LoginVisit, signal: AbortSignal): Promise<void> {
  await untilAborted(done, signal)
}
