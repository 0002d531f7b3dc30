import { mkdirSync } from 'node:fs'
import { errorMessage, within } from '@switchboard/base'
import {
  type OrphanGuard,
  type PipedChild,
  type ProcessFamily,
  RESTART_GRACES,
  STOP_GRACES,
  type StopGraces,
  type StoppableProcess,
  spawnChild,
  TreeStop,
} from '@switchboard/process'
import type { JsonRpcMessage } from '@switchboard/protocol'
import { LineReader, LineWriter, recoverId } from '@switchboard/protocol/framing'
import type { StdioServerConfig } from '../config/server-config.ts'
import { decodeMessages, LARGE_MESSAGE_BYTES, recoverIdOf, refuseLarge, refuseUnread } from './decode-messages.ts'
import { encodeOutgoing } from './encode-outgoing.ts'
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
/** From the end of its output to its exit, for one that dies; on a busy machine that is no moment. */
const EXIT_MS = 1_000

/** Members of a message that name it stand at its start or its end. */
const EDGE_BYTES = 4096
const OPEN_BRACE = 123
const OPEN_BRACKET = 91

export interface StdioTransportOptions {
  readonly config: StdioServerConfig
  /** Where it runs when its configuration names no `cwd`; made when it is missing. Default: where this process runs. */
  readonly folder?: string | undefined
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
  #family: ProcessFamily | undefined
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
    const { config, folder } = this.#options
    const cwd = config.cwd ?? folder
    try {
      if (config.cwd === undefined && folder !== undefined) mkdirSync(folder, { recursive: true, mode: 0o700 })
    } catch (error) {
      this.#failSoon({ reason: 'spawn_failed', message: `could not start: ${errorMessage(error)}`, cause: error })
      return
    }
    const outcome = spawnChild({ ...config, cwd })
    if (!outcome.spawned) {
      const { reason, message } = outcome.problem
      const told = reason === 'no_room' ? `could not start: ${message}` : message
      this.#failSoon({ reason: reason === 'no_command' ? 'not_installed' : 'spawn_failed', message: told })
      return
    }
    this.#wire(outcome.child, outcome.family)
  }

  send(message: JsonRpcMessage): void {
    if (this.#handlers === undefined) return
    const text = encodeOutgoing(message, this.#handlers)
    if (text !== undefined) this.#writer?.write(text)
  }

  abandon(): void {}

  setProtocol(): void {}

  async close({ manner = 'stop', force = false }: CloseOptions = {}): Promise<void> {
    this.#over = true
    const [child, family] = [this.#child, this.#family]
    if (child?.pid === undefined || family === undefined) return
    this.#stop ??= this.#startStopping(child, child.pid, family, manner)
    if (force) this.#stop.force()
    await this.#stop.done
    this.#options.guard.removeFamily(family)
    child.stdin.destroy()
    child.stdout.destroy()
    child.stderr.destroy()
  }

  #startStopping(child: PipedChild, pid: number, family: ProcessFamily, manner: 'stop' | 'restart'): TreeStop {
    const { stopGraces = STOP_GRACES, restartGraces = RESTART_GRACES } = this.#options
    const target: StoppableProcess = {
      pid,
      exited: this.#exit === undefined ? new Promise((resolve) => child.once('exit', resolve)) : Promise.resolve(),
      hasExited: () => this.#exit !== undefined,
      endInput: () => child.stdin.end(),
    }
    return new TreeStop(target, manner === 'stop' ? stopGraces : restartGraces, family)
  }

  #wire(child: PipedChild, family: ProcessFamily): void {
    this.#child = child
    this.#family = family
    this.#writer = new LineWriter((text) => {
      if (child.stdin.writable) child.stdin.write(text)
    })
    if (child.pid !== undefined) this.#options.guard.addFamily(family)
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
    child.on('error', (error) => {
      this.#end({ reason: 'spawn_failed', message: `could not start: ${errorMessage(error)}`, cause: error })
    })
    const closed = new Promise((resolve) => child.once('close', resolve))
    const exited = new Promise((resolve) => child.once('exit', resolve))
    child.once('exit', (code, signal) => {
      this.#exit = { code, signal }
      const end = (): void =>
        this.#end({ reason: 'exit', message: describeExit(code, signal), exitCode: code, exitSignal: signal })
      void within(closed, LAST_WORDS_MS).then(end)
    })
    // A server that closes a pipe but lives on can never answer again. One that dies closes them too, and then exits.
    const endUnlessExited = async (info: ClosedInfo): Promise<void> => {
      await within(exited, EXIT_MS)
      if (this.#exit === undefined) this.#end(info)
    }
    child.stdout.once(
      'close',
      () => void endUnlessExited({ reason: 'closed', message: 'the server closed its output' }),
    )
    child.stdin.on('error', (error) => {
      const message = `the server closed its input (${errorMessage(error)})`
      void endUnlessExited({ reason: 'closed', message, cause: error })
    })
  }

  #onLine(line: Buffer): void {
    if (this.#over) return
    const handlers = this.#handlers
    if (handlers === undefined) return
    if (line.length > LARGE_MESSAGE_BYTES) {
      const edges = [line.subarray(0, EDGE_BYTES).toString(), line.subarray(-EDGE_BYTES).toString()] as const
      if (refuseLarge(handlers, recoverId(...edges), line.length)) return
    }
    const text = line.toString()
    const first = line[0]
    // Most garbage is told apart by its first byte; a failed JSON.parse costs a hundred times more.
    const mayBeJson = first === OPEN_BRACE || first === OPEN_BRACKET || first === 32 || first === 9
    const messages = mayBeJson ? decodeMessages(text) : undefined
    if (messages === undefined) handlers.onOutput('stdout', text)
    else if (typeof messages === 'string') refuseUnread(handlers, messages, recoverIdOf(text), line.length)
    else for (const message of messages) handlers.onMessage(message)
  }

  /** Once `open` is over, and before anybody else has his turn: a missing program never looks as if it were starting. */
  #failSoon(info: ClosedInfo): void {
    queueMicrotask(() => this.#end(info))
  }

  #end(info: ClosedInfo): void {
    if (this.#over) return
    this.#over = true
    this.#handlers?.onClosed(info)
  }
}

function describeExit(code: number | null, signal: NodeJS.Signals | null): string {
  return signal === null ? `the server exited with code ${code}` : `the server was ended by ${signal}`
}
