/**
 * One server as the router sees it: a Provider. It puts the parts together (lifecycle, admission, queue, catalog, questions,
 * subscriptions) and owns the way of a call: arguments checked, place taken, server up, sent, answered.
 */
import { type Disposable, Listeners } from '@switchboard/base'
import type { CheckTurn } from '@switchboard/config/arguments'
import {
  type Call,
  type Catalog,
  type CatalogPart,
  type Era,
  type JsonObject,
  type JsonRpcNotification,
  type LogEntry,
  laneOf,
  type Provider,
  type ProviderNaming,
} from '@switchboard/protocol'
import { SwitchboardError, type SwitchboardErrorOptions } from '@switchboard/protocol/errors'
import type { Tool } from '@switchboard/protocol/mcp'
import { createInputRetryParams, isInputRequired } from '@switchboard/protocol/modern'
import { createToolFilter } from '@switchboard/protocol/naming'
import { createLimitedLogger, forCall } from '@switchboard/telemetry'
import type { Learned } from '../cache/catalog-cache.ts'
import { budgetOf, type ServerConfig } from '../config/server-config.ts'
import type { Connection } from '../connection/connection.ts'
import { EnvelopeFactory } from '../connection/envelopes.ts'
import { createAbortError } from '../connection/server-requests.ts'
import type { SupervisionPolicy } from '../supervision/policy.ts'
import type { SupervisorState } from '../supervision/supervision.ts'
import { Admission } from './admission.ts'
import { AskBack, askCaller, createNotAllowedError } from './ask-back.ts'
import { AskingTurns } from './asking-turns.ts'
import { endHop, openHop } from './call-hop.ts'
import { type AcquireOptions, CallQueue } from './call-queue.ts'
import { logStep, logWait, noteAnswer, noteFailure, noteSent } from './call-steps.ts'
import { CatalogKeeper } from './catalog-keeper.ts'
import { explainFailure } from './explain-failure.ts'
import { throwOnHeld } from './held-definitions.ts'
import { IdleWatch } from './idle-watch.ts'
import { Latency } from './latency.ts'
import { Lifecycle } from './lifecycle.ts'
import { mayRepeat } from './may-repeat.ts'
import type { Run } from './run.ts'
import { ServerOutput } from './server-output.ts'
import { createServerStatus, type ServerStatus } from './server-status.ts'
import { Subscriptions } from './subscriptions.ts'
import { TransportChoice } from './transport-choice.ts'
import type { Owner, UpstreamEnvironment } from './upstream-environment.ts'
import { ArgumentValidator } from './validate-arguments.ts'

const MAX_INPUT_ROUNDS = 10
const STDERR_LINES_IN_ERRORS = 10

export interface UpstreamOptions {
  readonly config: ServerConfig
  readonly environment: UpstreamEnvironment
  readonly policy: SupervisionPolicy
  readonly owner?: Owner
  /** Of a private server. */
  readonly ownerName?: string
  /** The places of its calls, where it shares them. */
  readonly places?: CallQueue
  /** What was found out of its era: the one it is spoken to in, or that it speaks the modern one as well. */
  readonly onEra?: (era: Era | 'both') => void
}

export type StateListener = (state: SupervisorState, previous: SupervisorState) => void

export class Upstream implements Provider {
  readonly name: string
  readonly config: ServerConfig
  readonly #environment: UpstreamEnvironment
  readonly #ownerName: string | undefined
  readonly #lifecycle: Lifecycle
  readonly #admission: Admission
  readonly #queue: CallQueue
  readonly #sharedQueue: CallQueue | undefined
  /** Undefined: there is nobody that a question could be confused with, or nothing is asked. */
  readonly #turns: AskingTurns | undefined
  readonly #catalog: CatalogKeeper
  readonly #isAllowed: (tool: string) => boolean
  readonly #subscriptions: Subscriptions
  readonly #validator: ArgumentValidator
  readonly #output: ServerOutput
  readonly #latency = new Latency()
  readonly #updateListeners = new Listeners<[uri: string, params: JsonObject]>()
  readonly #noticeListeners = new Listeners<[method: string, params: JsonObject]>()
  readonly #stateListeners = new Listeners<Parameters<StateListener>>()
  readonly #transport: TransportChoice
  readonly #asking: AskBack
  #learned: Learned
  #saving: Promise<void> | undefined
  #calls = 0
  #failures = 0
  readonly #idle: IdleWatch

  constructor({ config, environment, policy, owner, ownerName, places, onEra }: UpstreamOptions) {
    this.name = config.name
    this.config = config
    this.#environment = environment
    this.#ownerName = ownerName
    const { clock } = environment
    // What a server makes us say is bounded as what it says itself.
    const log = createLimitedLogger(environment.log, { clock })
    this.#output = new ServerOutput(environment.openServerLog(config.name), clock)
    this.#learned = environment.cache.load(config)
    this.#transport = new TransportChoice(config, environment.log, this.#learned.transport)
    this.#queue = places ?? new CallQueue(config.name, config.concurrency, clock)
    this.#sharedQueue = config.queue === undefined ? undefined : environment.findQueue(config.queue)
    const { interactive } = config
    if (owner === undefined && (interactive === true || interactive === 'auto')) {
      this.#turns = new AskingTurns({
        server: config.name,
        clock,
        log,
        all: interactive === true,
        known: this.#learned.asks ?? [],
        onLearned: (asks) => this.#learn({ asks }),
      })
    }
    this.#isAllowed = createToolFilter(config.tools)
    this.#catalog = new CatalogKeeper(this.name, clock, log, this.#learned.catalog, {
      isAllowed: this.#isAllowed,
      judge: (catalog) => environment.judge(config, catalog),
      onSave: (catalog) => this.#learn({ catalog }),
    })
    this.#subscriptions = new Subscriptions(config.name, log, clock, () => this.#lifecycle.requestProbe())
    this.#validator = new ArgumentValidator((tool, reason) =>
      log.warn(
        'pool.schema',
        `${config.name}: the input schema of ${tool.name} is unusable and not checked: ${reason}`,
      ),
    )
    this.#asking = new AskBack({
      server: config.name,
      clock,
      log,
      mayAsk: config.interactive !== false,
      get owner() {
        return owner?.()
      },
      waitedMs: ({ caller }) =>
        Math.max(
          this.#queue.waitedMs(laneOf(caller)),
          this.#sharedQueue?.waitedMs(laneOf(caller)) ?? 0,
          this.#turns?.waitedMs(caller) ?? 0,
        ),
      onAskedBack: (requests, isDeclined) => {
        const { connection } = this.#lifecycle
        // Where a question names its call there is nothing to confuse, and nothing to learn.
        if (connection?.transport.kind !== 'http' && connection?.era !== 'modern')
          this.#turns?.learn(requests, isDeclined)
      },
      hasAskedBefore: (request) => this.#turns?.needsTurn(request) ?? false,
    })
    this.#idle = new IdleWatch({
      clock,
      after: config.idleTimeout,
      // Who subscribed wants to hear of changes, which a stopped server cannot tell.
      isUsed: () => this.#queue.active > 0 || this.#queue.waiting > 0 || this.#subscriptions.uris.length > 0,
      onIdle: () => this.#lifecycle.endIdle(),
    })
    this.#lifecycle = new Lifecycle(
      {
        config,
        policy,
        clock,
        log,
        slots: environment.slots,
        envelopes: new EnvelopeFactory(environment.clientInfo, environment.capabilities, config.interactive !== false),
        clientInfo: environment.clientInfo,
        capabilities: config.interactive === false ? {} : environment.capabilities,
        ...environment.timings,
        createTransport: () => environment.createTransport(config, this.#transport.current),
        knownEra: () => this.#learned.era,
      },
      {
        onReady: (connection, handshake, { catalog, missing }) => {
          this.#learn({ era: handshake.era, ...this.#transport.onReady() })
          this.#catalog.set(catalog, missing)
          this.#catalog.refreshEarly(connection, config.timeout)
          this.#subscriptions.restore(connection, handshake.capabilities, config.timeout)
          onEra?.(handshake.era)
        },
        onStateChange: (state, previous) => this.#onStateChange(state, previous),
        onAttemptFailed: (error) => this.#transport.onFailed(error),
        onLateModern: () => {
          this.#learn({ era: 'modern' })
          onEra?.('both')
        },
        isUnused: () => this.#calls === 0,
        onNotification: (notification, call) => this.#onNotification(notification, call),
        onQuestion: (request, question, signal) =>
          this.#asking.answer(request, question, signal, ({ id }, isPaused) => {
            if (isPaused) this.#lifecycle.connection?.pauseBudget(id)
            else this.#lifecycle.connection?.resumeBudget(id)
          }),
        onOutput: (stream, line) => this.#output.push(stream, line),
        onRefused: ({ code, message }) =>
          log.warn('pool.refused', `${config.name}: a message was thrown away unread: ${message}`, {
            server: config.name,
            code,
          }),
        lastOutput: () => this.#output.lines(STDERR_LINES_IN_ERRORS),
      },
    )
    this.#admission = new Admission(config, clock, this.#lifecycle, () => this.#output.lines(STDERR_LINES_IN_ERRORS))
  }

  get naming(): ProviderNaming {
    const { prefix, rename } = this.config.tools
    return { prefix, rename }
  }

  get state(): SupervisorState {
    return this.#lifecycle.state
  }

  /** Undefined: it was never up. */
  get era(): Era | undefined {
    return this.#lifecycle.handshake?.era
  }

  catalog(): Catalog {
    return this.#catalog.catalog
  }

  /** A person has accepted something of it, or takes it back. */
  judgeAgain(): void {
    this.#catalog.judgeAgain()
  }

  /** The catalog is the last one known, not that of a live server. */
  get stale(): boolean {
    return this.#catalog.stale
  }

  onCatalogChange(listener: (parts: readonly CatalogPart[]) => void): Disposable {
    return this.#catalog.onChange(listener)
  }

  onResourceUpdated(listener: (uri: string, params: JsonObject) => void): Disposable {
    return this.#updateListeners.add(listener)
  }

  onNotice(listener: (method: string, params: JsonObject) => void): Disposable {
    return this.#noticeListeners.add(listener)
  }

  onStateChange(listener: StateListener): Disposable {
    return this.#stateListeners.add(listener)
  }

  /** To a legacy server that runs; a modern one asks anew whenever it wants to know. */
  tellServer(method: string): void {
    if (this.#lifecycle.connection?.era === 'legacy') this.#lifecycle.connection.notify(method)
  }

  start(): void {
    this.#lifecycle.start()
  }

  /** Back to waiting for its first use. */
  rest(): void {
    this.#lifecycle.endIdle()
  }

  restart(): void {
    this.#lifecycle.restart()
  }

  async stop(options?: { force?: boolean }): Promise<void> {
    this.#idle.cancel()
    this.#subscriptions.detach()
    await this.#lifecycle.stop(options)
    // A process that exits right after this must not lose what was learned.
    await this.#saving
  }

  /** A caller is gone for good: what it subscribed to is given up. */
  releaseCaller(caller: string): void {
    this.#subscriptions.release(caller, this.config.timeout)
  }

  async request(method: string, params: JsonObject, call: Call): Promise<JsonObject> {
    const { clock, log } = this.#environment
    const tool = method === 'tools/call' ? this.#catalog.findTool(params.name) : undefined
    const budget = call.timeout ?? budgetOf(this.config, tool?.name, call.defaultTimeout)
    const run: Run = { method, params, call, tool, deadline: clock.now() + budget }
    if (call.signal.aborted) throw this.#explain(createAbortError(call.signal.reason), run, { executed: false })
    throwOnHeld(this.name, run, this.#catalog.catalog.held)
    // Hidden is refused, not just unlisted: whoever guesses the name gets no further.
    if (method === 'tools/call' && tool === undefined && !this.#isAllowed(String(params.name))) {
      throw new SwitchboardError('unknown_tool', `The server ${this.name} has no tool named "${String(params.name)}"`)
    }
    this.#calls++
    try {
      try {
        return await this.#runOnce(run)
      } catch (error) {
        if (mayRepeat(error, run, { retry: this.config.retry, now: clock.now() })) {
          const data = { server: this.name, method }
          forCall(log, call).info('pool.repeat', `${this.name}: repeating ${method} after its server was lost`, data)
        } else if (!(await this.#logIn(error, run))) throw error
        return await this.#runOnce(run)
      }
    } catch (error) {
      this.#failures++
      throw error instanceof SwitchboardError ? this.#explain(error, run) : error
    } finally {
      if (this.state.kind !== 'stopping' && this.state.kind !== 'stopped') this.#idle.begin()
    }
  }

  async #runOnce(run: Run): Promise<JsonObject> {
    // A live catalog is checked at once, before anything is waited for; one that is only remembered, when it is live.
    let checked = false
    if (this.#lifecycle.connection !== undefined) {
      checked = true
      // Nearly always there is nothing to wait for, and then the call is written before anything else gets its turn.
      const checking = this.#check(run, run.tool)
      if (checking !== undefined) await checking
    }
    const lane = laneOf(run.call.caller)
    const needsTurn = this.#turns?.needsTurn(run) === true
    const endTurn = needsTurn || !this.#queue.tryAcquire(lane) ? await this.#waitToEnter(run, lane) : undefined
    const { clock } = this.#environment
    const takenAt = clock.now()
    try {
      if (this.#sharedQueue !== undefined && !this.#sharedQueue.tryAcquire(lane)) {
        logWait(this.#environment, this.name, run.call, 'its turn in a shared queue')
        await this.#sharedQueue.acquire(this.#createWait(run))
      }
      try {
        const connection = this.#lifecycle.connection ?? (await this.#admit(run))
        if (!checked) await this.#check(run, this.#catalog.findTool(run.params.name))
        // Its list may have changed while it was waited for: nobody has seen what would run now.
        throwOnHeld(this.name, run, this.#catalog.catalog.held)
        return await this.#send(connection, run)
      } finally {
        this.#sharedQueue?.release(lane, clock.now() - takenAt)
      }
    } finally {
      this.#queue.release(lane, clock.now() - takenAt)
      endTurn?.()
    }
  }

  /** Until it has its place, and its turn with what asks back. Returns what ends the turn. */
  async #waitToEnter(run: Run, lane: string): Promise<(() => void) | undefined> {
    logWait(this.#environment, this.name, run.call, 'its turn')
    for (;;) {
      const endTurn = this.#turns?.needsTurn(run) ? await this.#turns.take(run.call, this.#createWait(run)) : undefined
      try {
        await this.#queue.acquire(this.#createWait(run))
      } catch (error) {
        endTurn?.()
        throw error
      }
      // That it asks may have been learned while it waited.
      if (endTurn !== undefined || this.#turns?.needsTurn(run) !== true) return endTurn
      this.#queue.release(lane, 0)
    }
  }

  #admit({ call, deadline }: Run): Promise<Connection> {
    logWait(this.#environment, this.name, call, `the server, which is ${this.state.kind}`)
    return this.#admission.admit({ signal: call.signal, deadline })
  }

  #step(call: Call, step: string): void {
    logStep(this.#environment.log, this.name, call, step)
  }

  #createWait({ call, deadline }: Run): AcquireOptions {
    const { signal, caller } = call
    return { signal, timeout: deadline - this.#environment.clock.now(), caller: laneOf(caller) }
  }

  #check(run: Run, tool: Tool | undefined): Promise<void> | undefined {
    if (tool === undefined || run.method !== 'tools/call' || !this.config.validate) return undefined
    const turn = (): CheckTurn => {
      const { caller: lane = '', ...wait } = this.#createWait(run)
      return { ...wait, lane }
    }
    return this.#validator.check(tool, run.params.arguments, turn, run.call.tool)
  }

  async #send(connection: Connection, run: Run): Promise<JsonObject> {
    const { method, call, tool } = run
    const { signal, progress } = call
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') {
      return this.#subscriptions.request(connection, run, Math.max(1, run.deadline - this.#environment.clock.now()))
    }
    const { clock } = this.#environment
    let { params } = run
    for (let round = 0; ; round++) {
      const sentAt = clock.now()
      let result: JsonObject
      const span = call.span && openHop(call.span, call, this.config, { method, params, round, sentAt })
      try {
        const timeout = Math.max(1, Math.round(run.deadline - sentAt))
        noteSent(call, sentAt)
        this.#step(call, round === 0 ? 'sent' : 'sent again, with the answers')
        result = await connection.request(method, params, { timeout, signal, progress, call, tool, span })
      } catch (error) {
        endHop(span, clock.now(), { thrown: error })
        if (error instanceof SwitchboardError && error.code === 'timeout') this.#lifecycle.requestProbe()
        noteFailure(call, error, clock.now())
        this.#step(call, 'failed')
        if (error instanceof SwitchboardError && error.code === 'upstream_error') this.#asking.throwOnLacking(call)
        throw error
      }
      const answeredAt = noteAnswer(call, clock.now())
      endHop(span, answeredAt, result)
      this.#latency.record(answeredAt - sentAt)
      this.#step(call, 'answered')
      // A modern caller answers for itself; for any other the questions are put here and the call is repeated.
      if (connection.era !== 'modern' || !isInputRequired(result) || call.caller.era === 'modern') {
        return this.#asking.judge(call, result)
      }
      if (round === MAX_INPUT_ROUNDS) {
        throw new SwitchboardError('ask_rounds_exceeded', `${method} asked back more than ${MAX_INPUT_ROUNDS} times`)
      }
      if (this.config.interactive === false) throw createNotAllowedError(this.name, method)
      this.#step(call, 'asks back')
      const askedAt = clock.now()
      const answers = result.inputRequests === undefined ? undefined : await askCaller(call, result.inputRequests)
      run.deadline += clock.now() - askedAt
      params = createInputRetryParams(params, answers, result.requestState)
    }
  }

  /** Offered to the person in front of the agent. True: it is done, and the call may be made again. */
  async #logIn(error: unknown, run: Run): Promise<boolean> {
    const { loginOffers, clock } = this.#environment
    const begun = clock.now()
    const isDone = await loginOffers?.offer(this.name, run.call, error)
    run.deadline += clock.now() - begun
    return isDone === true
  }

  #explain(error: SwitchboardError, { method, params }: Run, options?: SwitchboardErrorOptions): SwitchboardError {
    const lastOutput = (): string[] => this.#output.lines(STDERR_LINES_IN_ERRORS)
    return explainFailure(error, { server: this.name, method, params, lastOutput }, options)
  }

  status(): ServerStatus {
    return createServerStatus({
      config: this.config,
      owner: this.#ownerName,
      transport: this.#transport.current,
      lifecycle: this.#lifecycle,
      login: this.#environment.logins?.of(this.config),
      catalog: this.#catalog,
      latency: this.#latency,
      now: this.#environment.clock.now(),
      inFlight: this.#queue.active,
      queued: this.#queue.waiting + (this.#turns?.waiting ?? 0),
      calls: this.#calls,
      failures: this.#failures,
      asks: this.#turns?.subjects ?? [],
      lastStderr: this.#output.lines(),
    })
  }

  #onStateChange(state: SupervisorState, previous: SupervisorState): void {
    if (state.kind !== 'ready' && state.kind !== 'probing' && previous.kind !== 'starting') {
      this.#catalog.markStale()
      this.#subscriptions.detach()
    }
    this.#admission.reconsider()
    this.#stateListeners.notify(state, previous)
  }

  #onNotification(notification: JsonRpcNotification, call: Call | undefined): void {
    const { method, params = {} } = notification
    const part = CatalogKeeper.partOf(method)
    const { connection } = this.#lifecycle
    if (part !== undefined) this.#catalog.refresh(part, connection, this.config.timeout)
    else if (method === 'notifications/resources/updated' && typeof params.uri === 'string') {
      this.#updateListeners.notify(params.uri, params)
    } else if (method === 'notifications/message') {
      if (call?.log !== undefined) call.log(params as unknown as LogEntry)
      else this.#output.note(params)
    } else this.#noticeListeners.notify(method, params)
  }

  #learn(news: Learned): void {
    this.#learned = { ...this.#learned, ...news }
    this.#saving = this.#environment.cache.save(this.config, this.#learned)
  }
}
