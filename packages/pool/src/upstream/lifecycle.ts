/**
 * Gives the supervisor hands: opens, replaces, probes and closes the connection it decides about. Everything that
 * arrives from a connection that is no longer the current one is ignored.
 */
import { type Clock, type Timer, within } from '@switchboard/base'
import type { Call, Era, JsonObject, JsonRpcNotification, JsonRpcRequest } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { ClientCapabilities, Implementation } from '@switchboard/protocol/mcp'
import { type Logger, maskText } from '@switchboard/telemetry'
import type { ServerConfig } from '../config/server-config.ts'
import { Connection, createLostError } from '../connection/connection.ts'
import type { EnvelopeFactory } from '../connection/envelopes.ts'
import type { AskedQuestion } from '../connection/question-origin.ts'
import { type CatalogReading, readCatalog } from '../connection/read-catalog.ts'
import { changeToModern, type HandshakeOptions, type HandshakeResult, shakeHands } from '../connection/shake-hands.ts'
import type { SupervisionPolicy } from '../supervision/policy.ts'
import type { Failure, SupervisorState } from '../supervision/supervision.ts'
import { type OutwardEffect, Supervisor } from '../supervision/supervisor.ts'
import type { ClosedInfo, UpstreamTransport } from '../transport/transport.ts'
import type { StartSlots } from './start-slots.ts'

export interface LifecycleOptions {
  readonly config: ServerConfig
  readonly policy: SupervisionPolicy
  readonly clock: Clock
  readonly log: Logger
  readonly slots: StartSlots
  readonly envelopes: EnvelopeFactory
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
  readonly eraProbeTimeout: number
  readonly healthProbeTimeout: number
  readonly idleProbeInterval: number
  createTransport(): UpstreamTransport
  /** What is known of its era before this start. */
  knownEra(): Era | undefined
}

export interface LifecycleHandlers {
  onReady(connection: Connection, handshake: HandshakeResult, reading: CatalogReading): void
  onStateChange(state: SupervisorState, previous: SupervisorState): void
  /** It answered the question for its era late: it is modern, whatever it was taken for. */
  onLateModern(): void
  /** Nobody has called it yet, so that nothing is lost with its process. */
  isUnused(): boolean
  /** An attempt failed; returns true when another way of reaching it is worth a try before that counts. */
  onAttemptFailed(error: SwitchboardError): boolean
  onNotification(notification: JsonRpcNotification, call: Call | undefined): void
  onQuestion(request: JsonRpcRequest, question: AskedQuestion, signal: AbortSignal): Promise<JsonObject>
  onOutput(stream: 'stdout' | 'stderr', line: string): void
  /** A message was thrown away unread, for its size or depth. */
  onRefused(error: SwitchboardError): void
  /** The last lines of stderr, for the log of a failure. */
  lastOutput(): string[]
}

export class Lifecycle {
  readonly #options: LifecycleOptions
  readonly #handlers: LifecycleHandlers
  readonly #supervisor: Supervisor
  readonly #closing = new Map<Connection, Promise<void>>()
  #connection: Connection | undefined
  #handshake: HandshakeResult | undefined
  #idleProbe: Timer | undefined
  /** A program that dies of being asked for its era is asked the old way next time. */
  #eraSuspicion: Era | undefined
  /** It was known as modern and given its time: to begin anew for its era would only be slow again. */
  #wasPatient = false
  opens = 0
  /** How many of them were no restarts: the server had forgotten our session. */
  renewals = 0

  constructor(options: LifecycleOptions, handlers: LifecycleHandlers) {
    this.#options = options
    this.#handlers = handlers
    this.#supervisor = new Supervisor(options.policy, options.clock, {
      perform: (effect) => this.#perform(effect),
      onStateChange: (state, previous) => {
        if (state.kind !== 'ready' && state.kind !== 'probing') this.#idleProbe?.cancel()
        this.#handlers.onStateChange(state, previous)
      },
    })
  }

  get state(): SupervisorState {
    return this.#supervisor.state
  }

  /** Only while it can be called. */
  get connection(): Connection | undefined {
    const { kind } = this.#supervisor.state
    return kind === 'ready' || kind === 'probing' ? this.#connection : undefined
  }

  get pid(): number | undefined {
    return this.#connection?.transport.pid
  }

  get handshake(): HandshakeResult | undefined {
    return this.#handshake
  }

  start(): void {
    this.#supervisor.dispatch({ type: 'start_requested' })
  }

  restart(): void {
    this.#supervisor.dispatch({ type: 'restart_requested' })
  }

  requestProbe(): void {
    this.#supervisor.dispatch({ type: 'probe_wanted' })
  }

  endIdle(): void {
    this.#supervisor.dispatch({ type: 'idle_elapsed' })
  }

  async stop({ force = false }: { force?: boolean } = {}): Promise<void> {
    this.#supervisor.dispatch({ type: 'stop_requested' })
    if (force) for (const connection of [...this.#closing.keys()]) void connection.close({ force: true })
    await this.#closed()
  }

  #perform(effect: OutwardEffect): void {
    switch (effect.type) {
      case 'renew':
        this.renewals++
        void this.#replace()
        return
      case 'open':
      case 'replace':
        void this.#replace()
        return
      case 'close':
        void this.#close(effect.report)
        return
      case 'probe':
        if (this.#connection !== undefined) void this.#probe(this.#connection)
        return
      case 'fail_in_flight':
        this.#connection?.failAll((request) => createLostError(request, effect.failure.message))
        return
      case 'log': {
        const { level, event, message, data } = effect
        const stderr = level === 'error' ? this.#handlers.lastOutput() : []
        const full = { server: this.#options.config.name, ...data, ...(stderr.length === 0 ? {} : { stderr }) }
        this.#options.log[level](`pool.${event}`, `${this.#options.config.name}: ${message}`, full)
      }
    }
  }

  #open(): void {
    this.opens++
    const { clock, envelopes } = this.#options
    const ended = Promise.withResolvers<ClosedInfo>()
    const connection: Connection = new Connection(this.#options.createTransport(), clock, envelopes, {
      onNotification: (notification, call) => {
        if (this.#connection === connection) this.#handlers.onNotification(notification, call)
      },
      onQuestion: (request, question, signal) => this.#handlers.onQuestion(request, question, signal),
      onOutput: (stream, line) => this.#handlers.onOutput(stream, line),
      onRefused: (error) => this.#handlers.onRefused(error),
      onBug: (thrown) => this.#logBug(thrown),
      onClosed: (info) => {
        ended.resolve(info)
        if (this.connection === connection)
          this.#supervisor.dispatch({ type: 'transport_closed', failure: toExit(info) })
      },
    })
    this.#connection = connection
    connection.open()
    void this.#attempt(connection, ended.promise)
  }

  #logBug(thrown: unknown): void {
    const { config, log } = this.#options
    const stack = thrown instanceof Error ? thrown.stack : String(thrown)
    log.error('pool.bug', `${config.name}: a message of the server could not be taken in`, {
      server: config.name,
      stack,
    })
  }

  async #attempt(connection: Connection, ended: Promise<ClosedInfo>): Promise<void> {
    const { config, clock } = this.#options
    const overdue = Promise.withResolvers<never>()
    const timer = clock.setTimer(config.initTimeout, () => {
      const message = `no answer to its handshake within ${config.initTimeout} ms`
      overdue.reject(new SwitchboardError('timeout', message))
    })
    let closedInfo: ClosedInfo | undefined
    const closed = ended.then((info) => {
      closedInfo = info
      throw new SwitchboardError('server_exited', info.message, { executed: false })
    })
    try {
      const greeted = await Promise.race([this.#greet(connection), closed, overdue.promise])
      if (this.#connection !== connection || this.state.kind !== 'starting') return
      if (greeted === 'begin anew') {
        void this.#replace()
        return
      }
      const [handshake, reading] = greeted
      this.#handshake = handshake
      this.#handlers.onReady(connection, handshake, reading)
      this.#supervisor.dispatch({ type: 'handshake_succeeded' })
      this.#watchIdle(connection)
      void handshake.late?.then((modern) => (modern === undefined ? undefined : this.#onLateModern(connection)))
    } catch (thrown) {
      if (this.#connection !== connection || this.state.kind !== 'starting') return
      // The exit is the cause; that a request was lost with it is the consequence.
      const info = closedInfo ?? (await Promise.race([ended, Promise.resolve(undefined)]))
      this.#suspectEra(info)
      const error =
        thrown instanceof SwitchboardError
          ? thrown
          : new SwitchboardError('internal', String(thrown), { cause: thrown })
      if (this.#handlers.onAttemptFailed(error)) void this.#replace()
      else this.#supervisor.dispatch({ type: 'attempt_failed', failure: toFailure(error, info) })
    } finally {
      timer.cancel()
      overdue.promise.catch(() => {})
      closed.catch(() => {})
    }
  }

  async #greet(connection: Connection): Promise<[HandshakeResult, CatalogReading] | 'begin anew'> {
    const { config, slots } = this.#options
    const release = await slots.acquire()
    try {
      const options = this.#createHandshakeOptions()
      this.#wasPatient = options.knownEra === 'modern'
      let handshake = await shakeHands(connection, options)
      // Answers mostly keep the order of their questions: a server that was slow to start has answered the probe by now.
      const late = handshake.late === undefined ? undefined : await within(handshake.late, 0)
      if (late !== undefined && isOneProcess(connection)) {
        const changed = await changeToModern(connection, options)
        this.#handlers.onLateModern()
        if (changed === undefined && !this.#wasPatient) return 'begin anew'
        handshake = changed ?? handshake
      }
      return [handshake, await readCatalog(connection, handshake, config.initTimeout)]
    } finally {
      release()
    }
  }

  #createHandshakeOptions(): HandshakeOptions {
    const { config, clientInfo, capabilities, eraProbeTimeout, knownEra } = this.#options
    return {
      clientInfo,
      capabilities,
      timeout: config.initTimeout,
      probeTimeout: eraProbeTimeout,
      era: config.era,
      knownEra: this.#eraSuspicion ?? knownEra(),
    }
  }

  /** After it was up. What it is in the middle of goes on: an answer belongs to its request in either era. */
  async #onLateModern(connection: Connection): Promise<void> {
    this.#handlers.onLateModern()
    if (this.connection !== connection || !isOneProcess(connection)) return
    try {
      const changed = await changeToModern(connection, this.#createHandshakeOptions())
      if (this.connection !== connection) return
      if (changed === undefined) {
        // A process that somebody works with stays as it is; its next start is a modern one.
        if (this.#handlers.isUnused() && !this.#wasPatient) this.restart()
        return
      }
      const reading = await readCatalog(connection, changed, this.#options.config.initTimeout)
      if (this.connection !== connection) return
      this.#handshake = changed
      this.#handlers.onReady(connection, changed, reading)
    } catch {
      // The connection is gone; the next one knows the era.
    }
  }

  #suspectEra(info: ClosedInfo | undefined): void {
    const diedInProbe = info?.reason === 'exit' && this.#options.knownEra() === undefined
    this.#eraSuspicion = diedInProbe && this.#eraSuspicion === undefined ? 'legacy' : undefined
  }

  /** What is still being closed is waited for, so that there are never two processes of one server. */
  async #replace(): Promise<void> {
    const old = this.#connection
    this.#connection = undefined
    if (old !== undefined) void this.#end(old, 'restart')
    // With nothing to wait for it is opened at once: all servers are spawned before the first is waited for.
    if (this.#closing.size > 0) await this.#closed()
    if (this.state.kind === 'starting' && this.#connection === undefined) this.#open()
  }

  async #close(report: boolean): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    if (connection !== undefined) await this.#end(connection, 'stop')
    if (report) this.#supervisor.dispatch({ type: 'closed' })
  }

  async #end(connection: Connection, manner: 'stop' | 'restart'): Promise<void> {
    const closing = connection.close({ manner })
    this.#closing.set(connection, closing)
    try {
      await closing
    } finally {
      this.#closing.delete(connection)
    }
  }

  async #closed(): Promise<void> {
    while (this.#closing.size > 0) await Promise.allSettled(this.#closing.values())
  }

  /** One probe for all who want one: the state machine asks for it only when none is running. */
  async #probe(connection: Connection): Promise<void> {
    const { config, healthProbeTimeout: timeout } = this.#options
    const methods =
      connection.era === 'modern'
        ? ['server/discover']
        : config.healthProbe === 'ping'
          ? ['ping', 'tools/list']
          : ['tools/list']
    for (const method of methods) {
      if (await isAnswered(connection.request(method, {}, { timeout }))) {
        if (this.connection === connection) this.#supervisor.dispatch({ type: 'probe_succeeded' })
        return
      }
    }
    if (this.connection !== connection) return
    const message = `no answer to ${methods.join(', then ')} within ${timeout} ms each`
    this.#supervisor.dispatch({ type: 'probe_failed', failure: { reason: 'probe-failed', message } })
  }

  /** A connection that cannot notice its own end is looked at from time to time. */
  #watchIdle(connection: Connection): void {
    const { clock, idleProbeInterval } = this.#options
    this.#idleProbe?.cancel()
    this.#idleProbe = clock.setTimer(idleProbeInterval, () => {
      if (this.connection !== connection) return
      if (!connection.transport.noticesExit) this.requestProbe()
      this.#watchIdle(connection)
    })
  }
}

/** Over HTTP every request is of its own era, and what an earlier one said binds none. */
function isOneProcess({ transport }: Connection): boolean {
  return transport.kind !== 'http'
}

/** Any answer shows life, an error as well as a result. */
async function isAnswered(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer
    return true
  } catch (error) {
    return error instanceof SwitchboardError && error.code === 'upstream_error'
  }
}

function toExit(info: ClosedInfo): Failure {
  return {
    reason: info.reason === 'session_expired' ? 'session-lost' : 'transport-exit',
    // It may name the command, and is told to agents and on screens.
    message: maskText(info.message),
    ...(info.exitCode === undefined ? {} : { exitCode: info.exitCode }),
    ...(info.exitSignal === undefined ? {} : { exitSignal: info.exitSignal }),
  }
}

function toFailure(error: SwitchboardError, info: ClosedInfo | undefined): Failure {
  if (info?.reason === 'not_installed') return { ...toExit(info), reason: 'not-installed' }
  const cause = info?.cause instanceof SwitchboardError ? info.cause : error
  if (info?.reason === 'auth_required' || cause.code === 'unauthorized_upstream') {
    const { details, hint } = cause
    if (details.login === 'wanted') return { reason: 'auth-required', message: String(details.why), hint }
    return { reason: 'auth-required', message: maskText(info?.message ?? error.message) }
  }
  if (info !== undefined) return { ...toExit(info), reason: 'start-failed' }
  if (error.details.wrongEra !== undefined) return { reason: 'wrong-era', message: maskText(error.message) }
  return { reason: 'start-failed', message: maskText(error.message) }
}
