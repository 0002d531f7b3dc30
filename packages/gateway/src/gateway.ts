/**
 * The gateway without its transports: sessions, modern requests, what is announced to whom. A transport hands messages
 * in and carries answers out; everything else happens here.
 */
import { randomUUID } from 'node:crypto'
import type { Clock, Disposable } from '@switchboard/base'
import type { Caller, JsonObject } from '@switchboard/protocol'
import type { Implementation, LoggingLevel } from '@switchboard/protocol/mcp'
import type { Tracer } from '@switchboard/protocol/tracing'
import { type Logger, silentLogger } from '@switchboard/telemetry'
import { type Authorize, type CallReport, Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import { callerKey, type Identity } from './identity.ts'
import type { Channel } from './legacy/channel.ts'
import { DEFAULT_CLIENT_LEVEL, LegacySession } from './legacy/legacy-session.ts'
import { CallLimits, type LimitRules } from './limits/call-limits.ts'
import { ListenStreams } from './modern/listen-streams.ts'
import { ModernEndpoint } from './modern/modern-endpoint.ts'
import { ParkedCalls } from './modern/parked-calls.ts'
import type { Router, RouterEvent } from './router/router.ts'
import type { View } from './router/view.ts'
import { isAsSevere } from './severity.ts'
import { SubscriptionHub } from './subscription-hub.ts'
import { type OnFileLink, ToldResources } from './told-resources.ts'

export interface GatewayOptions {
  readonly router: Router
  readonly serverInfo: Implementation
  readonly log?: Logger
  readonly limits?: Partial<LimitRules>
  /** Milliseconds a call waits for the answers to a question. Default: 10 minutes. */
  readonly parkedTtl?: number
  /** Milliseconds that another caller waits for the place of such a call before that one is given up. Default: 30 s. */
  readonly parkedGrace?: number
  /** Of calls that wait for answers. Default: the machine's. */
  readonly clock?: Clock
  /** A caller is gone for good: whatever is private to it can be stopped. */
  onCallerGone?(caller: string): void
  onCalled?(report: CallReport): void
  /** Asked before every tool call; throws what the caller is told. Absent: nothing is asked. */
  readonly authorize?: Authorize
  /** Asked after an answer by which a tool says that it failed: see `DispatcherOptions`. */
  readonly remark?: DispatcherOptions['remark']
  /** A result held a link to a file of this machine. */
  readonly onFileLink?: OnFileLink | undefined
  /** Opens the span of each request. Absent: nobody records. */
  readonly tracer?: Tracer
  /** What a front tells of its own part of the requests: `FRONT_TIMES_METHOD`. */
  onFrontTimes?(instance: string, params: JsonObject): void
  /** The least severe level that any client wants; at first `info` or below. Legacy servers keep one level for all. */
  onLogLevel?(level: LoggingLevel): void
  /** While servers start of which nothing is known yet: what lists and requests for unknown names wait for. It must not take long. */
  starting?(identity: Identity): Promise<void> | undefined
}

export class Gateway {
  readonly router: Router
  readonly serverInfo: Implementation
  readonly log: Logger
  /** Requests of the modern era. */
  readonly modern: ModernEndpoint
  readonly #options: GatewayOptions
  readonly #dispatcher: Dispatcher
  readonly #limits: CallLimits
  readonly #subscriptions: SubscriptionHub
  readonly #told: ToldResources
  readonly #sessions = new Set<LegacySession>()
  readonly #listens: ListenStreams
  readonly #parked: ParkedCalls
  readonly #routerSubscription: Disposable
  #logLevel: LoggingLevel | undefined

  constructor(options: GatewayOptions) {
    const { router, serverInfo, log = silentLogger, limits, onCalled, authorize, remark, starting } = options
    this.router = router
    this.serverInfo = serverInfo
    this.log = log
    this.#options = options
    this.#told = new ToldResources(options.onFileLink)
    this.#subscriptions = new SubscriptionHub(log)
    this.#limits = new CallLimits({ maxInFlight: 1024, ...limits })
    this.#dispatcher = new Dispatcher({
      router,
      limits: this.#limits,
      subscriptions: this.#subscriptions,
      told: this.#told,
      log,
      ...(onCalled === undefined ? {} : { onCalled }),
      ...(authorize === undefined ? {} : { authorize }),
      ...(remark === undefined ? {} : { remark }),
      ...(starting === undefined ? {} : { starting }),
    })
    this.#listens = new ListenStreams(router, this.#subscriptions, this.#told)
    this.#parked = new ParkedCalls({
      ttl: options.parkedTtl ?? 10 * 60_000,
      ...(options.parkedGrace === undefined ? {} : { grace: options.parkedGrace }),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
    })
    this.modern = new ModernEndpoint({
      dispatcher: this.#dispatcher,
      listens: this.#listens,
      parked: this.#parked,
      serverInfo,
      tracer: options.tracer,
      setLogLevel: (level) => this.#lowerLogLevel(level),
    })
    this.#routerSubscription = router.onDidChange((event) => this.#onRouterEvent(event))
  }

  get sessionCount(): number {
    return this.#sessions.size
  }

  get parkedCount(): number {
    return this.#parked.size
  }

  get listenCount(): number {
    return this.#listens.size
  }

  /** Throws `unknown_profile`. */
  view(identity: Identity): View {
    return this.#dispatcher.view(identity)
  }

  openLegacySession(identity: Identity, channel: Channel, id: string = randomUUID()): LegacySession {
    const session = new LegacySession(
      id,
      identity,
      {
        dispatcher: this.#dispatcher,
        serverInfo: this.serverInfo,
        tracer: this.#options.tracer,
        onClosed: (closed) => this.#onSessionClosed(closed),
        setLogLevel: (level) => this.#lowerLogLevel(level),
        onRootsChanged: (caller) => this.#tellProviders('notifications/roots/list_changed', identity, caller),
      },
      channel,
    )
    this.#sessions.add(session)
    return session
  }

  /** For calls and questions from now on. */
  reconfigure({ limits, parkedTtl }: { limits: Pick<LimitRules, 'rate' | 'maxInFlight'>; parkedTtl: number }): void {
    this.#limits.setRules(limits)
    this.#parked.ttl = parkedTtl
  }

  /** A front has told how long it had some requests. */
  noteFrontTimes({ instance, transport }: Identity, params: JsonObject): void {
    if (transport === 'front' && instance !== undefined) this.#options.onFrontTimes?.(instance, params)
  }

  /** Ends the listen streams of whoever may not be here any longer. */
  endListens(isOver: (identity: Identity) => boolean): void {
    this.#listens.end(isOver)
  }

  /** Ends every session, stream and parked call. Transports are closed by whoever opened them. */
  close(): void {
    this.#routerSubscription.dispose()
    this.#listens.close()
    this.#parked.close()
    for (const session of [...this.#sessions]) session.close('Switchboard is stopping')
  }

  #onSessionClosed(session: LegacySession): void {
    this.#sessions.delete(session)
    this.#subscriptions.release(session.id, this.router.providers())
    const caller = callerKey(session.identity, session.id)
    this.#told.forget(caller)
    this.#options.onCallerGone?.(caller)
  }

  #onRouterEvent(event: RouterEvent): void {
    this.#listens.onRouterEvent(event)
    for (const session of this.#sessions) {
      const { identity } = session
      if (event.type === 'catalog_changed') {
        if (!this.router.concerns(event, identity)) continue
        for (const part of event.parts) session.notify(`notifications/${part}/list_changed`)
      } else if (event.type === 'noticed') {
        if (event.owner !== undefined && event.owner !== callerKey(identity, session.id)) continue
        if (!this.router.concerns(event, identity)) continue
        for (const params of this.#dispatcher.announce(event)) session.hear(event.method, params)
      } else {
        const uri = this.#subscriptions.findSubscribed(event.provider, event.uri, session.id)
        if (uri !== undefined && this.router.hasViewFor(identity))
          session.notify('notifications/resources/updated', { ...event.params, uri })
      }
    }
  }

  #tellProviders(method: string, identity: Identity, caller: Caller): void {
    if (!this.router.hasViewFor(identity)) return
    for (const provider of this.view(identity).providers) provider.notify?.(method, caller)
  }

  /** A client that wants little is served by us leaving the rest out: others never said that they want less than `info`. */
  #lowerLogLevel(wanted: LoggingLevel): void {
    const known = this.#logLevel
    const level = known === undefined && !isAsSevere(DEFAULT_CLIENT_LEVEL, wanted) ? DEFAULT_CLIENT_LEVEL : wanted
    if (known !== undefined && isAsSevere(level, known)) return
    this.#logLevel = level
    this.#options.onLogLevel?.(level)
  }
}
