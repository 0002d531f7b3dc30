/**
 * Everything one agent debugs: its sessions with their children, which of them it looks at, its breakpoints. A wait ends
 * with a stop, with the end, when its time is over or when it is cancelled; it never decides what becomes of the program.
 */
import { type Clock, Listeners, type Timer } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'
import type { DebugSession, SessionEvent, StartContext } from '../engine/debug-session.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { BreakpointStore, type StoredBreakpoint, toRequest } from './breakpoint-store.ts'
import { ManagedSession, type Stop } from './managed-session.ts'
import type { StartRequest } from './start-request.ts'

export interface DeskOptions {
  readonly owner: string
  readonly clock: Clock
  readonly maxSessions: number
  /** Milliseconds without a call after which a session is ended. */
  readonly idleTimeout: number
  log(message: string, data?: unknown): void
  onEvent(session: ManagedSession, event: SessionEvent): void
}

export type WaitOutcome =
  | { readonly kind: 'stopped'; readonly session: ManagedSession; readonly stop: Stop }
  | { readonly kind: 'ended'; readonly session: ManagedSession }
  | { readonly kind: 'running'; readonly session: ManagedSession | undefined; readonly waitedMs: number }

export interface StopWaitOptions {
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

export interface RunTarget {
  /** Absolute. */
  readonly path: string
  readonly line: number
  readonly condition?: string
}

const MAX_ENDED = 8
/** An engine that does not come to an end is left behind after so long; its guard ends what it started. */
const STOP_LIMIT_MS = 10_000

export class DebugDesk {
  readonly owner: string
  readonly breakpoints = new BreakpointStore()
  /** Of an agent that does not say by itself where it works. */
  workspace: string | undefined
  readonly #options: DeskOptions
  readonly #sessions = new Map<string, ManagedSession>()
  readonly #watchers = new Listeners<[]>()
  readonly #ending = new AbortController()
  readonly #setting = new WeakMap<ManagedSession, Promise<unknown>>()
  #current: ManagedSession | undefined
  #starting = 0
  #count = 0
  #temporaryCount = 0
  #idleTimer: Timer | undefined
  #hide: (() => Promise<void>) | undefined

  constructor(options: DeskOptions) {
    this.#options = options
    this.owner = options.owner
  }

  /** An editor shows its breakpoints. */
  get isShown(): boolean {
    return this.#hide !== undefined
  }

  /** `hide`: takes them out of the editor again, once the agent is gone. */
  showIn(hide: () => Promise<void>): void {
    this.#hide = hide
  }

  /** Also those that have ended lately. */
  get sessions(): readonly ManagedSession[] {
    return [...this.#sessions.values()]
  }

  get live(): readonly ManagedSession[] {
    return this.sessions.filter(({ state }) => state !== 'ended')
  }

  /** The one that calls without a session id are about. */
  get current(): ManagedSession | undefined {
    if (this.#current !== undefined && this.#current.state !== 'ended') return this.#current
    const { live } = this
    return live.find(({ state }) => state === 'stopped') ?? live.at(-1)
  }

  /** Throws E_NO_SESSION. Whoever asks uses it. */
  find(id: string | undefined): ManagedSession {
    const found = id === undefined ? this.current : this.#sessions.get(id)
    if (found !== undefined && found.state !== 'ended') {
      found.lastUsed = this.#options.clock.now()
      return found
    }
    throw new ToolError('E_NO_SESSION', this.#describeMissing(id, found), {
      details: { sessions: this.live.map((session) => session.id) },
    })
  }

  select(session: ManagedSession): void {
    this.#current = session
  }

  treeOf(session: ManagedSession): readonly ManagedSession[] {
    const root = rootOf(session)
    return this.sessions.filter((candidate) => rootOf(candidate) === root)
  }

  /** Held before its first line, with all breakpoints set. `id`: in place of one that was restarted. */
  async start(
    request: StartRequest,
    context: StartContext,
    { paths, id, until }: { paths: WorkspacePaths; id?: string; until?: RunTarget },
  ): Promise<ManagedSession> {
    this.#throwOnFull()
    this.#starting++
    let session: DebugSession
    const signal = AbortSignal.any([context.signal, this.#ending.signal])
    try {
      session = await request.engine.start(request.how, { ...context, signal })
    } finally {
      this.#starting--
    }
    if (signal.aborted) {
      void session.stop({ kill: true })
      throw signal.reason
    }
    const managed = this.#adopt(session, { id: id ?? `s${++this.#count}`, request, paths, parent: undefined })
    if (until !== undefined) this.#addTemporary(managed, until)
    try {
      await this.#prepare(managed)
      await session.run({ signal })
    } catch (error) {
      // A session that never began is nothing that a later call should meet.
      await this.end(managed, { kill: true })
      throw error
    }
    return managed
  }

  /** Of the session's whole tree, or of all. Whatever stop is returned counts as reported. */
  async waitForStop(session: ManagedSession | undefined, { signal, timeoutMs }: StopWaitOptions): Promise<WaitOutcome> {
    signal.throwIfAborted()
    const found = this.#look(session)
    if (found !== undefined) return found
    const { clock } = this.#options
    const begun = clock.now()
    const { promise, resolve, reject } = Promise.withResolvers<WaitOutcome>()
    const check = (): void => {
      const outcome = this.#look(session)
      if (outcome !== undefined) resolve(outcome)
    }
    const onAbort = (): void => reject(signal.reason)
    const timer = clock.setBackgroundTimer(timeoutMs, () =>
      resolve({ kind: 'running', session: session ?? this.current, waitedMs: Math.round(clock.now() - begun) }),
    )
    signal.addEventListener('abort', onAbort, { once: true })
    const watch = this.#watchers.add(check)
    try {
      return await promise
    } finally {
      watch.dispose()
      signal.removeEventListener('abort', onAbort)
      timer.cancel()
    }
  }

  /** Lets a thread that stands go on: `action` tells the engine how. */
  async resume(session: ManagedSession, stop: Stop, action: () => Promise<void>): Promise<void> {
    session.markRunning(stop)
    try {
      await action()
    } catch (error) {
      session.markStopped(stop)
      throw error
    }
  }

  /** For one go: it is gone with the next stop that is reported. */
  async runTo(session: ManagedSession, target: RunTarget): Promise<void> {
    this.#addTemporary(session, target)
    await this.#setFile(target.path, this.treeOf(session))
  }

  /** Tells every session what is wanted in a file now. */
  async syncBreakpoints(path: string): Promise<void> {
    await this.#setFile(path, this.live)
  }

  boundStates(id: string): { readonly session: string; readonly verified: boolean; line?: number; message?: string }[] {
    return this.live.flatMap(({ id: session, bound }) => {
      const state = bound.get(id)
      if (state === undefined) return []
      const { verified, line, message } = state
      return [{ session, verified, ...(line === undefined ? {} : { line }), ...(message ? { message } : {}) }]
    })
  }

  /** The session with its children; resolves when all is gone, or given up on. */
  async end(session: ManagedSession, options: { kill?: boolean } = {}): Promise<void> {
    const tree = [...this.treeOf(session)].reverse().filter((one) => one === session || isBelow(one, session))
    await Promise.all(tree.map((one) => this.#endOne(one, options)))
  }

  /** Everything of this agent; nothing can be started any more. */
  async close(): Promise<void> {
    this.#ending.abort(new ToolError('E_CANCELLED', 'The agent is gone'))
    this.#idleTimer?.cancel()
    await Promise.all(this.live.map((session) => this.#endOne(session, {})))
    await this.#hide?.().catch((error: unknown) => this.#options.log('its breakpoints are still shown', error))
    this.#notify()
  }

  #adopt(
    session: DebugSession,
    rest: { id: string; request: StartRequest | undefined; paths: WorkspacePaths; parent: ManagedSession | undefined },
  ): ManagedSession {
    const managed = new ManagedSession({ session, ...rest })
    managed.lastUsed = this.#options.clock.now()
    this.#sessions.delete(managed.id)
    this.#sessions.set(managed.id, managed)
    if (managed.parent === undefined) this.#current = managed
    session.onEvent((event) => this.#onEvent(managed, event))
    if (session.isEnded) managed.end()
    this.#forgetEnded()
    this.#watchIdle()
    return managed
  }

  #onEvent(managed: ManagedSession, event: SessionEvent): void {
    if (event.type === 'child') this.#adoptChild(managed, event.session)
    managed.handle(event)
    this.#options.onEvent(managed, event)
    this.#notify()
  }

  /** Its engine sets the breakpoints of its parent and lets it run. */
  #adoptChild(parent: ManagedSession, session: DebugSession): void {
    if (this.#ending.signal.aborted) {
      void session.stop({ kill: true })
      return
    }
    const number = this.sessions.filter((candidate) => candidate.parent === parent).length + 1
    this.#adopt(session, { id: `${parent.id}.${number}`, request: undefined, paths: parent.paths, parent })
  }

  #notify(): void {
    this.#watchers.notify()
  }

  #look(session: ManagedSession | undefined): WaitOutcome | undefined {
    const candidates = session === undefined ? this.sessions : this.treeOf(session)
    for (const candidate of candidates) {
      const stop = candidate.unreported
      if (stop === undefined) continue
      candidate.report(stop)
      this.#current = candidate
      this.#clearTemporary(candidate)
      return { kind: 'stopped', session: candidate, stop }
    }
    if (candidates.some(({ state }) => state !== 'ended')) return undefined
    const ended = session === undefined ? candidates.at(-1) : rootOf(session)
    return ended === undefined ? undefined : { kind: 'ended', session: ended }
  }

  #addTemporary(session: ManagedSession, target: RunTarget): void {
    rootOf(session).temporary.set(`until-${++this.#temporaryCount}`, target)
  }

  #clearTemporary(session: ManagedSession): void {
    const root = rootOf(session)
    const { temporary } = root
    root.cleared = new Map(temporary)
    const paths = new Set([...temporary.values()].map(({ path }) => path))
    temporary.clear()
    for (const path of paths) {
      this.#setFile(path, this.treeOf(session)).catch((error: unknown) =>
        this.#options.log('a line that was run to could not be taken back', error),
      )
    }
  }

  async #prepare(managed: ManagedSession): Promise<void> {
    const { session, request } = managed
    const files = new Set([...this.breakpoints.files(), ...[...managed.temporary.values()].map(({ path }) => path)])
    const { exceptions } = session.capabilities
    const wanted = request?.exceptions ?? (exceptions.includes('uncaught') ? 'uncaught' : 'none')
    const hasMode = wanted !== 'none' || exceptions.includes('none')
    await Promise.all([
      ...[...files].map((path) => this.#setFile(path, [managed])),
      ...(hasMode ? [session.setExceptionMode(wanted)] : []),
    ])
  }

  async #setFile(path: string, sessions: readonly ManagedSession[]): Promise<void> {
    await Promise.all(
      sessions.map((managed) => {
        // One after the other: the last wish is the one that holds.
        const done = (this.#setting.get(managed) ?? Promise.resolve()).then(() => this.#setFileIn(path, managed))
        this.#setting.set(
          managed,
          done.catch(() => undefined),
        )
        return done
      }),
    )
  }

  async #setFileIn(path: string, managed: ManagedSession): Promise<void> {
    if (managed.state === 'ended') return
    const temporary = [...rootOf(managed).temporary].flatMap(([id, target]) =>
      target.path === path ? [{ id, ...target }] : [],
    )
    // A line that is run to stops in any case, whatever condition the breakpoint there has.
    const isTaken = ({ line }: StoredBreakpoint): boolean => temporary.some((target) => target.line === line)
    const stored = this.breakpoints.of(path).filter((breakpoint) => !isTaken(breakpoint))
    try {
      const states = await managed.session.setBreakpoints(path, [...stored, ...temporary].map(toRequest))
      for (const state of states) managed.bound.set(state.id, state)
    } catch (error) {
      // One that ended meanwhile needs none any more.
      if (!managed.session.isEnded) throw error
    }
  }

  async #endOne(managed: ManagedSession, options: { kill?: boolean }): Promise<void> {
    if (managed.state === 'ended') return
    managed.isStopped = true
    const limit = Promise.withResolvers<void>()
    const timer = this.#options.clock.setBackgroundTimer(STOP_LIMIT_MS, limit.resolve)
    try {
      await Promise.race([managed.session.stop(options), limit.promise])
    } catch (error) {
      this.#options.log(`the session ${managed.id} did not stop as it should`, error)
    } finally {
      timer.cancel()
    }
    managed.end()
    this.#notify()
  }

  #throwOnFull(): void {
    this.#ending.signal.throwIfAborted()
    const { maxSessions } = this.#options
    const roots = this.live.filter(({ parent }) => parent === undefined)
    if (roots.length + this.#starting < maxSessions) return
    throw new ToolError('E_CAPACITY', `${maxSessions} debug sessions are open already`, {
      details: { sessions: roots.map(({ id }) => id) },
    })
  }

  #forgetEnded(): void {
    const ended = this.sessions.filter(({ state }) => state === 'ended')
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_ENDED))) this.#sessions.delete(id)
  }

  #describeMissing(id: string | undefined, ended: ManagedSession | undefined): string {
    const { live } = this
    const others = live.length === 0 ? '' : `; there are ${live.map((session) => session.id).join(', ')}`
    if (id !== undefined && ended === undefined) return `There is no debug session ${id}${others}`
    const last = ended ?? this.sessions.at(-1)
    if (last?.ending === undefined) return 'No debug session is active'
    return `No debug session is active: ${last.id} has ended${describeExit(last)}${others}`
  }

  #watchIdle(): void {
    if (this.#idleTimer !== undefined) return
    const { clock, idleTimeout } = this.#options
    const look = (): void => {
      this.#idleTimer = undefined
      const roots = this.live.filter(({ parent }) => parent === undefined)
      const now = clock.now()
      for (const root of roots) {
        const used = Math.max(...this.treeOf(root).map(({ lastUsed }) => lastUsed))
        if (now - used < idleTimeout) continue
        this.#options.log(`the session ${root.id} is ended: nobody has used it for ${idleTimeout} ms`)
        void this.end(root)
      }
      if (this.live.length > 0) this.#watchIdle()
    }
    this.#idleTimer = clock.setBackgroundTimer(Math.max(1_000, idleTimeout / 4), look)
  }
}

export function rootOf(session: ManagedSession): ManagedSession {
  return session.parent === undefined ? session : rootOf(session.parent)
}

function isBelow(session: ManagedSession, ancestor: ManagedSession): boolean {
  return session.parent !== undefined && (session.parent === ancestor || isBelow(session.parent, ancestor))
}

export function describeExit({ ending, isStopped }: ManagedSession): string {
  if (isStopped) return ' (it was stopped)'
  if (ending?.error !== undefined) return `: ${ending.error.message}`
  if (ending?.signal !== undefined) return ` by ${ending.signal}`
  return typeof ending?.exitCode === 'number' ? ` with exit code ${ending.exitCode}` : ''
}
