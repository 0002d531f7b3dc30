/**
 * One server as the router sees it: a Provider. It puts the parts together (lifecycle, admission, queue, catalog, questions,
 * subscriptions) and owns the way of a call: arguments checked, place taken, server up, sent, answered.
 */
import {
  type Call,
  type Catalog,
  type CatalogPart,
  createInputRetryParams,
  createToolFilter,
  type Disposable,
  isInputRequired,
  type JsonObject,
  type JsonRpcNotification,
  type LogEntry,
  type Provider,
  type ProviderNaming,
  SwitchboardError,
  type SwitchboardErrorOptions,
  type Tool,
} from '@switchboard/protocol'
import type { Logger } from '@switchboard/telemetry'
import type { Learned } from '../cache/catalog-cache.ts'
import type { Timer } from '../clock.ts'
import { DEFAULT_CALL_TIMEOUT, type ServerConfig } from '../config/server-config.ts'
import type { Connection } from '../connection/connection.ts'
import { EnvelopeFactory } from '../connection/envelopes.ts'
import { createAbortError } from '../connection/pending-requests.ts'
import type { SupervisionPolicy } from '../supervision/policy.ts'
import type { SupervisorState } from '../supervision/supervision.ts'
import { Admission } from './admission.ts'
import { AskBack, askCaller, createNotAllowedError } from './ask-back.ts'
import { type AcquireOptions, CallQueue } from './call-queue.ts'
import { logStep } from './call-steps.ts'
import { keyOf, laneOf } from './caller-key.ts'
import { CatalogKeeper } from './catalog-keeper.ts'
import { explainFailure } from './explain-failure.ts'
import { Latency } from './latency.ts'
import { Lifecycle } from './lifecycle.ts'
import { Listeners } from './listeners.ts'
import { guessLevel, OutputTail } from './output-tail.ts'
import type { Run } from './run.ts'
import { describeLife, type ServerStatus } from './server-status.ts'
import { Subscriptions } from './subscriptions.ts'
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
}

export type StateListener = (state: SupervisorState, previous: SupervisorState) => void

export class Upstream implements Provider {
  readonly name: string
  readonly config: ServerConfig
  readonly #environment: UpstreamEnvironment
  readonly #ownerName: string | undefined
  readonly #hasOwner: boolean
  readonly #serverLog: Logger
  readonly #lifecycle: Lifecycle
  readonly #admission: Admission
  readonly #queue: CallQueue
  readonly #sharedQueue: CallQueue | undefined
  readonly #catalog: CatalogKeeper
  readonly #isAllowed: (tool: string) => boolean
  readonly #subscriptions: Subscriptions
  readonly #validator: ArgumentValidator
  readonly #output = new OutputTail()
  readonly #latency = new Latency()
  readonly #updateListeners = new Listeners<[uri: string, params: JsonObject]>()
  readonly #noticeListeners = new Listeners<[method: string, params: JsonObject]>()
  readonly #stateListeners = new Listeners<Parameters<StateListener>>()
  #learned: Learned
  #saving: Promise<void> | undefined
  #serialised = false
  /** HTTP+SSE is being tried and has not worked yet. */
  #isTryingSse = false
  #calls = 0
  #failures = 0
  #idleTimer: Timer | undefined

  constructor({ config, environment, policy, owner, ownerName }: UpstreamOptions) {
    this.name = config.name
    this.config = config
    this.#environment = environment
    this.#ownerName = ownerName
    this.#hasOwner = owner !== undefined
    const { clock, log } = environment
    this.#serverLog = environment.openServerLog(config.name)
    this.#learned = environment.cache.load(config)
    this.#queue = new CallQueue(config.name, config.concurrency, clock)
    this.#sharedQueue = config.queue === undefined ? undefined : environment.findQueue(config.queue)
    this.#isAllowed = createToolFilter(config.tools)
    this.#catalog = new CatalogKeeper(config.name, log, this.#learned.catalog, this.#isAllowed, (catalog) =>
      this.#learn({ catalog }),
    )
    this.#subscriptions = new Subscriptions(config.name, log, clock, () => this.#lifecycle.requestProbe())
    this.#validator = new ArgumentValidator((tool, reason) =>
      log.warn(
        'pool.schema',
        `${config.name}: the input schema of ${tool.name} is unusable and not checked: ${reason}`,
      ),
    )
    const asking = new AskBack({
      server: config.name,
      log,
      mayAsk: config.interactive !== false,
      get owner() {
        return owner?.()
      },
      waitedMs: ({ caller }) =>
        Math.max(this.#queue.waitedMs(laneOf(caller)), this.#sharedQueue?.waitedMs(laneOf(caller)) ?? 0),
      onAskedBack: () => this.#onAskedBack(),
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
        createTransport: () => environment.createTransport(config, this.#transport),
        knownEra: () => this.#learned.era,
      },
      {
        onReady: (connection, handshake, catalog) => {
          const era = handshake.alsoModern ? 'modern' : handshake.era
          this.#learn({ era, ...(this.#isTryingSse ? { transport: 'sse' as const } : {}) })
          this.#isTryingSse = false
          this.#catalog.set(catalog)
          this.#subscriptions.restore(connection, handshake.capabilities, config.timeout)
        },
        onStateChange: (state, previous) => this.#onStateChange(state, previous),
        onAttemptFailed: (error) => this.#tryOtherTransport(error),
        onNotification: (notification, call) => this.#onNotification(notification, call),
        onQuestion: (request, origin, signal) =>
          asking.answer(request, origin, signal, (paused) => {
            if (!origin.known) return
            if (paused) this.#lifecycle.connection?.pauseBudget(origin.request.id)
            else this.#lifecycle.connection?.resumeBudget(origin.request.id)
          }),
        onOutput: (stream, line) => this.#onOutput(stream, line),
        lastOutput: () => this.#output.lines(STDERR_LINES_IN_ERRORS),
      },
    )
    this.#admission = new Admission(config, clock, this.#lifecycle, () => this.#output.lines(STDERR_LINES_IN_ERRORS))
    if (config.interactive === true || (config.interactive === 'auto' && this.#learned.asksBack)) this.#serialise()
  }

  get naming(): ProviderNaming {
    const { prefix, rename } = this.config.tools
    return { prefix, rename }
  }

  get #transport(): ServerConfig['type'] {
    return this.#isTryingSse ? 'sse' : (this.#learned.transport ?? this.config.type)
  }

  get state(): SupervisorState {
    return this.#lifecycle.state
  }

  catalog(): Catalog {
    return this.#catalog.catalog
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

  restart(): void {
    this.#lifecycle.restart()
  }

  async stop(options?: { force?: boolean }): Promise<void> {
    this.#idleTimer?.cancel()
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
    const budget = call.timeout ?? this.#budgetOf(tool, call.defaultTimeout)
    const run: Run = { method, params, call, tool, deadline: clock.now() + budget }
    if (call.signal.aborted) throw this.#explain(createAbortError(call.signal.reason), run, { executed: false })
    // Hidden is refused, not just unlisted: whoever guesses the name gets no further.
    if (method === 'tools/call' && tool === undefined && !this.#isAllowed(String(params.name))) {
      throw new SwitchboardError('unknown_tool', `The server ${this.name} has no tool named "${String(params.name)}"`)
    }
    this.#calls++
    try {
      try {
        return await this.#runOnce(run)
      } catch (error) {
        if (!this.#mayRepeat(error, run)) throw error
        const traced = log.child({ traceId: call.traceId })
        traced.info('pool.repeat', `${this.name}: repeating ${method} after its server was lost`, {
          server: this.name,
          method,
        })
        return await this.#runOnce(run)
      }
    } catch (error) {
      this.#failures++
      throw error instanceof SwitchboardError ? this.#explain(error, run) : error
    } finally {
      this.#watchIdle()
    }
  }

  /** A server whose budget was left as it is has none of its own. */
  #budgetOf(tool: Tool | undefined, fallback: number | undefined): number {
    const { timeout, toolTimeouts } = this.config
    const own = tool === undefined ? undefined : toolTimeouts[tool.name]
    return own ?? (timeout === DEFAULT_CALL_TIMEOUT ? (fallback ?? timeout) : timeout)
  }

  async #runOnce(run: Run): Promise<JsonObject> {
    // A live catalog is checked at once, before anything is waited for; one that is only remembered, when it is live.
    let checked = false
    if (this.#lifecycle.connection !== undefined) {
      checked = true
      // Nearly always there is nothing to wait for, and then the call is written before anything else gets its turn.
      const checking = this.#check(run)
      if (checking !== undefined) await checking
    }
    const lane = laneOf(run.call.caller)
    if (!this.#queue.tryAcquire(lane)) {
      this.#step(run.call, 'waits for its turn')
      await this.#queue.acquire(this.#createWait(run))
    }
    const { clock } = this.#environment
    const takenAt = clock.now()
    try {
      if (this.#sharedQueue !== undefined && !this.#sharedQueue.tryAcquire(lane)) {
        this.#step(run.call, 'waits for its turn in a shared queue')
        await this.#sharedQueue.acquire(this.#createWait(run))
      }
      try {
        const connection = this.#lifecycle.connection ?? (await this.#admit(run))
        if (!checked) await this.#check(run)
        return await this.#send(connection, run)
      } finally {
        this.#sharedQueue?.release(lane, clock.now() - takenAt)
      }
    } finally {
      this.#queue.release(lane, clock.now() - takenAt)
    }
  }

  #admit({ call, deadline }: Run): Promise<Connection> {
    this.#step(call, `waits for the server, which is ${this.state.kind}`)
    return this.#admission.admit({ signal: call.signal, deadline })
  }

  #step(call: Call, step: string): void {
    logStep(this.#environment.log, this.name, call, step)
  }

  #createWait({ call, deadline }: Run): AcquireOptions {
    const { signal, caller } = call
    return { signal, timeout: deadline - this.#environment.clock.now(), caller: laneOf(caller) }
  }

  #check(run: Run): Promise<void> | undefined {
    if (run.method !== 'tools/call' || !this.config.validate) return undefined
    const tool = this.#catalog.findTool(run.params.name)
    return tool === undefined ? undefined : this.#validator.check(tool, run.params.arguments)
  }

  async #send(connection: Connection, run: Run): Promise<JsonObject> {
    const { method, call, tool } = run
    if (method === 'resources/subscribe' || method === 'resources/unsubscribe') return this.#subscribe(connection, run)
    const { clock } = this.#environment
    let { params } = run
    for (let round = 0; ; round++) {
      const sentAt = clock.now()
      let result: JsonObject
      try {
        const timeout = Math.max(1, Math.round(run.deadline - sentAt))
        this.#step(call, round === 0 ? 'sent' : 'sent again, with the answers')
        result = await connection.request(method, params, {
          timeout,
          signal: call.signal,
          progress: call.progress,
          call,
          tool,
        })
      } catch (error) {
        if (error instanceof SwitchboardError && error.code === 'timeout') this.#lifecycle.requestProbe()
        this.#step(call, 'failed')
        throw error
      }
      this.#step(call, 'answered')
      this.#latency.record(clock.now() - sentAt)
      // A modern caller answers for itself; for any other the questions are put here and the call is repeated.
      if (connection.era !== 'modern' || !isInputRequired(result) || call.caller.era === 'modern') return result
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

  #subscribe(connection: Connection, { method, params, call, deadline }: Run): Promise<JsonObject> {
    const uri = String(params.uri)
    const caller = keyOf(call.caller)
    const timeout = Math.max(1, deadline - this.#environment.clock.now())
    const send = (): Promise<JsonObject> => connection.request(method, params, { timeout, signal: call.signal, call })
    return method === 'resources/subscribe'
      ? this.#subscriptions.subscribe(uri, caller, send)
      : this.#subscriptions.unsubscribe(uri, caller, send)
  }

  /** A lost call is repeated once by itself where doing it twice does no harm. */
  #mayRepeat(error: unknown, { method, call, tool, deadline }: Run): boolean {
    if (!(error instanceof SwitchboardError) || error.code !== 'server_exited') return false
    if (call.signal.aborted || deadline <= this.#environment.clock.now()) return false
    if (error.executed === false) return true
    if (this.config.retry === 'never') return false
    if (method !== 'tools/call') return true
    return tool?.annotations?.readOnlyHint === true || tool?.annotations?.idempotentHint === true
  }

  #explain(error: SwitchboardError, { method, params }: Run, options?: SwitchboardErrorOptions): SwitchboardError {
    const lastOutput = (): string[] => this.#output.lines(STDERR_LINES_IN_ERRORS)
    return explainFailure(error, { server: this.name, method, params, lastOutput }, options)
  }

  status(): ServerStatus {
    const { state, handshake, connection, pid, opens } = this.#lifecycle
    const life = describeLife(state, this.#environment.clock.now())
    const p50 = this.#latency.percentile(0.5)
    const p95 = this.#latency.percentile(0.95)
    const { tools, resources, prompts } = this.#catalog.catalog
    const { install, shared } = this.config
    return {
      name: this.name,
      ...life,
      stale: this.#catalog.stale,
      transport: this.#transport,
      shared,
      ...(this.#ownerName === undefined ? {} : { owner: this.#ownerName }),
      ...(pid === undefined || state.kind === 'backoff' ? {} : { pid }),
      ...(handshake === undefined ? {} : { era: handshake.era, protocolVersion: handshake.version }),
      ...(handshake?.serverInfo === undefined ? {} : { serverInfo: handshake.serverInfo }),
      restarts: Math.max(0, opens - 1),
      ...(life.state === 'not_installed' && install !== undefined ? { install } : {}),
      inFlight: this.#queue.active,
      queued: this.#queue.waiting,
      calls: this.#calls,
      failures: this.#failures,
      ...(p50 === undefined ? {} : { p50Ms: p50 }),
      ...(p95 === undefined ? {} : { p95Ms: p95 }),
      tools: tools.length,
      resources: resources.length,
      prompts: prompts.length,
      serialised: this.#serialised,
      lastStderr: this.#output.lines(),
      ...(connection === undefined ? {} : { counters: { ...connection.counters } }),
    }
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
    if (part !== undefined && connection !== undefined) this.#catalog.refresh(part, connection, this.config.timeout)
    else if (method === 'notifications/resources/updated' && typeof params.uri === 'string') {
      this.#updateListeners.notify(params.uri, params)
    } else if (method === 'notifications/message') {
      if (call?.log !== undefined) call.log(params as unknown as LogEntry)
      else this.#serverLog.info('server.message', typeof params.data === 'string' ? params.data : 'log message', params)
    } else this.#noticeListeners.notify(method, params)
  }

  #onOutput(stream: 'stdout' | 'stderr', line: string): void {
    if (stream === 'stderr') this.#output.push(line)
    if (stream === 'stderr') this.#serverLog[guessLevel(line)]('server.stderr', line)
    else this.#serverLog.warn('server.stdout', line)
  }

  /** A URL alone does not say whether a server speaks Streamable HTTP or the older HTTP+SSE. */
  #tryOtherTransport(error: SwitchboardError): boolean {
    const { config } = this
    const wasTryingSse = this.#isTryingSse
    // It works no better: the next attempt begins with Streamable HTTP again.
    this.#isTryingSse = false
    if (wasTryingSse || this.#learned.transport !== undefined) return false
    if (config.type !== 'http' || config.typeIsExplicit) return false
    const { status } = error.details
    if (status !== 400 && status !== 404 && status !== 405) return false
    this.#environment.log.info('pool.start', `${this.name}: answers ${status} to Streamable HTTP; trying HTTP+SSE`)
    this.#isTryingSse = true
    return true
  }

  #onAskedBack(): void {
    // Where every question has one owner, or its stream names the call, there is nothing to confuse.
    if (this.#hasOwner || this.#serialised || this.config.interactive !== 'auto') return
    if (this.#lifecycle.connection?.transport.kind === 'http' || this.#lifecycle.connection?.era === 'modern') return
    this.#environment.log.info('pool.ask', `${this.name}: asks back, so its calls are made one by one from now on`)
    this.#learn({ asksBack: true })
    this.#serialise()
  }

  #serialise(): void {
    if (this.#hasOwner) return
    this.#serialised = true
    this.#queue.setLimit(1)
  }

  #learn(news: Learned): void {
    this.#learned = { ...this.#learned, ...news }
    this.#saving = this.#environment.cache.save(this.config, this.#learned)
  }

  /** A lazy server that nobody uses is stopped after its time. */
  #watchIdle(): void {
    const { idleTimeout } = this.config
    const { kind } = this.state
    if (idleTimeout === undefined || kind === 'stopping' || kind === 'stopped') return
    this.#idleTimer?.cancel()
    this.#idleTimer = this.#environment.clock.setTimer(idleTimeout, () => {
      // Who subscribed wants to hear of changes, which a stopped server cannot tell.
      const isUsed = this.#queue.active > 0 || this.#queue.waiting > 0 || this.#subscriptions.uris.length > 0
      if (isUsed) this.#watchIdle()
      else this.#lifecycle.endIdle()
    })
  }
}
