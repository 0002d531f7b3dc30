/**
 * One program under one debug adapter. Sends only what the adapter said it knows, turns its events into ours, and hides
 * its peculiarities behind `DapTraits`. How it ends is in session-end.ts; what an adapter lacks is emulated by stopping,
 * acting and going on, in `#onStopped` only.
 *
 * 1. Events are told in the order in which the adapter sent them; `terminated` is the last.
 * 2. `continued` is told before the request that resumes is sent, so that no stop can overtake it.
 * 3. Frame ids and references are dead as soon as the program goes on.
 */
import type { Disposable } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'
import type {
  BreakpointRequest,
  BreakpointState,
  DebugSession,
  EngineRequestOptions,
  ExceptionInfo,
  ExceptionMode,
  OutputCategory,
  Scope,
  SessionCapabilities,
  SessionEvent,
  Thread,
  Variable,
} from '../engine/debug-session.ts'
import type { TextPiece } from '../engine/quoted-text.ts'
import { type JsonMembers, readNumber, readObject, readObjects, readString } from '../json-values.ts'
import { BreakpointTable } from './breakpoint-table.ts'
import { toCapabilities } from './capabilities.ts'
import type { DapClient, DapEvent } from './dap-client.ts'
import { refusedAs } from './dap-failure.ts'
import type { DapSessionOptions } from './dap-session-options.ts'
import { DapStackReader, SHOWN_FRAMES, type StackPage } from './dap-stack-reader.ts'
import { DapTextReader } from './dap-text-reader.ts'
import { DapVariableReader } from './dap-variable-reader.ts'
import { Evaluator } from './evaluator.ts'
import { EventQueue } from './event-queue.ts'
import { LibraryFiles } from './library-files.ts'
import { toOutputEvent } from './log-marks.ts'
import { PauseWish } from './pause-wish.ts'
import { ProgramOutput } from './program-output.ts'
import { readException } from './read-exception.ts'
import { RunState } from './run-state.ts'
import { SessionEvents } from './session-events.ts'
import { type Decision, type StepKind, StopFilter } from './stop-filter.ts'
import type { DapTraits, StopWords } from './traits.ts'
import { toCategory, toPlace, toScope } from './translate.ts'

const MAX_PANIC_FRAMES = 100

export class DapSession implements DebugSession {
  readonly id: string
  readonly name: string
  readonly language: string
  readonly capabilities: SessionCapabilities
  readonly #options: DapSessionOptions
  readonly #client: DapClient
  readonly #traits: DapTraits
  readonly #libraries: LibraryFiles
  readonly #breakpoints: BreakpointTable
  readonly #reader: DapVariableReader
  readonly #events: SessionEvents
  readonly #queue = new EventQueue<DapEvent>((event) => this.#handle(event))
  readonly #evaluator: Evaluator
  readonly #texts: DapTextReader
  readonly #state = new RunState()
  readonly #stacks: DapStackReader
  readonly #output: ProgramOutput
  readonly #filter: StopFilter
  #stepping: StepKind | undefined
  #hasToldStop = false
  #isAwaitingEntry: boolean
  readonly #pause: PauseWish
  #exceptionMode: ExceptionMode = 'none'
  #functions: readonly string[] = []
  #lastStop: StopWords = { text: '', description: '', reason: '' }
  #pid: number | undefined
  #isEnded = false
  #hasExitCode = false
  #isStopping = false

  constructor(options: DapSessionOptions) {
    this.#options = options
    this.#isAwaitingEntry = options.stopsOnEntry
    this.#events = new SessionEvents((error) => options.log('a listener of the debug session failed', error))
    this.id = options.id
    this.name = options.name
    this.language = options.traits.language
    this.#client = options.client
    this.#traits = options.traits
    this.capabilities = toCapabilities(options.adapterCapabilities, options.traits)
    const { adapterCapabilities: adapter } = options
    this.#libraries = new LibraryFiles(options.traits, options.client)
    this.#breakpoints = new BreakpointTable(options.traits, {
      conditions: adapter.supportsConditionalBreakpoints === true,
      hitConditions: adapter.supportsHitConditionalBreakpoints === true || options.traits.hitCondition !== undefined,
      logpoints: adapter.supportsLogPoints === true,
    })
    this.#stacks = new DapStackReader({
      traits: options.traits,
      workspace: options.workspace,
      state: this.#state,
      ask: (args, request) => this.#ask('stackTrace', 'E_NO_STACK', args, request),
    })
    this.#reader = new DapVariableReader(options.client, options.traits)
    this.#output = new ProgramOutput(options.traits)
    this.#pause = new PauseWish(options.traits)
    this.#evaluator = new Evaluator(options.client, options.traits, this.#reader)
    this.#texts = new DapTextReader(options.traits, this.#evaluator, this.#reader)
    this.#filter = new StopFilter({
      traits: options.traits,
      breakpoints: this.#breakpoints,
      evaluator: this.#evaluator,
      readFrames: async (threadId) => (await this.stack(threadId, { start: 0, count: MAX_PANIC_FRAMES })).frames,
      readTop: async (threadId) => {
        // Whoever is told of the stop asks for these next.
        const count = this.#breakpoints.isEmulating ? 1 : SHOWN_FRAMES
        const { frames, total } = await this.stack(threadId, { start: 0, count })
        return { frame: frames[0], depth: total }
      },
      print: ({ id, place }, text) =>
        this.#emit({ type: 'output', category: 'console', text, place, breakpointId: id }),
    })
  }

  get pid(): number | undefined {
    return this.#pid
  }

  get isEnded(): boolean {
    return this.#isEnded
  }

  onEvent(listener: (event: SessionEvent) => void): Disposable {
    return this.#events.listen(listener)
  }

  async setBreakpoints(path: string, breakpoints: readonly BreakpointRequest[]): Promise<readonly BreakpointState[]> {
    this.#throwIfEnded()
    const wanted = this.#breakpoints.replace(path, breakpoints)
    const lines = breakpoints.map(({ line }) => line)
    if (breakpoints.length > 0) await this.#libraries.open(path)
    const body = await this.#ask('setBreakpoints', 'E_BREAKPOINT_INVALID', {
      source: { path },
      breakpoints: wanted,
      lines,
      sourceModified: false,
    })
    return this.#breakpoints.accept(path, body)
  }

  async setFunctionBreakpoints(names: readonly string[]): Promise<void> {
    if (!this.capabilities.functionBreakpoints && names.length > 0) throw this.#unsupported('breakpoints on functions')
    this.#functions = names
    await this.#sendFunctionBreakpoints()
  }

  async setExceptionMode(mode: ExceptionMode): Promise<void> {
    const filters = this.#traits.exceptionFilters[mode]
    if (filters === undefined || !this.capabilities.exceptions.includes(mode))
      throw this.#unsupported(`stopping at exceptions with the mode "${mode}"`)
    this.#exceptionMode = mode
    this.#filter.exceptionMode = mode
    const known = readObjects(this.#options.adapterCapabilities.exceptionBreakpointFilters).map((row) => row.filter)
    if (known.length > 0) {
      await this.#ask('setExceptionBreakpoints', 'E_UNSUPPORTED_CAPABILITY', {
        filters: filters.filter((filter) => known.includes(filter)),
      })
    }
    if (this.#traits.panicFunctions !== undefined) await this.#sendFunctionBreakpoints()
  }

  /** What a child of this program must have, too. */
  get breakpointFiles(): BreakpointTable['files'] {
    return this.#breakpoints.files
  }

  /** The thread that stands, if any does. */
  get stoppedThread(): number | undefined {
    return this.#state.firstStopped
  }

  /** The last that program and adapter printed. */
  get outputTail(): string {
    return this.#output.tail
  }

  get exceptionMode(): ExceptionMode {
    return this.#exceptionMode
  }

  async run(options: EngineRequestOptions = {}): Promise<void> {
    this.#throwIfEnded()
    if (this.#options.adapterCapabilities.supportsConfigurationDoneRequest === true) {
      await this.#ask('configurationDone', 'E_LAUNCH_FAILED', {}, options)
    }
    await this.#options.started
  }

  async continue(threadId: number): Promise<void> {
    await this.#resume('continue', threadId)
  }

  async step(threadId: number, kind: StepKind): Promise<void> {
    const command = kind === 'over' ? 'next' : kind === 'into' ? 'stepIn' : 'stepOut'
    // Where it cannot be found out, a step leads further than to the caller.
    await this.#libraries.openCaller(...this.#askTop(threadId)).catch(() => undefined)
    await this.#resume(command, threadId, kind)
  }

  async pause(threadId?: number): Promise<void> {
    this.#throwIfEnded()
    if (this.#state.areAllStopped || (threadId !== undefined && this.#state.isStopped(threadId))) return
    const target = threadId ?? (await this.threads().catch(() => []))[0]?.id ?? this.#state.firstThread
    await this.#pause.tell(
      () => this.#ask('pause', 'E_OPERATION_FAILED', { threadId: target }),
      () => this.#isEnded || this.#state.isAnyStopped,
    )
  }

  async threads(options: EngineRequestOptions = {}): Promise<readonly Thread[]> {
    const body = await this.#ask('threads', 'E_OPERATION_FAILED', {}, options)
    return readObjects(body.threads).map((row) => {
      const id = readNumber(row.id) ?? 0
      const state = this.#state.isStopped(id) ? 'stopped' : 'running'
      return { id, name: readString(row.name) ?? `thread ${id}`, state }
    })
  }

  async stack(
    threadId: number,
    range: { start: number; count: number },
    options: EngineRequestOptions = {},
  ): Promise<StackPage> {
    this.#throwIfRunning(threadId)
    return this.#stacks.read(threadId, range, options)
  }

  async scopes(frameId: number, options: EngineRequestOptions = {}): Promise<readonly Scope[]> {
    this.#throwIfEnded()
    this.#state.throwIfStale(frameId)
    const body = await this.#ask('scopes', 'E_STALE_REFERENCE', { frameId }, options)
    const scopes = readObjects(body.scopes).map(toScope)
    for (const scope of scopes) this.#reader.rememberScope(scope.reference, frameId)
    return scopes
  }

  async variables(
    reference: number,
    range: { start: number; count: number; filter?: 'indexed' | 'named' },
    options: EngineRequestOptions = {},
  ): Promise<readonly Variable[]> {
    this.#throwIfEnded()
    return refusedAs('E_STALE_REFERENCE', this.#reader.read(reference, range, options))
  }

  async evaluate(
    expression: string,
    where: { frameId?: number; context: 'watch' | 'repl' | 'hover' },
    options: EngineRequestOptions = {},
  ): Promise<Variable> {
    this.#throwIfEnded()
    if (where.frameId !== undefined) this.#state.throwIfStale(where.frameId)
    return this.#evaluator.evaluate(expression, where, options)
  }

  async readText(...asked: Parameters<DapTextReader['read']>): Promise<TextPiece | undefined> {
    this.#throwIfEnded()
    return this.#texts.read(...asked)
  }

  async setVariable(
    reference: number,
    name: string,
    value: string,
    options: EngineRequestOptions = {},
  ): Promise<Variable> {
    this.#throwIfEnded()
    if (!this.capabilities.setVariable) throw this.#unsupported('setting variables')
    return this.#evaluator.assign(reference, name, value, options)
  }

  async exceptionInfo(threadId: number): Promise<ExceptionInfo | undefined> {
    this.#throwIfRunning(threadId)
    const hasRequest = this.#options.adapterCapabilities.supportsExceptionInfoRequest === true
    const [readTop, evaluate] = this.#askTop(threadId)
    return readException({
      traits: this.#traits,
      mode: this.#exceptionMode,
      stop: this.#lastStop,
      outputTail: this.#output.tail,
      readTop,
      evaluate,
      ask: hasRequest ? () => this.#client.request('exceptionInfo', { threadId }) : undefined,
    })
  }

  async stop(options: { kill?: boolean; grace?: number } = {}): Promise<void> {
    this.#isStopping = true
    await this.#options.stop(options)
  }

  // What session-start.ts and session-end.ts tell.

  receive(event: DapEvent): void {
    if (!this.#isEnded) this.#queue.push(event)
  }

  receiveOutput(category: OutputCategory, text: string): void {
    this.receive({ event: 'output', body: { category, output: text } })
  }

  announceChild(session: DebugSession): void {
    this.#emit({ type: 'child', session })
  }

  /** The last words: nothing is told after this. */
  async finish(exit: { code: number | null; signal?: string } | undefined, error: Error | undefined): Promise<void> {
    await this.#queue.drained()
    if (this.#isEnded) return
    if (exit !== undefined && !this.#hasExitCode) {
      const { code, signal } = exit
      this.#emit({ type: 'exited', exitCode: code, ...(signal === undefined ? {} : { signal }) })
    }
    this.#isEnded = true
    this.#emit(error === undefined ? { type: 'terminated' } : { type: 'terminated', error })
    this.#events.clear()
  }

  #handle({ event, body }: DapEvent): Promise<void> | undefined {
    switch (event) {
      case 'stopped':
        return this.#onStopped(body)
      case 'continued':
        return this.#onContinued(body)
      case 'output':
        return this.#onOutput(body)
      case 'thread':
        return this.#onThread(body)
      case 'breakpoint': {
        const state = this.#breakpoints.update(readObject(body.breakpoint))
        if (state !== undefined) this.#emit({ type: 'breakpoint', state })
        return undefined
      }
      case 'process':
        this.#pid = readNumber(body.systemProcessId) ?? this.#pid
        return undefined
      case 'exited':
        this.#hasExitCode = true
        this.#emit({ type: 'exited', exitCode: readNumber(body.exitCode) ?? null })
    }
    return undefined
  }

  async #onStopped(body: JsonMembers): Promise<void> {
    const threadId = readNumber(body.threadId) ?? this.#state.firstThread
    const allThreads = body.allThreadsStopped === true
    this.#stacks.forget(threadId)
    this.#state.stop(threadId, allThreads)
    const decision = await this.#decide(body, threadId)
    // Going on would carry away another thread that has stopped meanwhile.
    if (decision.act === 'go on' && (this.#hasToldStop || this.#queue.has(({ event }) => event === 'stopped'))) return
    if (decision.act !== 'tell') return this.#goOn(threadId, decision.act)
    this.#stepping = undefined
    this.#hasToldStop = true
    const { breakpointIds } = decision
    const said = readString(body.text) ?? readString(body.description)
    const isPause = this.#pause.isFulfilledBy(decision.reason, said ?? '', breakpointIds)
    // Debuggers call it a signal, a pause or an entry.
    const isEntry = this.#isAwaitingEntry && breakpointIds.length === 0
    this.#isAwaitingEntry = false
    const reason = isEntry ? 'entry' : isPause ? 'pause' : decision.reason
    const text = isEntry || isPause ? undefined : said
    this.#lastStop = { text: text ?? '', description: readString(body.description) ?? '', reason }
    this.#emit({
      type: 'stopped',
      threadId,
      reason,
      ...(text === undefined || text === '' ? {} : { text }),
      breakpointIds,
      allThreads,
    })
  }

  async #decide(body: JsonMembers, threadId: number): Promise<Decision> {
    try {
      return await this.#filter.decide(body, threadId, this.#stepping)
    } catch (error) {
      // Better one stop too many than one that nobody hears of.
      this.#options.log('a stop could not be looked at', error)
      return { act: 'tell', reason: readString(body.reason) ?? 'pause', breakpointIds: [] }
    }
  }

  /** Nobody was told of the stop, so nobody is told that it goes on. */
  async #goOn(threadId: number, how: 'go on' | 'step once more'): Promise<void> {
    this.#forgetStop()
    if (how === 'step once more') this.#stepping = 'over'
    await this.#client.request(how === 'go on' ? 'continue' : 'next', { threadId })
  }

  #onContinued(body: JsonMembers): undefined {
    // Our own requests have told it already.
    if (!this.#state.isAnyStopped) return
    const threadId = readNumber(body.threadId) ?? 0
    this.#forgetStop()
    this.#emit({ type: 'continued', threadId, allThreads: body.allThreadsContinued !== false })
  }

  #onOutput(body: JsonMembers): undefined {
    const category = toCategory(readString(body.category))
    const raw = readString(body.output)
    if (category === undefined || raw === undefined || raw === '') return
    if (category === 'stderr' && this.#traits.endsWithOwnErrors && (this.#hasExitCode || this.#isStopping)) return
    const code = category === 'console' ? this.#traits.readExitCode?.(raw) : undefined
    if (code !== undefined && !this.#hasExitCode) {
      this.#hasExitCode = true
      this.#emit({ type: 'exited', exitCode: code })
    }
    const place = toPlace(body.source, body.line)
    for (const part of this.#output.take(category, raw)) this.#emit(toOutputEvent(part, place))
  }

  #onThread(body: JsonMembers): undefined {
    const threadId = readNumber(body.threadId)
    if (threadId === undefined) return
    const change = body.reason === 'exited' ? 'exited' : 'started'
    if (change === 'started') this.#state.addThread(threadId)
    else this.#state.removeThread(threadId)
    this.#emit({ type: 'thread', threadId, change })
  }

  async #resume(command: string, threadId: number, kind?: StepKind): Promise<void> {
    this.#throwIfRunning(threadId)
    const undo = this.#forgetStop()
    this.#stepping = kind
    this.#emit({ type: 'continued', threadId, allThreads: true })
    try {
      await this.#ask(command, 'E_OPERATION_FAILED', { threadId })
    } catch (error) {
      // It never went on.
      undo()
      throw error
    }
  }

  #askTop(threadId: number): Parameters<LibraryFiles['openCaller']> {
    return [
      async () => (await this.stack(threadId, { start: 0, count: 1 })).frames[0],
      async (expression, frameId) => (await this.evaluate(expression, { frameId, context: 'watch' })).value,
    ]
  }

  #forgetStop(): () => void {
    this.#hasToldStop = false
    this.#reader.forgetAll()
    this.#stacks.forget()
    return this.#state.goOn()
  }

  async #sendFunctionBreakpoints(): Promise<void> {
    const panics = this.#traits.panicFunctions?.[this.#exceptionMode] ?? []
    if (!this.capabilities.functionBreakpoints) return
    const breakpoints = [...panics, ...this.#functions].map((name) => ({ name }))
    const body = await this.#ask('setFunctionBreakpoints', 'E_BREAKPOINT_INVALID', { breakpoints })
    const ids = readObjects(body.breakpoints).map((row) => readNumber(row.id))
    this.#filter.panicIds = ids.slice(0, panics.length).filter((id) => id !== undefined)
  }

  #ask(command: string, code: string, args: object, options: EngineRequestOptions = {}): Promise<JsonMembers> {
    this.#throwIfEnded()
    return refusedAs(code, this.#client.request(command, args, options))
  }

  #emit(event: SessionEvent): void {
    this.#events.emit(event)
  }

  #throwIfEnded(): void {
    if (!this.#isEnded) return
    throw new ToolError('E_SESSION_TERMINATED', `The debug session "${this.name}" has ended. Start a new one.`)
  }

  #throwIfRunning(threadId: number): void {
    this.#throwIfEnded()
    this.#state.throwIfRunning(threadId)
  }

  #unsupported(what: string): ToolError {
    return new ToolError('E_UNSUPPORTED_CAPABILITY', `The debugger of ${this.language} knows no ${what}.`, {
      details: { language: this.language },
    })
  }
}
