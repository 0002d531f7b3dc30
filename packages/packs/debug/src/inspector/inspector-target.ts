/**
 * One thread of a program: its scripts, its breakpoints, whether it stands and why. Stops that are none of the person's (a
 * script is about to run whose source map must be read first) are dealt with here and never seen outside.
 */
import { ToolError } from '@switchboard/toolkit'
import type { BreakpointRequest, BreakpointState, ExceptionMode, Place } from '../engine/debug-session.ts'
import { BreakpointBinder, urlPattern } from './breakpoint-binder.ts'
import { LOG_BINDING } from './breakpoint-condition.ts'
import { parseErrorStack } from './error-stack.ts'
import { findInHook, HOLD_FUNCTION, HOOK_FILE, HOOK_PATTERN, HOOK_SYMBOL, LAST_WORD_FUNCTION } from './hook-source.ts'
import type { InspectorClient } from './inspector-client.ts'
import type { CallFrame, Paused } from './protocol.ts'
import { type Script, ScriptTable, toRealPath, urlToPath, type WorkspaceNames } from './script-table.ts'
import { SkippedCode } from './skipped-code.ts'
import { UncaughtExceptions } from './uncaught-exceptions.ts'

export const MAIN_THREAD = 1
const ASYNC_STACK_DEPTH = 16
const LONGEST_WAKE_PAUSE_MS = 100
/** A program that is no file never begins. */
const LONGEST_BEGIN_MS = 1_000
/** Of Node: see `UncaughtExceptions.judgesItself`. */
const FIRST_TO_JUDGE = 22
const STEPS = { over: 'Debugger.stepOver', into: 'Debugger.stepInto', out: 'Debugger.stepOut' } as const
/** So often a step that has led to code without a file is led out of it. */
const MOST_WAYS_OUT = 20

export interface StopInfo {
  readonly reason: string
  readonly text?: string
  readonly breakpointIds: readonly string[]
}

export interface TargetEvents {
  stopped(stop: StopInfo): void
  continued(): void
  logged(breakpointId: string, text: string, place: Place | undefined): void
  breakpointChanged(state: BreakpointState): void
  conditionFailed(breakpointId: string, why: string): void
}

const PAUSE_AGAIN_MS = 500
/** So long a thread that runs may take to stop. */
const PAUSE_PATIENCE_MS = 100
const PAUSE_TRIES = 10

export class InspectorTarget {
  readonly threadId: number
  readonly name: string
  readonly client: InspectorClient
  readonly scripts: ScriptTable
  readonly #binder: BreakpointBinder
  readonly #skipped: SkippedCode
  readonly #events: TargetEvents
  readonly #exceptions: UncaughtExceptions
  /** Where breakpoints have come to lie is told before the stop at one of them. */
  readonly #resolving = new Set<Promise<void>>()
  #lastErrorBreakpoint: string | undefined
  /** The text of the exception that it stopped for last: it is not told twice. */
  #toldError: string | undefined
  #paused: Paused | undefined
  #turn = 0
  #expected: 'step' | 'pause' | undefined
  /** Where it stands because we asked it to. */
  #pausePlace: string | undefined
  #echo: { readonly place: string; readonly method: 'Debugger.resume' | 'Debugger.stepOut' } | undefined
  #waysOut = 0
  /** Nobody has chosen the place where it stands. */
  #isAnywhere = false
  #holds: string[] = []
  #hasHook = false
  #isRunning = false
  /** Settled when the first file of the program was read, or it has had the time for it. */
  #begun: Promise<void> = Promise.resolve()
  #begin = (): void => undefined
  #entry: string | undefined

  constructor(
    identity: { threadId: number; name: string },
    client: InspectorClient,
    names: WorkspaceNames,
    events: TargetEvents,
  ) {
    this.threadId = identity.threadId
    this.name = identity.name
    this.client = client
    this.#events = events
    this.#skipped = new SkippedCode(client, names)
    this.scripts = new ScriptTable(names)
    this.#binder = new BreakpointBinder(client, this.scripts, (state) => events.breakpointChanged(state))
    this.#exceptions = new UncaughtExceptions(client, this.scripts)
    client.on('Debugger.scriptParsed', (parsed) => {
      const script = this.scripts.add(parsed)
      if (isOfProgram(script)) this.#begin()
      this.#binder.addScript(script).catch(() => {})
    })
    client.on('Debugger.scriptFailedToParse', (parsed) => this.scripts.addFailed(parsed))
    client.on('Debugger.breakpointResolved', ({ breakpointId, location }) => {
      const work = this.#binder.resolved(breakpointId, location).catch(() => {})
      this.#resolving.add(work)
      work.then(() => this.#resolving.delete(work))
    })
    client.on('Debugger.paused', (paused) => this.#onPaused(paused))
    client.on('Debugger.resumed', () => this.#onResumed())
    client.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === LOG_BINDING) this.#onLog(payload)
    })
  }

  /** Something was evaluated since it stopped: what the runtime told of its scopes then may be wrong by now. */
  isChanged = false

  /** Undefined: it runs. */
  get paused(): Paused | undefined {
    return this.#paused
  }

  get turn(): number {
    return this.#turn
  }

  async enable(): Promise<void> {
    await Promise.all([
      this.client.request('Debugger.enable', {}),
      this.client.request('Debugger.setAsyncCallStackDepth', { maxDepth: ASYNC_STACK_DEPTH }),
      this.#skipped.apply(),
      this.client.request('Runtime.addBinding', { name: LOG_BINDING }),
      this.#readVersion(),
    ])
  }

  async #readVersion(): Promise<void> {
    const expression = 'globalThis.process?.versions.node'
    const { result } = await this.client.request('Runtime.evaluate', { expression, silent: true })
    this.#exceptions.judgesItself = Number.parseInt(String(result.value), 10) >= FIRST_TO_JUDGE
  }

  /** Before it goes on, for as long as no step is asked for. */
  async #passOver(isStep: boolean): Promise<void> {
    const { judgesItself, mode } = this.#exceptions
    await this.#skipped.lift(!isStep && !judgesItself && mode !== 'none')
  }

  async setBreakpoints(path: string, requests: readonly BreakpointRequest[]): Promise<readonly BreakpointState[]> {
    if (requests.length > 0) await this.#skipped.open([toRealPath(path)])
    const states = await this.#binder.set(path, requests)
    if (this.#isRunning && this.#paused === undefined && this.#binder.hasWaiting) await this.#hold()
    return states
  }

  async setExceptionMode(mode: ExceptionMode): Promise<void> {
    await this.#exceptions.setMode(mode)
    if (mode !== 'none' && this.threadId === MAIN_THREAD) await this.#watchLastError()
  }

  /** Stops before the first line of that file, once. */
  async stopOnEntry(path: string): Promise<void> {
    const at = { urlRegex: urlPattern(path), lineNumber: 0 }
    this.#entry = (await this.client.request('Debugger.setBreakpointByUrl', at)).breakpointId
  }

  async run(): Promise<void> {
    if (this.#binder.hasWaiting) await this.#hold()
    await this.#passOver(false)
    this.#isRunning = true
    if (![...this.scripts.all()].some(isOfProgram)) {
      this.#begun = new Promise((resolve) => {
        this.#begin = resolve
        setTimeout(resolve, LONGEST_BEGIN_MS).unref()
      })
    }
    await this.client.request('Runtime.runIfWaitingForDebugger', {})
    this.#wake().catch(() => {})
  }

  /** A process announces itself just before it waits; told to run in between, it would wait for ever. */
  async #wake(): Promise<void> {
    const expression = `globalThis[Symbol.for(${JSON.stringify(HOOK_SYMBOL)})]?.waits === true`
    for (let pause = 1; ; pause = Math.min(pause * 2, LONGEST_WAKE_PAUSE_MS)) {
      const { result } = await this.client.request('Runtime.evaluate', { expression, silent: true })
      if (result.value !== true) return
      await this.client.request('Runtime.runIfWaitingForDebugger', {})
      await new Promise((resolve) => setTimeout(resolve, pause))
    }
  }

  async continue(): Promise<void> {
    this.requirePaused()
    this.#expected = undefined
    if (this.#binder.hasWaiting) await this.#hold()
    else await this.#release()
    await this.#passOver(false)
    this.#expectEcho('Debugger.resume')
    this.#onResumed()
    await this.client.request('Debugger.resume', {})
  }

  async step(kind: 'over' | 'into' | 'out'): Promise<void> {
    const scripts = this.requirePaused().callFrames.map(({ location }) => this.scripts.get(location.scriptId))
    const paths = scripts.map((script) => script?.path)
    // Out of code that steps pass over it would only leave. Where it was paused or has thrown in a library called by the
    // person's code, that caller was shown, and is what is to be stepped.
    if (!this.#isAnywhere || !paths.some((path) => this.scripts.isOwn(path)))
      await this.#skipped.open(paths.slice(0, 2))
    this.#waysOut = paths[0] === undefined ? 0 : MOST_WAYS_OUT
    await this.#passOver(true)
    // A hold in the middle would end the step.
    await this.#release()
    this.#expected = 'step'
    // Its caller was shown: into what it calls nobody asked to be led. A step out would miss where that caller catches.
    const method = STEPS[kind === 'into' && this.#isPassedOver(scripts[0]) ? 'over' : kind]
    this.#expectEcho(method === 'Debugger.stepOut' ? method : undefined)
    this.#onResumed()
    await this.client.request(method, {})
  }

  /** After a pause in a busy loop the runtime stops at the same place a second time, now and then: nobody asked for that. */
  #expectEcho(method: 'Debugger.resume' | 'Debugger.stepOut' | undefined): void {
    const place = this.#pausePlace
    this.#echo = place === undefined || method === undefined ? undefined : { place, method }
  }

  async pause(): Promise<void> {
    // Stopped while it is being woken, a process would be told to run in the middle of the stop.
    await this.#begun
    if (this.#paused !== undefined) return
    this.#expected = 'pause'
    this.#echo = undefined
    await this.#askForPause()
    this.#repeatPause(PAUSE_TRIES)
  }

  async #askForPause(): Promise<void> {
    await this.client.request('Debugger.pause', {})
    // A thread that waits for something runs no code at which it could stop: give it some. One that is about to stop must
    // not get any: it would stop a second time, as soon as it goes on.
    const nudge = setTimeout(() => {
      if (this.#paused !== undefined || this.#expected !== 'pause') return
      this.client.notify('Runtime.evaluate', { expression: '0', silent: true })
    }, PAUSE_PATIENCE_MS)
    nudge.unref()
  }

  /** A wish to pause is lost when the thread is just let go of one of our own holds. */
  #repeatPause(tries: number): void {
    if (tries === 0) return
    const timer = setTimeout(() => {
      if (this.#paused !== undefined || this.#expected !== 'pause') return
      this.#askForPause().then(
        () => this.#repeatPause(tries - 1),
        // The thread is gone; whoever waits for a stop hears of its end.
        () => undefined,
      )
    }, PAUSE_AGAIN_MS)
    timer.unref()
  }

  requirePaused(): Paused {
    if (this.#paused !== undefined) return this.#paused
    throw new ToolError('E_NOT_PAUSED', `The thread "${this.name}" is running. Pause it, or wait until it stops.`)
  }

  #onPaused(paused: Paused): void {
    const [top] = paused.callFrames
    const hits = paused.hitBreakpoints ?? []
    const isStart = paused.reason === 'Break on start' && hits.length === 0
    if (isStart && this.threadId !== MAIN_THREAD) {
      this.client.notify('Debugger.resume', {})
      return
    }
    if (paused.reason === 'instrumentation') {
      this.#resumeAfter(this.#bindHeldScript(paused))
      return
    }
    if (top !== undefined && hits.some((id) => this.#holds.includes(id))) {
      this.#resumeAfter(this.#bindHeldModule(top))
      return
    }
    if (top !== undefined && this.#lastErrorBreakpoint !== undefined && hits.includes(this.#lastErrorBreakpoint)) {
      this.#stopAtLastError(top).catch(() => this.client.notify('Debugger.resume', {}))
      return
    }
    if (isException(paused) && this.#toOurs(hits).length === 0) {
      this.#stopAtException(paused).catch(() => this.client.notify('Debugger.resume', {}))
      return
    }
    const echo = this.#echo
    this.#echo = undefined
    if (echo !== undefined && isUnasked(paused) && placeOf(paused) === echo.place) {
      this.client.notify(echo.method, {})
      return
    }
    if (this.#isStep(paused) && this.#isToBeLeft(top)) {
      this.client.notify('Debugger.stepOut', {})
      return
    }
    if (this.#resolving.size === 0) this.#stop(paused)
    else
      Promise.all(this.#resolving)
        .then(() => this.#stop(paused))
        .catch(() => this.client.notify('Debugger.resume', {}))
  }

  #stop(paused: Paused): void {
    this.#paused = paused
    this.isChanged = false
    this.#turn += 1
    const stop = this.#explain(paused, paused.hitBreakpoints ?? [])
    this.#expected = undefined
    this.#echo = undefined
    this.#isAnywhere = stop.reason === 'pause' || stop.reason === 'exception'
    this.#pausePlace = stop.reason === 'pause' ? placeOf(paused) : undefined
    this.#events.stopped(stop)
  }

  async #stopAtException(paused: Paused): Promise<void> {
    if (await this.#exceptions.isWanted(paused)) {
      this.#toldError = paused.data?.description
      this.#stop(paused)
    } else if (this.#expected === 'step') {
      // A step goes on to the handler.
      this.client.notify('Debugger.stepOver', {})
    } else this.client.notify('Debugger.resume', {})
  }

  /** The stack has gone; the error knows where it came from. */
  async #stopAtLastError({ callFrameId }: CallFrame): Promise<void> {
    const { result } = await this.client.request('Debugger.evaluateOnCallFrame', {
      callFrameId,
      expression: 'error',
      generatePreview: true,
    })
    if (this.#exceptions.mode === 'none' || result.description === this.#toldError) {
      this.client.notify('Debugger.resume', {})
      return
    }
    const callFrames = parseErrorStack(result.description ?? '').flatMap(({ url, ...frame }) => {
      const path = urlToPath(url)
      const script = [...this.scripts.all()].find(
        (known) => known.url === url || (path !== undefined && known.path === path),
      )
      return script === undefined ? [] : { ...frame, scriptId: script.id }
    })
    this.#stop({
      reason: 'exception',
      data: { ...result, uncaught: true },
      callFrames: [],
      asyncStackTrace: { callFrames },
    })
  }

  async #watchLastError(): Promise<void> {
    if (this.#lastErrorBreakpoint !== undefined) return
    const expression = `globalThis[Symbol.for(${JSON.stringify(HOOK_SYMBOL)})]?.watch()`
    const [{ breakpointId }] = await Promise.all([
      this.client.request('Debugger.setBreakpointByUrl', { urlRegex: HOOK_PATTERN, ...findInHook(LAST_WORD_FUNCTION) }),
      this.client.request('Runtime.evaluate', { expression, silent: true }),
    ])
    this.#lastErrorBreakpoint = breakpointId
  }

  /** Before the runtime says so: its answer may come together with the next stop. */
  #onResumed(): void {
    if (this.#paused === undefined) return
    this.#paused = undefined
    this.#events.continued()
  }

  #explain(paused: Paused, hits: readonly string[]): StopInfo {
    if (this.#entry !== undefined && hits.includes(this.#entry)) {
      this.client.notify('Debugger.removeBreakpoint', { breakpointId: this.#entry })
      this.#entry = undefined
      return { reason: 'entry', breakpointIds: this.#toOurs(hits) }
    }
    const breakpointIds = this.#toOurs(hits)
    if (paused.reason === 'Break on start') return { reason: 'entry', breakpointIds }
    if (breakpointIds.length > 0) return { reason: 'breakpoint', breakpointIds }
    if (isException(paused)) {
      const [text = ''] = (paused.data?.description ?? String(paused.data?.value ?? '')).split('\n')
      return { reason: 'exception', text, breakpointIds }
    }
    if (this.#expected === 'pause' && this.#isIdle(paused)) {
      return { reason: 'pause', text: 'No code was running: the program waits for something.', breakpointIds }
    }
    if (this.#expected !== undefined) return { reason: this.#expected, breakpointIds }
    if (paused.reason === 'OOM') return { reason: 'exception', text: 'out of memory', breakpointIds }
    return { reason: 'breakpoint', text: 'debugger statement', breakpointIds }
  }

  /** It stands in the one expression that we gave it, or in the runtime. */
  #isIdle({ callFrames }: Paused): boolean {
    return callFrames.every(({ location }) => this.scripts.get(location.scriptId)?.path === undefined)
  }

  /** It stands here for no other reason than the step. */
  #isStep(paused: Paused): boolean {
    return (
      this.#expected === 'step' && (paused.reason === 'step' || isUnasked(paused)) && !paused.hitBreakpoints?.length
    )
  }

  /** What is thrown leads a step also to handlers in code that steps pass over. */
  #isToBeLeft(top: CallFrame | undefined): boolean {
    const script = top === undefined ? undefined : this.scripts.get(top.location.scriptId)
    if (this.#isPassedOver(script)) return true
    if (script?.path !== undefined || this.#waysOut === 0) return false
    this.#waysOut -= 1
    return true
  }

  #isPassedOver(script: Script | undefined): boolean {
    return script !== undefined && this.#skipped.covers(script.url)
  }

  #toOurs(hits: readonly string[]): string[] {
    return [...new Set(hits.flatMap((hit) => this.#binder.find(hit)?.id ?? []))]
  }

  #resumeAfter(work: Promise<void>): void {
    work.catch(() => {}).then(() => this.client.notify('Debugger.resume', {}))
  }

  async #bindHeldScript({ data }: Paused): Promise<void> {
    // What the runtime tells of an instrumentation stop is the script, not a value.
    const scriptId = (data as { scriptId?: string } | undefined)?.scriptId
    const script = scriptId === undefined ? undefined : this.scripts.get(scriptId)
    if (script !== undefined) await this.#binder.addScript(script)
  }

  async #bindHeldModule({ callFrameId }: CallFrame): Promise<void> {
    const expression = '[path, url]'
    const { result } = await this.client.request('Debugger.evaluateOnCallFrame', {
      callFrameId,
      expression,
      returnByValue: true,
    })
    const [path, url]: unknown[] = Array.isArray(result.value) ? result.value : []
    if (typeof path !== 'string' || typeof url !== 'string' || !this.#binder.wantsMapOf(path)) return
    const map = await this.scripts.loadMap(url, path)
    if (map !== undefined) await this.#binder.addGenerated(path, map)
  }

  /** From now on scripts with source maps stand still before they run, until we have read the map. */
  async #hold(): Promise<void> {
    if (this.#holds.length > 0) return
    if (!this.#hasHook) {
      this.#hasHook = true
      const expression = `globalThis[Symbol.for(${JSON.stringify(HOOK_SYMBOL)})]?.hold()`
      await this.client.request('Runtime.evaluate', { expression, silent: true })
    }
    const [modules, scripts] = await Promise.all([
      this.client.request('Debugger.setBreakpointByUrl', {
        urlRegex: HOOK_PATTERN,
        ...findInHook(HOLD_FUNCTION),
      }),
      this.client.request('Debugger.setInstrumentationBreakpoint', {
        instrumentation: 'beforeScriptWithSourceMapExecution',
      }),
    ])
    this.#holds = [modules.breakpointId, scripts.breakpointId]
  }

  async #release(): Promise<void> {
    const holds = this.#holds.splice(0)
    await Promise.all(holds.map((breakpointId) => this.client.request('Debugger.removeBreakpoint', { breakpointId })))
  }

  #onLog(payload: string): void {
    try {
      const [id, text, why]: unknown[] = JSON.parse(payload)
      if (typeof id !== 'string') return
      if (typeof why === 'string') this.#events.conditionFailed(id, why)
      else this.#events.logged(id, String(text), this.#binder.findById(id))
    } catch {
      // The program itself called what is ours.
    }
  }
}

function isOfProgram({ path }: Script): boolean {
  return path !== undefined && !path.endsWith(HOOK_FILE)
}

function isUnasked({ reason, hitBreakpoints = [] }: Paused): boolean {
  return (reason === 'other' || reason === 'ambiguous') && hitBreakpoints.length === 0
}

function placeOf({ callFrames }: Paused): string {
  const { scriptId = '', lineNumber = 0 } = callFrames[0]?.location ?? {}
  return `${scriptId}:${lineNumber}`
}

function isException({ reason }: Paused): boolean {
  return reason === 'exception' || reason === 'promiseRejection'
}
