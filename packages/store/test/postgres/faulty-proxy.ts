/** Stands between a store and its server, and fails in the moment that a test wants. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** What it does with what comes from the store. */
export type Act = 'pass' | 'drop' | 'pass, and drop the answer' | 'swallow'

export class FaultyProxy implements AsyncDisposable {
  readonly #server = createServer((client) => this.#join(client))
  readonly #sockets = new Set<Socket>()
  readonly #target: number
  #port = 0
  /** Asked for every piece that the store sends. */
  decide: (piece: Buffer) => Act = () => 'pass'

  static async start(target: number): Promise<FaultyProxy> {
    const proxy = new FaultyProxy(target)
    proxy.#server.listen(0, '127.0.0.1')
    await once(proxy.#server, 'listening')
    const address = proxy.#server.address()
    proxy.#port = typeof address === 'object' && address !== null ? address.port : 0
    return proxy
  }

  private constructor(target: number) {
    this.#target = target
  }

  get port(): number {
    return this.#port
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }

  #join(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1')
    const both = [client, server]
    const end = (): void => {
      for (const socket of both) socket.destroy()
    }
    let isAnswered = true
    for (const socket of both) {
      this.#sockets.add(socket)
      socket.on('error', end)
      socket.on('close', () => {
        this.#sockets.delete(socket)
        end()
      })
    }
    client.on('data', (piece: Buffer) => {
      const act = this.decide(piece)
      if (act === 'drop') end()
      else if (act !== 'swallow') server.write(piece)
      if (act === 'pass, and drop the answer') isAnswered = false
    })
    server.on('data', (piece: Buffer) => {
      if (isAnswered) client.write(piece)
      else end()
    })
  }
}
