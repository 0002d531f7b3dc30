import {
  type OrphanGuard,
  type PipedChild,
  RESTART_GRACES,
  STOP_GRACES,
  type StopGraces,
  type StoppableProcess,
  spawnChild,
  TreeStop,
} from '@switchboard/process'
import type { JsonRpcMessage } from '@switchboard/protocol'
import { isJsonObject, LineReader, LineWriter, parseJson, recoverId } from '@switchboard/protocol'
import type { StdioServerConfig } from '../config/server-config.ts'
import {
  type ClosedInfo,
  type CloseOptions,
  MAX_MESSAGE_BYTES,
  type TransportHandlers,
  type UpstreamTransport,
} from './transport.ts'

/** stderr is for people: a longer line is shown by its beginning. */
const MAX_STDERR_LINE_BYTES = 64 * 1024
/** After the child's exit its last words may still be in the pipe, or a grandchild may hold the pipe open. */
const LAST_WORDS_MS = 50

const OPEN_BRACE = 123
const OPEN_BRACKET = 91

export interface StdioTransportOptions {
  readonly config: StdioServerConfig
  readonly guard: OrphanGuard
  readonly maxMessageBytes?: number
  readonly stopGraces?: StopGraces
  readonly restartGraces?: StopGraces
}

export class StdioTransport implements UpstreamTransport {
  readonly kind = 'stdio'
  readonly noticesExit = true
  readonly #options: StdioTransportOptions
  #child: PipedChild | undefined
  #writer: LineWriter | undefined
  #handlers: TransportHandlers | undefined
  #stop: TreeStop | undefined
  #exit: { code: number | null; signal: NodeJS.Signals | null } | undefined
  /** Set once by whoever ends it first: the far side, or close(). */
  #over = false

  constructor(options: StdioTransportOptions) {
    this.#options = options
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  open(handlers: TransportHandlers): void {
    this.#handlers = handlers
    let outcome: ReturnType<typeof spawnChild>
    try {
      outcome = spawnChild(this.#options.config)
    } catch (error) {
      this.#failSoon({ reason: 'spawn_failed', message: `could not start: ${describe(error)}`, cause: error })
      return
    }
    if (!outcome.spawned) {
      const { reason, message } = outcome.problem
      this.#failSoon({ reason: reason === 'no_command' ? 'not_installed' : 'spawn_failed', message })
      return
    }
    this.#wire(outcome.child)
  }

  send(message: JsonRpcMessage): void {
    this.#writer?.write(JSON.stringify(message))
  }

  abandon(): void {}

  setProtocol(): void {}

  async close({ manner = 'stop', force = false }: CloseOptions = {}): Promise<void> {
    this.#over = true
    const child = this.#child
    if (child?.pid === undefined) return
    this.#stop ??= this.#startStopping(child, child.pid, manner)
    if (force) this.#stop.force()
    await this.#stop.done
    this.#options.guard.remove(child.pid)
    child.stdin.destroy()
    child.stdout.destroy()
    child.stderr.destroy()
  }

  #startStopping(child: PipedChild, pid: number, manner: 'stop' | 'restart'): TreeStop {
    const { stopGraces = STOP_GRACES, restartGraces = RESTART_GRACES } = this.#options
    const target: StoppableProcess = {
      pid,
      exited: this.#exit === undefined ? new Promise((resolve) => child.once('exit', resolve)) : Promise.resolve(),
      hasExited: () => this.#exit !== undefined,
      endInput: () => child.stdin.end(),
    }
    return new TreeStop(target, manner === 'stop' ? stopGraces : restartGraces)
  }

  #wire(child: PipedChild): void {
    this.#child = child
    this.#writer = new LineWriter((text) => {
      if (child.stdin.writable) child.stdin.write(text)
    })
    if (child.pid !== undefined) this.#options.guard.add(child.pid)
    const out = new LineReader(this.#options.maxMessageBytes ?? MAX_MESSAGE_BYTES, {
      onLine: (line) => this.#onLine(line),
      onOversized: ({ bytes, head, tail }) => {
        if (!this.#over) this.#handlers?.onOversized(recoverId(head, tail), bytes)
      },
    })
    const errors = new LineReader(MAX_STDERR_LINE_BYTES, {
      onLine: (line) => this.#handlers?.onOutput('stderr', line.toString()),
      onOversized: ({ bytes, head }) => this.#handlers?.onOutput('stderr', `${head}… (a line of ${bytes} bytes)`),
    })
    // Both pipes are read for ever: a server that fills one that nobody reads stands still.
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stdout.once('end', () => out.end())
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
    child.stderr.once('end', () => errors.end())
    child.stdout.on('error', () => {})
    child.stderr.on('error', () => {})
    child.stdin.on('error', (error) => {
      this.#end({ reason: 'closed', message: `the server closed its input (${describe(error)})`, cause: error })
    })
    child.once('error', (error) => {
      this.#end({ reason: 'spawn_failed', message: `could not start: ${describe(error)}`, cause: error })
    })
    child.once('exit', (code, signal) => {
      this.#exit = { code, signal }
      const end = (): void =>
        this.#end({ reason: 'exit', message: describeExit(code, signal), exitCode: code, exitSignal: signal })
      const timer = setTimeout(end, LAST_WORDS_MS)
      child.once('close', () => {
        clearTimeout(timer)
        end()
      })
    })
    // A server that closes its output but lives on can never answer again. One that dies closes it too, a moment early.
    child.stdout.once('close', () => {
      setTimeout(() => {
        if (this.#exit === undefined) this.#end({ reason: 'closed', message: 'the server closed its output' })
      }, LAST_WORDS_MS).unref()
    })
  }

  #onLine(line: Buffer): void {
    if (this.#over) return
    const handlers = this.#handlers
    if (handlers === undefined) return
    const text = line.toString()
    const first = line[0]
    // Most garbage is told apart by its first byte; a failed JSON.parse costs a hundred times more.
    const value =
      first === OPEN_BRACE || first === OPEN_BRACKET || first === 32 || first === 9 ? parse(text) : undefined
    if (isJsonObject(value)) handlers.onMessage(value)
    else if (Array.isArray(value) && value.length > 0 && value.every(isJsonObject)) {
      for (const message of value) handlers.onMessage(message)
    } else handlers.onOutput('stdout', text)
  }

  #failSoon(info: ClosedInfo): void {
    setImmediate(() => this.#end(info))
  }

  #end(info: ClosedInfo): void {
    if (this.#over) return
    this.#over = true
    this.#handlers?.onClosed(info)
  }
}

function parse(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `the server exited with code ${code}` : `the server was ended by ${signal}`
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
