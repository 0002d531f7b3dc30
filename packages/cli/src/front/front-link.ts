/** One attached connection to a daemon: lines both ways until it closes. */
import type { Duplex } from 'node:stream'
import { createRequest, isJsonObject } from '@switchboard/protocol'
import { fromJsonRpcError, SwitchboardError } from '@switchboard/protocol/errors'
import { LineReader } from '@switchboard/protocol/framing'
import type { AttachParams, AttachResult } from '@switchboard/protocol/ipc'
import { MAX_LINE_BYTES } from './limits.ts'
import { LineOutput } from './line-output.ts'

export interface FrontLinkHandlers {
  onLine(line: Buffer): void
  /** More may be sent again. */
  onDrain(): void
  /** Once, and nothing comes after it. */
  onClosed(reason: string): void
}

/** A daemon that is up answers at once; one that was stopped in a debugger never does. */
const ATTACH_TIMEOUT_MS = 10_000

/** Rejects with what the daemon said; with `shutting_down` when the connection closed before it said anything. */
export async function attachFront(socket: Duplex, params: AttachParams, signal: AbortSignal): Promise<FrontLink> {
  const link = new FrontLink(socket)
  const { promise, resolve, reject } = Promise.withResolvers<AttachResult>()
  const onAbort = (): void => reject(signal.reason)
  const timer = setTimeout(
    () => reject(new SwitchboardError('daemon_unavailable', 'The daemon is there but does not answer.')),
    ATTACH_TIMEOUT_MS,
  )
  signal.addEventListener('abort', onAbort)
  link.open({
    onLine: (line) => {
      // What follows the answer is MCP, and waits for whoever opens the link.
      link.open(undefined)
      try {
        resolve(readAttached(line))
      } catch (error) {
        reject(error)
      }
    },
    onDrain: () => undefined,
    onClosed: (reason) =>
      reject(new SwitchboardError('shutting_down', `The daemon took no new connection: ${reason}.`)),
  })
  link.send(JSON.stringify({ ...createRequest(1, 'attach', { ...params }), inst: params.instance }))
  try {
    link.daemon = await promise
    return link
  } catch (error) {
    link.close()
    throw error
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}

function readAttached(line: Buffer): AttachResult {
  const answer: unknown = JSON.parse(line.toString())
  if (isJsonObject(answer) && isJsonObject(answer.result)) return answer.result as unknown as AttachResult
  throw fromJsonRpcError(isJsonObject(answer) ? answer.error : answer)
}

export class FrontLink {
  /** Who answered. */
  daemon: AttachResult | undefined
  readonly #socket: Duplex
  readonly #output: LineOutput
  #handlers: FrontLinkHandlers | undefined
  /** What came while nobody had opened the link. */
  #early: Buffer[] = []
  #closed = false
  #closedBy: string | undefined

  constructor(socket: Duplex) {
    this.#socket = socket
    this.#output = new LineOutput(socket)
    const reader = new LineReader(MAX_LINE_BYTES, {
      onLine: (line) => this.#receive(line),
      onOversized: ({ bytes }) => this.#end(`a line of ${bytes} bytes came from the daemon`),
    })
    socket.on('data', (chunk: Buffer) => reader.push(chunk))
    socket.on('drain', () => this.#handlers?.onDrain())
    socket.on('error', (error) => this.#end(error.message))
    socket.on('end', () => this.#end('the connection was closed'))
    socket.on('close', () => this.#end('the connection was closed'))
  }

  get isFull(): boolean {
    return this.#output.isFull
  }

  open(handlers: FrontLinkHandlers | undefined): void {
    this.#handlers = handlers
    if (handlers === undefined) return
    for (const line of this.#early.splice(0)) this.#receive(line)
    const reason = this.#closedBy
    if (reason !== undefined) queueMicrotask(() => this.#handlers?.onClosed(reason))
  }

  send(line: Buffer | string): void {
    this.#output.write(line)
  }

  flush(): void {
    this.#output.flush()
  }

  pause(): void {
    this.#socket.pause()
  }

  resume(): void {
    this.#socket.resume()
  }

  #receive(line: Buffer): void {
    if (this.#handlers === undefined) this.#early.push(line)
    else this.#handlers.onLine(line)
  }

  /** By us: nobody is told. */
  close(): void {
    this.#output.flush()
    this.#closed = true
    this.#handlers = undefined
    this.#socket.end(() => this.#socket.destroy())
  }

  #end(reason: string): void {
    if (this.#closed) return
    this.#closed = true
    this.#socket.destroy()
    if (this.#handlers === undefined) this.#closedBy = reason
    else this.#handlers.onClosed(reason)
  }
}
