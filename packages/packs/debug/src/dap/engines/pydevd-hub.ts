/**
 * Where a Python program and the processes that it starts report to their debugger. The first that connects is the
 * program; the others are its descendants, and go to the session of their parent. Whoever does not know the secret that
 * was given to the program is sent away.
 */
import { randomBytes } from 'node:crypto'
import { createServer, type Server, type Socket } from 'node:net'
import { ToolError } from '@switchboard/toolkit'
import type { AdapterProcess } from '../adapter-process.ts'
import type { ChildConnection } from '../session-life.ts'
import { PydevdConnection, type PythonProcess } from './pydevd-connection.ts'

/** A stranger that says nothing is not kept. */
const INTRODUCTION_MS = 20_000

type ChildListener = (child: ChildConnection) => void

export interface FirstConnection {
  readonly connection: PydevdConnection
  readonly python: PythonProcess
}

export class PydevdHub {
  readonly token = randomBytes(32).toString('hex')
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly #first = Promise.withResolvers<FirstConnection>()
  readonly #listeners = new Map<number | undefined, ChildListener>()
  #hasFirst = false

  private constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket) => void this.#admit(socket))
  }

  static async listen(): Promise<PydevdHub> {
    const server = createServer()
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, '127.0.0.1', resolve)
    })
    return new PydevdHub(server)
  }

  /** `host:port` */
  get address(): string {
    const address = this.#server.address()
    return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }

  /** Undefined: the process ended before it said anything. */
  async accept(
    process: AdapterProcess,
    { signal, timeout }: { signal: AbortSignal; timeout: number },
  ): Promise<FirstConnection | undefined> {
    const { promise: failed, reject } = Promise.withResolvers<never>()
    const timer = setTimeout(
      () => reject(new ToolError('E_TIMEOUT', `The program did not connect to its debugger within ${timeout} ms.`)),
      timeout,
    )
    const onAbort = (): void => reject(new ToolError('E_CANCELLED', 'Starting the debug session was cancelled.'))
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    try {
      return await Promise.race([this.#first.promise, failed, process.exited.then(() => undefined)])
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  }

  /** Processes of this process; those whose parent nobody knows go to the first listener of all. */
  onChildOf(pid: number | undefined, listener: ChildListener): void {
    this.#listeners.set(pid, listener)
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #admit(socket: Socket): Promise<void> {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    const connection = new PydevdConnection(socket)
    const timer = setTimeout(() => connection.close(), INTRODUCTION_MS)
    const python = await connection.introduce(this.token)
    clearTimeout(timer)
    if (python === undefined) {
      connection.close()
      return
    }
    if (!this.#hasFirst) {
      this.#hasFirst = true
      this.#first.resolve({ connection, python })
      return
    }
    const [eldest] = this.#listeners.values()
    const tell = this.#listeners.get(python.parent) ?? eldest
    tell?.({
      name: `Subprocess ${python.pid ?? ''}`.trim(),
      wire: connection.toWire(),
      args: { subProcessId: python.pid },
      onChild: (listener) => this.onChildOf(python.pid, listener),
    })
  }
}
