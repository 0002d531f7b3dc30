/**
 * One debug session as the tools see it: what its engine's events make of it.
 *
 * 1. `stops` has every thread that stands; empty means running. It is cleared before a program is told to go on, so that
 *    a stop that comes at once is never lost.
 * 2. A stop is reported once: whoever waits next gets the oldest one that nobody has heard of.
 * 3. `ended` is the last state; nothing happens after it.
 */
import type { BreakpointState, DebugSession, SessionEvent } from '../engine/debug-session.ts'
import { LocalsMemory } from '../snapshot/locals-memory.ts'
import { KnownSecrets } from '../snapshot/masking.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import type { StartRequest } from './start-request.ts'
import { UnseenOutput } from './unseen-output.ts'

export interface Stop {
  readonly threadId: number
  readonly reason: string
  readonly text?: string
  readonly breakpointIds: readonly string[]
  readonly allThreads: boolean
}

export interface Ending {
  readonly exitCode?: number | null
  readonly signal?: string
  readonly error?: Error
}

export interface ManagedSessionOptions {
  readonly id: string
  readonly session: DebugSession
  readonly paths: WorkspacePaths
  /** Undefined for a child: it is started by its parent. */
  readonly request: StartRequest | undefined
  readonly parent: ManagedSession | undefined
}

export class ManagedSession {
  readonly id: string
  readonly session: DebugSession
  readonly paths: WorkspacePaths
  readonly request: StartRequest | undefined
  readonly parent: ManagedSession | undefined
  readonly memory = new LocalsMemory()
  readonly secrets = new KnownSecrets()
  readonly output = new UnseenOutput()
  readonly bound = new Map<string, BreakpointState>()
  readonly stops = new Map<number, Stop>()
  /** Breakpoints that have stopped it. */
  readonly hits = new Set<string>()
  /** By breakpoint: why its condition failed, until somebody is told. */
  readonly failures = new Map<string, string>()
  /** Milliseconds since 1970, as files have it. */
  readonly startedAt = Date.now()
  /** Lines to run to, set for one go. */
  readonly temporary = new Map<string, { readonly path: string; readonly line: number; readonly condition?: string }>()
  /** Those of the last go: a stop may be at one of them. */
  cleared: ReadonlyMap<string, { readonly line: number; readonly condition?: string }> = new Map()
  readonly #unreported = new Set<Stop>()
  #exit: Ending = {}
  #ending: Ending | undefined
  #currentThread: number | undefined
  /** Somebody ended it: how its program died tells nothing then. */
  isStopped = false
  /** When a call last was about it, on the desk's clock. */
  lastUsed = 0
  /** The frame that the last snapshot was about. */
  shown: { readonly stop: Stop; readonly frameId: number; readonly memoryKey: string } | undefined

  constructor({ id, session, paths, request, parent }: ManagedSessionOptions) {
    this.id = id
    this.session = session
    this.paths = paths
    this.request = request
    this.parent = parent
  }

  get name(): string {
    return this.request?.name ?? this.paths.show(this.session.name)
  }

  get state(): 'running' | 'stopped' | 'ended' {
    if (this.#ending !== undefined) return 'ended'
    return this.stops.size > 0 ? 'stopped' : 'running'
  }

  get ending(): Ending | undefined {
    return this.#ending
  }

  /** The one that stands and was looked at last, else any that stands. */
  get currentStop(): Stop | undefined {
    const [first] = this.stops.values()
    return (this.#currentThread === undefined ? undefined : this.stops.get(this.#currentThread)) ?? first
  }

  /** Of the thread that a call names. Undefined: it runs. */
  stopOf(threadId: number | undefined): Stop | undefined {
    if (threadId === undefined) return this.currentStop
    const own = this.stops.get(threadId)
    if (own !== undefined) return own
    const all = [...this.stops.values()].find(({ allThreads }) => allThreads)
    return all === undefined ? undefined : { ...all, threadId, reason: 'pause', breakpointIds: [] }
  }

  get unreported(): Stop | undefined {
    const [first] = this.#unreported
    return first
  }

  report(stop: Stop): void {
    this.#unreported.delete(stop)
    this.#currentThread = stop.threadId
  }

  /** Before the engine is told; see 1. */
  markRunning({ threadId, allThreads }: Stop): void {
    if (allThreads) this.stops.clear()
    else this.stops.delete(threadId)
    this.#dropStale()
  }

  /** The engine refused: it still stands. */
  markStopped(stop: Stop): void {
    if (this.#ending === undefined && this.stops.size === 0) this.stops.set(stop.threadId, stop)
  }

  handle(event: SessionEvent): void {
    switch (event.type) {
      case 'stopped': {
        if (event.allThreads) this.stops.clear()
        this.stops.set(event.threadId, event)
        this.#dropStale()
        for (const id of event.breakpointIds) this.hits.add(id)
        this.#unreported.add(event)
        break
      }
      case 'continued':
        if (event.allThreads) this.stops.clear()
        else this.stops.delete(event.threadId)
        this.#dropStale()
        break
      case 'output':
        this.output.add(event.text)
        break
      case 'thread':
        if (event.change === 'exited') this.stops.delete(event.threadId)
        this.#dropStale()
        break
      case 'breakpoint':
        this.bound.set(event.state.id, event.state)
        break
      case 'conditionFailed':
        this.failures.set(event.breakpointId, event.why)
        break
      case 'exited':
        this.#exit = { exitCode: event.exitCode, ...(event.signal === undefined ? {} : { signal: event.signal }) }
        break
      case 'terminated':
        this.end(event.error)
        break
      case 'child':
        break
    }
  }

  end(error?: Error): void {
    this.#ending ??= { ...this.#exit, ...(error === undefined ? {} : { error }) }
    this.stops.clear()
    this.#unreported.clear()
  }

  #dropStale(): void {
    const standing = new Set(this.stops.values())
    for (const stop of this.#unreported) if (!standing.has(stop)) this.#unreported.delete(stop)
  }
}
