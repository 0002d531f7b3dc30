/** The other end of the control extension: each window that comes up calls here, and a test runs code in it. */
import { createServer, type Server, type Socket } from 'node:net'
import { waitFor } from '@switchboard/testkit'

/** One extension host; a reload makes another. */
export class ExtensionHost {
  readonly pid: number
  readonly #socket: Socket
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #nextId = 1
  #isGone = false

  constructor(pid: number, socket: Socket) {
    this.pid = pid
    this.#socket = socket
    socket.once('close', () => {
      this.#isGone = true
      for (const { reject } of this.#pending.values()) reject(new Error('The extension host is gone'))
    })
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** `code`: the body of an async function with `vscode` and `argument`. What it returns must be JSON. */
  async run<T>(code: string, argument?: unknown): Promise<T> {
    if (this.#isGone) throw new Error('The extension host is gone')
    const id = this.#nextId++
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#pending.set(id, { resolve, reject })
    this.#socket.write(`${JSON.stringify({ id, code, argument })}\n`)
    // The test wrote the code, and knows what it returns.
    return (await promise) as T
  }

  /** For what ends the host, so that no answer comes. */
  send(code: string): void {
    this.run(code).catch(() => undefined)
  }

  onMessage({ id, result, error }: { id: number; result?: unknown; error?: string }): void {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (error === undefined) pending?.resolve(result)
    else pending?.reject(new Error(error))
  }
}

export class Control {
  readonly #server: Server
  readonly #hosts: ExtensionHost[] = []
  #taken = 0

  private constructor(server: Server) {
    this.#server = server
  }

  static async listen(path: string): Promise<Control> {
    const server = createServer()
    const control = new Control(server)
    server.on('connection', (socket) => control.#onConnection(socket))
    await new Promise<void>((resolve) => server.listen(path, resolve))
    return control
  }

  /** The next one that comes up; windows are opened one after the other. One that has gone meanwhile is nobody's. */
  async next(): Promise<ExtensionHost> {
    const host = await waitFor(() => this.#waiting, { timeout: 120_000, what: 'an extension host' })
    this.#taken = this.#hosts.indexOf(host) + 1
    return host
  }

  /** Whether one comes up in that time. */
  async hasNext(timeout: number): Promise<boolean> {
    return waitFor(() => this.#waiting !== undefined, { timeout }).catch(() => false)
  }

  close(): void {
    this.#server.close()
  }

  get #waiting(): ExtensionHost | undefined {
    return this.#hosts.slice(this.#taken).find(({ isGone }) => !isGone)
  }

  #onConnection(socket: Socket): void {
    let host: ExtensionHost | undefined
    let text = ''
    socket.on('error', () => undefined)
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        const message = JSON.parse(text.slice(0, end))
        text = text.slice(end + 1)
        if (host !== undefined) host.onMessage(message)
        else {
          host = new ExtensionHost(message.hello, socket)
          this.#hosts.push(host)
        }
      }
    })
  }
}
