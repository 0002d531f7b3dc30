/**
 * Lets a call through to a server that is up, makes it wait for one that is coming up, and refuses it at once with the
 * right code where waiting would be in vain. While a server starts for the first time a call may wait for its
 * whole budget; while it restarts, for `restartWait`.
 */
import type { Clock } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { installOf, type ServerConfig } from '../config/server-config.ts'
import type { Connection } from '../connection/connection.ts'
import { createAbortError } from '../connection/server-requests.ts'
import type { Failure, SupervisorState } from '../supervision/supervision.ts'
import type { Lifecycle } from './lifecycle.ts'

export interface AdmitOptions {
  readonly signal: AbortSignal | undefined
  /** Monotonic. */
  readonly deadline: number
}

interface Waiter {
  readonly since: number
  settle(outcome: Connection | SwitchboardError): void
}

export class Admission {
  readonly #config: ServerConfig
  readonly #clock: Clock
  readonly #lifecycle: Lifecycle
  readonly #lastOutput: () => string[]
  readonly #waiters = new Set<Waiter>()

  constructor(config: ServerConfig, clock: Clock, lifecycle: Lifecycle, lastOutput: () => string[]) {
    this.#config = config
    this.#clock = clock
    this.#lifecycle = lifecycle
    this.#lastOutput = lastOutput
  }

  get waiting(): number {
    return this.#waiters.size
  }

  admit(options: AdmitOptions): Promise<Connection> {
    if (this.#lifecycle.state.kind === 'idle') this.#lifecycle.start()
    const now = this.#clock.now()
    const verdict = this.#judge(this.#lifecycle.state, now, now)
    if (verdict instanceof SwitchboardError) return Promise.reject(verdict)
    if (verdict !== undefined) return Promise.resolve(verdict)
    return this.#wait(options, now)
  }

  /** The server's state has changed: everybody who waits is judged again. */
  reconsider(): void {
    for (const waiter of [...this.#waiters]) {
      const verdict = this.#judge(this.#lifecycle.state, waiter.since, this.#clock.now())
      if (verdict !== undefined) waiter.settle(verdict)
    }
  }

  #wait({ signal, deadline }: AdmitOptions, since: number): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiters.delete(waiter)
        timer.cancel()
        signal?.removeEventListener('abort', onAbort)
      }
      const waiter: Waiter = {
        since,
        settle: (outcome) => {
          leave()
          if (outcome instanceof SwitchboardError) reject(outcome)
          else resolve(outcome)
        },
      }
      const onAbort = (): void => {
        const error = createAbortError(signal?.reason)
        waiter.settle(new SwitchboardError(error.code, error.message, { executed: false, cause: error }))
      }
      const left = deadline - since
      const isFirstStart = this.#isFirstStart(this.#lifecycle.state)
      const patience = isFirstStart ? left : Math.min(this.#config.restartWait, left)
      const timer = this.#clock.setTimer(patience, () => waiter.settle(this.#createInProgressError(this.#clock.now())))
      signal?.addEventListener('abort', onAbort)
      this.#waiters.add(waiter)
      // An abort that came before we listened is not announced again.
      if (signal?.aborted) onAbort()
    })
  }

  /** A connection: go. An error: refused. Undefined: wait. */
  #judge(state: SupervisorState, waitingSince: number, now: number): Connection | SwitchboardError | undefined {
    const { name, restartWait } = this.#config
    const hasWaited = now - waitingSince
    switch (state.kind) {
      case 'ready':
      case 'probing':
        return this.#lifecycle.connection
      case 'starting':
        // The tries of a first start follow each other quickly and are waited through, unless one took long to fail.
        if (state.waiting && state.lastFailure !== undefined && hasWaited > restartWait) {
          return this.#createFailedError(state.lastFailure, now)
        }
        return undefined
      case 'backoff': {
        if (state.failure.reason === 'not-installed') return this.#createNotInstalledError(state.failure)
        // Only a person ends that.
        if (state.failure.reason === 'auth-required') return this.#createLoginError(state.failure)
        if (state.attemptFailed && hasWaited > 0) return this.#createFailedError(state.failure, now)
        if (state.dueAt - now <= restartWait) return undefined
        return state.attemptFailed ? this.#createFailedError(state.failure, now) : this.#createInProgressError(now)
      }
      case 'failed':
        return state.failure.reason === 'not-installed'
          ? this.#createNotInstalledError(state.failure)
          : this.#createFailedError(state.failure, now)
      case 'stopped':
        return new SwitchboardError('server_stopped', `The server ${name} was stopped`)
      case 'stopping':
        return new SwitchboardError('shutting_down', `The server ${name} is being stopped`, { executed: false })
      case 'idle':
        return undefined
    }
  }

  #isFirstStart(state: SupervisorState): boolean {
    return state.kind === 'starting' && state.restart === 0
  }

  #createInProgressError(now: number): SwitchboardError {
    const { state } = this.#lifecycle
    const due = state.kind === 'backoff' ? Math.max(0, state.dueAt - now) : this.#config.restartWait
    const what = this.#isFirstStart(state) ? 'has not finished starting' : 'is being restarted'
    return new SwitchboardError('restart_in_progress', `The server ${this.#config.name} ${what}`, {
      retryAfterMs: Math.ceil(due),
      details: this.#createDetails(),
    })
  }

  #createFailedError(failure: Failure, now: number): SwitchboardError {
    const { state } = this.#lifecycle
    const final = state.kind === 'failed'
    const due = state.kind === 'backoff' ? Math.max(0, state.dueAt - now) : 0
    if (failure.reason === 'auth-required') return this.#createLoginError(failure)
    return new SwitchboardError(
      'restart_failed',
      `The server ${this.#config.name} could not be started: ${failure.message}`,
      {
        retryable: !final,
        ...(final ? {} : { retryAfterMs: Math.ceil(due) }),
        details: { ...this.#createDetails(), reason: failure.reason },
      },
    )
  }

  #createLoginError({ message, hint }: Failure): SwitchboardError {
    const server = this.#config.name
    if (hint === undefined) {
      const wanted = `The server ${server} wants credentials: ${message}`
      return new SwitchboardError('unauthorized_upstream', wanted, { executed: false, details: { server } })
    }
    return new SwitchboardError('unauthorized_upstream', `The server ${server} wants a login: ${message}`, {
      hint,
      executed: false,
      details: { server, login: 'wanted', why: message },
    })
  }

  #createNotInstalledError(failure: Failure): SwitchboardError {
    const { name } = this.#config
    const install = installOf(this.#config)
    return new SwitchboardError('not_installed', `The server ${name} is not installed: ${failure.message}`, {
      ...(install === undefined ? {} : { hint: `Install it with: ${install}` }),
      details: { server: name, ...(install === undefined ? {} : { install }) },
    })
  }

  #createDetails(): Record<string, unknown> {
    return { server: this.#config.name, stderr: this.#lastOutput() }
  }
}
