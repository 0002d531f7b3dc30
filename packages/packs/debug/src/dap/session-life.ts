/**
 * How a session begins and ends. Owns the adapter's process, its wire and its temporary files, and the order in which
 * they go. A second end joins the first.
 *
 * - begins: initialize → launch or attach → `initialized` (some adapters fail instead, some answer only much later)
 * - ends by itself: `terminated` → disconnect → the process tree → last output → `exited` → `terminated`
 * - is ended: disconnect with or without the program → the process tree, by force if need be → the same
 * - dies: the wire is closed → the process tree → `terminated` with an error
 */
import { randomUUID } from 'node:crypto'
import type { StopGraces } from '@switchboard/process'
import { ToolError } from '@switchboard/toolkit'
import type { StartContext } from '../engine/debug-session.ts'
import { type JsonMembers, readNumber, readObject, readString } from '../json-values.ts'
import type { AdapterProcess } from './adapter-process.ts'
import { DapClient, type DapEvent } from './dap-client.ts'
import { refusedAs } from './dap-failure.ts'
import { DapSession } from './dap-session.ts'
import { letGo, standForKill } from './let-go.ts'
import type { DapTraits } from './traits.ts'
import { connectSocket, createStreamWire, type Wire } from './wire.ts'

const INITIALIZE_TIMEOUT_MS = 20_000
const DISCONNECT_TIMEOUT_MS = 2000
/** An adapter that was told to go, or whose program has ended, needs little time. */
const ORDERLY_GRACES = { input: 2000, terminate: 500 }
const KILL_GRACES = { input: 100, terminate: 200 }
/** Linux knows the members of a family by a mark, without having seen them. */
const GUARD_DELAY_MS = process.platform === 'linux' ? 500 : 0

export interface OpenedAdapter {
  readonly name: string
  readonly adapterId: string
  readonly wire: Wire
  /** Undefined: somebody else's, reached over a socket. */
  readonly process: AdapterProcess | undefined
  readonly traits: DapTraits
  readonly command: 'launch' | 'attach'
  readonly args: object
  /** The program is ours: it ends with the session. */
  readonly isLaunched: boolean
  /** Milliseconds until the program must be there; building it may be part of that. */
  readonly startTimeout: number
  readonly initializeTimeout?: number
  /** When it is ended by force. Default: it may notice first that its input has ended. */
  readonly killGraces?: StopGraces
  cleanUp?(): Promise<void>
  /** Processes that the program starts and that connect to us by themselves. */
  onChild?(listener: (child: ChildConnection) => void): void
}

/** A process that the program started, ready to be asked to `attach`. */
export interface ChildConnection {
  readonly name: string
  readonly wire: Wire
  /** Beside those of the program itself. */
  readonly args: object
  onChild?(listener: (child: ChildConnection) => void): void
}

type End =
  | { readonly how: 'terminated' }
  | { readonly how: 'closed'; readonly reason: string }
  | { readonly how: 'stopped'; readonly kill: boolean; readonly grace: number }

export class SessionLife {
  readonly #opened: OpenedAdapter
  readonly #context: StartContext
  readonly #stopsOnEntry: boolean
  readonly #client: DapClient
  readonly #initialized = Promise.withResolvers<void>()
  readonly #children = new Set<SessionLife>()
  #session: DapSession | undefined
  #ending: Promise<void> | undefined
  #guardTimer: NodeJS.Timeout | undefined

  constructor(opened: OpenedAdapter, context: StartContext, stopsOnEntry = false) {
    this.#opened = opened
    this.#context = context
    this.#stopsOnEntry = stopsOnEntry
    this.#initialized.promise.catch(() => {})
    this.#client = new DapClient(opened.wire, {
      onEvent: (event) => this.#onEvent(event),
      onNoise: (text) => context.log('output of the debug adapter outside of any message', text.slice(0, 2000)),
      onClosed: (reason) => this.#onClosed(reason),
    })
    this.#wireOutput()
    opened.onChild?.((child) => void this.#adoptChild(child))
  }

  async start(): Promise<DapSession> {
    try {
      return await this.#start()
    } catch (error) {
      if (this.#client.isClosed) await this.#opened.process?.lastWords()
      const failure = this.#describeFailure(error)
      await this.#end({ how: 'stopped', kill: this.#opened.isLaunched, grace: DISCONNECT_TIMEOUT_MS })
      throw failure
    }
  }

  async stop({ kill, grace }: { kill?: boolean; grace?: number }): Promise<void> {
    await this.#end({
      how: 'stopped',
      kill: kill ?? this.#opened.isLaunched,
      grace: grace ?? DISCONNECT_TIMEOUT_MS,
    })
  }

  async #start(): Promise<DapSession> {
    const { adapterId, command, args, startTimeout, initializeTimeout, traits, name } = this.#opened
    const { signal, workspace } = this.#context
    const capabilities = await this.#client.request(
      'initialize',
      {
        clientID: 'switchboard',
        clientName: 'Switchboard',
        adapterID: adapterId,
        locale: 'en',
        pathFormat: 'path',
        linesStartAt1: true,
        columnsStartAt1: true,
        supportsVariableType: true,
        supportsVariablePaging: true,
        supportsRunInTerminalRequest: false,
      },
      { signal, timeout: initializeTimeout ?? INITIALIZE_TIMEOUT_MS },
    )
    this.#client.canCancel = capabilities.supportsCancelRequest === true
    // Some adapters answer only after configurationDone, and nobody knows when run() is called.
    const started = refusedAs('E_LAUNCH_FAILED', this.#client.request(command, args, { signal, timeout: 0 }))
    // Awaited by run(), or by nobody when the start fails before.
    started.catch(() => {})
    this.#session = new DapSession({
      id: randomUUID(),
      name,
      client: this.#client,
      traits,
      adapterCapabilities: capabilities,
      workspace,
      stopsOnEntry: this.#stopsOnEntry,
      started,
      stop: (options) => this.stop(options),
      log: (message, data) => this.#context.log(message, data),
    })
    // An adapter that refuses never says that it is initialized.
    await this.#within(startTimeout, [this.#initialized.promise, started.then(() => this.#initialized.promise)])
    this.#guardSoon()
    return this.#session
  }

  /** To look at all processes takes a while, and just now somebody waits for the first stop. */
  #guardSoon(): void {
    this.#guardTimer ??= setTimeout(() => {
      this.#guardTimer = undefined
      if (this.#ending === undefined) void this.#opened.process?.guardDescendants()
    }, GUARD_DELAY_MS).unref()
  }

  async #within(limit: number, waits: readonly Promise<unknown>[]): Promise<void> {
    const { promise, reject } = Promise.withResolvers<never>()
    const late = new ToolError('E_TIMEOUT', `The program was not ready to be debugged within ${limit} ms.`)
    const timer = setTimeout(() => reject(late), limit)
    try {
      await Promise.race([...waits, promise])
    } finally {
      clearTimeout(timer)
    }
  }

  #onEvent(event: DapEvent): void {
    switch (event.event) {
      case 'initialized':
        this.#initialized.resolve()
        break
      case 'terminated':
        void this.#end({ how: 'terminated' })
        break
      case 'stopped':
        if (this.#opened.traits.isGone?.(readString(event.body.text) ?? '')) {
          void this.#end({ how: 'closed', reason: 'somebody has killed the program' })
        } else this.#session?.receive(event)
        break
      case 'debugpyAttach':
        void this.#connectChild(event.body)
        break
      case 'process':
        this.#guardSoon()
        this.#session?.receive(event)
        break
      default:
        this.#session?.receive(event)
    }
  }

  #onClosed(reason: string): void {
    this.#initialized.reject(new ToolError('E_LAUNCH_FAILED', `The program did not start, because ${reason}.`))
    if (this.#session !== undefined) void this.#end({ how: 'closed', reason })
  }

  /** Some adapters let the program write to their own streams. */
  #wireOutput(): void {
    const { process, traits } = this.#opened
    if (process === undefined) return
    if (traits.outputOnStdout) {
      process.stdout.setEncoding('utf8')
      process.stdout.on('data', (text: string) => this.#session?.receiveOutput('stdout', text))
    }
    const { errorsOnStderr } = traits
    if (errorsOnStderr === undefined) return
    process.stderr.on('data', (chunk: string) => {
      const lines = chunk.match(/[^\n]*\n|[^\n]+$/g) ?? []
      const text = lines.filter((line) => !errorsOnStderr.isOwnLine(line)).join('')
      if (text !== '') this.#session?.receiveOutput('stderr', text)
    })
  }

  /** The adapter tells of a process that the program started, and waits for a connection of its own. */
  async #connectChild(body: JsonMembers): Promise<void> {
    const address = readObject(body.connect)
    const port = readNumber(address.port)
    if (port === undefined || this.#ending !== undefined) return
    try {
      const socket = await connectSocket({ host: readString(address.host) ?? '127.0.0.1', port })
      const name = readString(body.name) ?? `${this.#opened.name} (child)`
      await this.#adoptChild({ name, wire: createStreamWire(socket, socket), args: body })
    } catch (error) {
      this.#context.log('a child process of the program could not be debugged', error)
    }
  }

  async #adoptChild({ args, ...child }: ChildConnection): Promise<void> {
    const parent = this.#session
    if (parent === undefined || this.#ending !== undefined) {
      child.wire.close()
      return
    }
    const { cleanUp: _, onChild: __, ...opened } = this.#opened
    try {
      const life = new SessionLife(
        { ...opened, ...child, process: undefined, command: 'attach', args: { ...opened.args, ...args } },
        { ...this.#context, signal: new AbortController().signal },
      )
      this.#children.add(life)
      const session = await life.start()
      for (const [path, breakpoints] of parent.breakpointFiles) await session.setBreakpoints(path, breakpoints)
      await session.setExceptionMode(parent.exceptionMode)
      parent.announceChild(session)
      await session.run()
    } catch (error) {
      this.#context.log('a child process of the program could not be debugged', error)
    }
  }

  #end(end: End): Promise<void> {
    this.#ending ??= this.#close(end)
    return this.#ending
  }

  async #close(end: End): Promise<void> {
    clearTimeout(this.#guardTimer)
    const { process, traits, cleanUp, isLaunched, killGraces } = this.#opened
    const terminateDebuggee = end.how === 'stopped' ? end.kill : isLaunched
    if (end.how !== 'closed') {
      // The adapter ends the program first, and nobody knows after that what the program has started.
      await process?.guardDescendants()
      if (end.how === 'stopped') await this.#prepareEnd(terminateDebuggee)
      const timeout = end.how === 'stopped' ? end.grace : DISCONNECT_TIMEOUT_MS
      // Whatever it answers: the process is ended next.
      await this.#client.request('disconnect', { terminateDebuggee }, { timeout }).catch(() => {})
    }
    const isKilled = end.how === 'stopped' && terminateDebuggee
    // A program that talks to us itself says goodbye before its last lines.
    await process?.stop(isKilled ? (killGraces ?? KILL_GRACES) : ORDERLY_GRACES)
    this.#client.close('the session has ended')
    await Promise.all([...this.#children].map((child) => child.#end({ how: 'terminated' })))
    await cleanUp?.().catch((error: unknown) => this.#context.log('temporary files could not be removed', error))
    const own = traits.adapterIsProgram ? process?.exit : undefined
    const exit =
      own === undefined ? undefined : { code: own.code, ...(own.signal === null ? {} : { signal: own.signal }) }
    await this.#session?.finish(exit, end.how === 'closed' ? this.#errorOfDeath(end.reason) : undefined)
  }

  /** A program that we have started is ended by its process; of one that we attached to only its debugger can be asked. */
  async #prepareEnd(isKilled: boolean): Promise<void> {
    const { traits, isLaunched } = this.#opened
    if (traits.beforeDetach === undefined || this.#session === undefined || (isKilled && isLaunched)) return
    const prepare = isKilled ? standForKill : letGo
    await prepare(this.#session, traits.beforeDetach).catch((error: unknown) =>
      this.#context.log('the program could not be made ready for the end of the session', error),
    )
  }

  #errorOfDeath(reason: string): Error | undefined {
    const { process, traits } = this.#opened
    const exit = process?.exit
    if (traits.adapterIsProgram && exit !== undefined && exit.signal === null) return undefined
    // A child's wire ends when its process does.
    if (process === undefined && this.#opened.command === 'attach' && this.#opened.isLaunched) return undefined
    const details = process === undefined ? reason : `${reason}; ${process.describeExit()}`
    const tail = process?.errorTail ?? ''
    return new ToolError(
      'E_SESSION_TERMINATED',
      `The debug session ended unexpectedly: ${details}.${tail === '' ? '' : ` Its last words: ${tail}`}`,
    )
  }

  #describeFailure(error: unknown): unknown {
    if (!(error instanceof Error)) return error
    const code = error instanceof ToolError ? error.code : 'E_LAUNCH_FAILED'
    if (code === 'E_CANCELLED') return error
    const { process } = this.#opened
    const said = [process?.errorTail, this.#session?.outputTail.trim()].filter(
      (text) => text !== undefined && text !== '',
    )
    const died = process?.exit === undefined ? '' : ` (${process.describeExit()})`
    const message = `${error.message.replace(/\.$/, '')}${died}.${said.length === 0 ? '' : `\n${said.join('\n')}`}`
    const hint = error instanceof ToolError ? error.hint : undefined
    return new ToolError(code === 'E_SESSION_TERMINATED' ? 'E_LAUNCH_FAILED' : code, message, {
      ...(hint === undefined ? {} : { hint }),
      cause: error,
    })
  }
}
