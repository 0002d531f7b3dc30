/**
 * A Node process under the debugger: its main thread, its worker threads, and the process itself. Invariants: 1. `terminated`
 * is the last event, and comes once; 2. `continue` lets every thread go on that stands; 3. nothing runs before `run`.
 */

import { type Disposable, Listeners, within } from '@switchboard/base'
import { describeWrongValue } from '@switchboard/config/arguments'
import { ToolError, WrongArguments } from '@switchboard/toolkit'
import type {
  BreakpointRequest,
  BreakpointState,
  DebugSession,
  EngineRequestOptions,
  ExceptionInfo,
  ExceptionMode,
  Frame,
  Scope,
  SessionCapabilities,
  SessionEvent,
  Thread,
  Variable,
} from '../engine/debug-session.ts'
import type { TextPiece } from '../engine/quoted-text.ts'
import type { DebuggedProcess } from './debugged-process.ts'
import { readErrorMessage } from './error-stack.ts'
import { evaluate } from './evaluate.ts'
import { cancelledError, endedError, InspectorClient } from './inspector-client.ts'
import { type FrameItem, InspectorStackReader } from './inspector-stack-reader.ts'
import { InspectorTarget, MAIN_THREAD } from './inspector-target.ts'
import { InspectorVariableReader, type Range, type VariableNode } from './inspector-variable-reader.ts'
import { ReferenceTable } from './reference-table.ts'
import type { WorkspaceNames } from './script-table.ts'
import { findSyntaxPlace } from './syntax-place.ts'
import { type WorkerPipe, watchWorkers } from './worker-threads.ts'

const CAPABILITIES: SessionCapabilities = {
  conditions: true,
  hitConditions: true,
  logpoints: true,
  setVariable: true,
  pause: true,
  exceptions: ['none', 'uncaught', 'all'],
  functionBreakpoints: false,
  restart: false,
  children: true,
}
const DEFAULT_GRACE_MS = 1_000
/** Between the end of the connection and that of the process. */
const EXIT_WAIT_MS = 3_000
const CLOSE_MS = 1_000
const FIRST_REFERENCE = 1_000

export interface SessionParts {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly client: InspectorClient
  readonly process: DebuggedProcess
  readonly names: WorkspaceNames
  /** The inspector is that of a process below the one we started: its end is not the end of all. */
  readonly isIndirect?: boolean
  /** The inspector of a program that goes on without us is closed with the session: we opened it, and anybody may talk to it. */
  readonly closesInspector?: boolean
  /** The file before whose first line it stops. */
  readonly entry?: string
  /** Breakpoints and exceptions that it begins with. */
  readonly settings: SessionSettings
  /** All processes of one program have the same: called when this one's were changed. */
  onSettings?(change: (session: InspectorSession) => Promise<unknown>): Promise<void>
}

/** What is set before the code is there, and again in every new thread. */
export interface SessionSettings {
  readonly breakpoints: Map<string, readonly BreakpointRequest[]>
  exceptions: ExceptionMode
}

export class InspectorSession implements DebugSession {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly capabilities = CAPABILITIES
  readonly pid: number | undefined
  readonly #parts: SessionParts
  readonly #main: InspectorTarget
  readonly #targets = new Map<number, InspectorTarget>()
  readonly #workers = new Map<string, number>()
  readonly #listeners = new Listeners<[event: SessionEvent]>()
  readonly #frames = new ReferenceTable<FrameItem>('frame', FIRST_REFERENCE)
  readonly #references = new ReferenceTable<VariableNode>('value', FIRST_REFERENCE)
  readonly #stacks = new InspectorStackReader(this.#frames, this.#references)
  readonly #variables = new InspectorVariableReader(this.#references)
  readonly #ended = Promise.withResolvers<void>()
  #lastThread = MAIN_THREAD
  #running: Promise<void> | undefined
  #isLeaving = false
  #isStopping = false
  #isEnded = false

  constructor(parts: SessionParts) {
    this.#parts = parts
    this.id = parts.id
    this.name = parts.name
    this.language = parts.language
    this.pid = parts.process.pid
    this.#main = this.#addTarget(MAIN_THREAD, 'main', parts.client)
    parts.process.onOutput((category, text) => this.#emit({ type: 'output', category, text }))
    parts.client.on('NodeRuntime.waitingForDisconnect', () => {
      this.#isLeaving = true
      parts.client.close()
    })
    parts.client.onClose((reason) => this.#onDisconnected(reason))
    parts.process.ended?.then(({ exitCode, signal }) => {
      const killed = signal === undefined || this.#isStopping ? undefined : `the program was killed by ${signal}`
      this.#emit({ type: 'exited', exitCode, ...(signal === undefined ? {} : { signal }) })
      this.#finish(killed)
    })
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  /** Settles with the last event. */
  get ended(): Promise<void> {
    return this.#ended.promise
  }

  /** Before it is handed out: from here on breakpoints can be set. */
  async prepare(): Promise<void> {
    const { client, entry } = this.#parts
    await Promise.all([
      this.#main.enable(),
      client.request('NodeRuntime.notifyWhenWaitingForDisconnect', { enabled: true }).catch(() => {}),
      watchWorkers(client, {
        attached: (sessionId, pipe, name) => this.#onWorker(sessionId, pipe, name),
        detached: (sessionId) => this.#onWorkerGone(sessionId),
      }).catch(() => {}),
      entry === undefined ? undefined : this.#main.stopOnEntry(entry),
    ])
    await this.#applySettings(this.#main)
  }

  onEvent(listener: (event: SessionEvent) => void): Disposable {
    return this.#listeners.add(listener)
  }

  async setBreakpoints(path: string, breakpoints: readonly BreakpointRequest[]): Promise<readonly BreakpointState[]> {
    this.#requireAlive()
    this.#parts.settings.breakpoints.set(path, breakpoints)
    const lists = await Promise.all(
      [...this.#targets.values()].map((target) =>
        // A worker may end in the middle; the main thread's word is what counts.
        target === this.#main
          ? target.setBreakpoints(path, breakpoints)
          : target.setBreakpoints(path, breakpoints).catch(() => []),
      ),
    )
    await this.#parts.onSettings?.((session) => session.setBreakpoints(path, breakpoints))
    return breakpoints.map(({ id }) => {
      const states = lists.flatMap((list) => list.filter((state) => state.id === id))
      return states.find(({ verified }) => verified) ?? states[0] ?? { id, verified: false, message: 'It was not set.' }
    })
  }

  async setFunctionBreakpoints(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    throw new ToolError(
      'E_UNSUPPORTED_CAPABILITY',
      'Node knows no breakpoints by the name of a function. Set one on its first line.',
    )
  }

  async setExceptionMode(mode: ExceptionMode): Promise<void> {
    this.#requireAlive()
    this.#parts.settings.exceptions = mode
    await Promise.all([...this.#targets.values()].map((target) => target.setExceptionMode(mode)))
    await this.#parts.onSettings?.((session) => session.setExceptionMode(mode))
  }

  run(): Promise<void> {
    this.#requireAlive()
    this.#running ??= this.#main.run()
    return this.#running
  }

  async continue(threadId: number): Promise<void> {
    this.#requireAlive()
    this.#target(threadId).requirePaused()
    const standing = [...this.#targets.values()].filter(({ paused }) => paused !== undefined)
    await Promise.all(standing.map((target) => target.continue()))
  }

  async step(threadId: number, kind: 'over' | 'into' | 'out'): Promise<void> {
    this.#requireAlive()
    await this.#target(threadId).step(kind)
  }

  async pause(threadId?: number): Promise<void> {
    this.#requireAlive()
    const targets = threadId === undefined ? [...this.#targets.values()] : [this.#target(threadId)]
    await Promise.all(targets.map((target) => target.pause()))
  }

  async threads({ signal }: EngineRequestOptions = {}): Promise<readonly Thread[]> {
    await undefined
    if (signal?.aborted) throw cancelledError()
    this.#requireAlive()
    return [...this.#targets.values()].map(({ threadId, name, paused }) => ({
      id: threadId,
      name,
      state: paused === undefined ? 'running' : 'stopped',
    }))
  }

  async stack(
    threadId: number,
    { start, count }: { start: number; count: number },
    { signal }: EngineRequestOptions = {},
  ): Promise<{ frames: readonly Frame[]; total: number }> {
    this.#requireAlive()
    const frames = await this.#stacks.read(this.#target(threadId))
    if (signal?.aborted) throw cancelledError()
    return { frames: frames.slice(start, start + count), total: frames.length }
  }

  async scopes(frameId: number, { signal }: EngineRequestOptions = {}): Promise<readonly Scope[]> {
    await undefined
    if (signal?.aborted) throw cancelledError()
    this.#requireAlive()
    return this.#stacks.scopes(frameId)
  }

  async variables(reference: number, range: Range, options?: EngineRequestOptions): Promise<readonly Variable[]> {
    this.#requireAlive()
    return this.#variables.read(reference, range, options)
  }

  async evaluate(
    expression: string,
    { frameId, context }: { frameId?: number; context: 'watch' | 'repl' | 'hover' },
    options: EngineRequestOptions = {},
  ): Promise<Variable> {
    this.#requireAlive()
    const frame = frameId === undefined ? undefined : this.#frames.get(frameId)
    const target = frame?.target ?? this.#main
    const value = await evaluate(target, expression, { frame: frame?.item, isHover: context === 'hover' }, options)
    return this.#variables.toVariable(target, expression, value, expression)
  }

  async readText(
    text: Variable | number,
    { start, count }: { start: number; count: number },
    { frameId }: { frameId?: number },
    options: EngineRequestOptions = {},
  ): Promise<TextPiece | undefined> {
    this.#requireAlive()
    // A text has no reference here.
    if (typeof text === 'number' || text.type !== 'string' || text.expression === undefined) return undefined
    const frame = frameId === undefined ? undefined : this.#frames.get(frameId)
    const where = { frame: frame?.item, isHover: false }
    const { value } = await evaluate(frame?.target ?? this.#main, text.expression, where, options)
    if (typeof value !== 'string') return undefined
    return { text: JSON.stringify(value.slice(start, start + count)), length: value.length }
  }

  async setVariable(reference: number, name: string, value: string, options?: EngineRequestOptions): Promise<Variable> {
    this.#requireAlive()
    return this.#variables.set(reference, name, value, options)
  }

  async exceptionInfo(threadId: number): Promise<ExceptionInfo | undefined> {
    this.#requireAlive()
    const target = this.#target(threadId)
    const { reason, data } = target.requirePaused()
    if ((reason !== 'exception' && reason !== 'promiseRejection') || data === undefined) return undefined
    const description = data.description ?? String(data.value ?? data.unserializableValue)
    const type = data.className ?? data.type
    const place = await findSyntaxPlace(target, data).catch(() => undefined)
    return {
      type,
      message: readErrorMessage(description, type),
      ...(data.uncaught === undefined ? {} : { isUncaught: data.uncaught }),
      ...(description.includes('\n') ? { stack: description } : {}),
      ...(place === undefined ? {} : { place }),
    }
  }

  async stop({ kill = false, grace = DEFAULT_GRACE_MS }: { kill?: boolean; grace?: number } = {}): Promise<void> {
    if (this.#isEnded) return
    this.#isStopping = true
    const { process, client } = this.#parts
    // One that we attached to goes on; it must not stand at a breakpoint that nobody waits at.
    if (process.ended === undefined) {
      await process.stop({ kill, grace })
      if (this.#parts.closesInspector === true && !kill) await closeInspector(client)
      client.close()
    } else await process.stop({ kill, grace })
    await this.ended
  }

  #target(threadId: number): InspectorTarget {
    const target = this.#targets.get(threadId)
    if (target !== undefined) return target
    const known = [...this.#targets.keys()].join(', ')
    throw new WrongArguments([describeWrongValue('threadId', `one of ${known}`, threadId)])
  }

  #requireAlive(): void {
    if (this.#isEnded) throw endedError('it has ended')
  }

  #addTarget(threadId: number, name: string, client: InspectorClient): InspectorTarget {
    const target: InspectorTarget = new InspectorTarget({ threadId, name }, client, this.#parts.names, {
      stopped: (stop) => this.#emit({ type: 'stopped', threadId, allThreads: this.#targets.size === 1, ...stop }),
      continued: () => {
        this.#frames.forget(target)
        this.#references.forget(target)
        this.#emit({ type: 'continued', threadId, allThreads: this.#targets.size === 1 })
      },
      logged: (breakpointId, text, place) =>
        this.#emit({
          type: 'output',
          category: 'console',
          text: `${text}\n`,
          breakpointId,
          ...(place === undefined ? {} : { place }),
        }),
      breakpointChanged: (state) => this.#emit({ type: 'breakpoint', state }),
      conditionFailed: (breakpointId, why) => this.#emit({ type: 'conditionFailed', breakpointId, why }),
    })
    this.#targets.set(threadId, target)
    return target
  }

  async #applySettings(target: InspectorTarget): Promise<void> {
    const { breakpoints, exceptions } = this.#parts.settings
    await Promise.all([...breakpoints].map(([path, requests]) => target.setBreakpoints(path, requests)))
    if (exceptions !== 'none') await target.setExceptionMode(exceptions)
  }

  #onWorker(sessionId: string, pipe: WorkerPipe, name: string): void {
    const threadId = ++this.#lastThread
    this.#workers.set(sessionId, threadId)
    const target = this.#addTarget(threadId, name, new InspectorClient(pipe))
    this.#emit({ type: 'thread', threadId, change: 'started' })
    target
      .enable()
      .then(() => this.#applySettings(target))
      .then(() => target.run())
      // It ended before it was ready, or it cannot be debugged: let it run at least.
      .catch(() => target.client.notify('Runtime.runIfWaitingForDebugger', {}))
  }

  #onWorkerGone(sessionId: string): void {
    const threadId = this.#workers.get(sessionId)
    this.#workers.delete(sessionId)
    if (threadId === undefined || !this.#targets.delete(threadId)) return
    this.#emit({ type: 'thread', threadId, change: 'exited' })
  }

  /** Either the process is about to end, or the inspector is lost while the program lives: then it is worth nothing to us. */
  #onDisconnected(reason: string): void {
    const { process } = this.#parts
    if (process.ended === undefined) {
      this.#emitForeignEnd()
      this.#finish(undefined)
      return
    }
    if (this.#parts.isIndirect) {
      this.#targets.delete(MAIN_THREAD)
      return
    }
    const timer = setTimeout(() => {
      if (this.#isEnded || this.#isStopping) return
      this.#isStopping = true
      process.stop({ kill: true, grace: 0 }).catch(() => {})
      this.#finish(`the connection to its inspector was lost: ${reason}`)
    }, EXIT_WAIT_MS)
    this.ended.then(() => clearTimeout(timer))
  }

  #emitForeignEnd(): void {
    if (this.#isLeaving) this.#emit({ type: 'exited', exitCode: null })
  }

  #finish(problem: string | undefined): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#parts.client.close()
    const error = problem === undefined ? {} : { error: endedError(problem) }
    this.#send({ type: 'terminated', ...error })
    this.#ended.resolve()
  }

  /** Of a child that it started; called by whoever follows the processes. */
  announceChild(session: InspectorSession): void {
    this.#emit({ type: 'child', session })
  }

  #emit(event: SessionEvent): void {
    if (!this.#isEnded) this.#send(event)
  }

  #send(event: SessionEvent): void {
    this.#listeners.notify(event)
  }
}

/** `require` is there only while it is evaluated. Nothing that fails may become an error of the program. */
const CLOSE_LATER = `try {
  const inspector = require('node:inspector')
  setTimeout(() => { try { inspector.close() } catch {} }, 50).unref()
} catch {}`

/** Later, when our own connection is gone: closing waits for all of them. A program that is busy does not hear it. */
async function closeInspector(client: InspectorClient): Promise<void> {
  const expression = `(() => { ${CLOSE_LATER} })()`
  await within(
    client.request('Runtime.evaluate', { expression, includeCommandLineAPI: true }).catch(() => {}),
    CLOSE_MS,
  )
}
