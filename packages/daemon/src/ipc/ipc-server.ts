/**
 * The daemon's doors: a socket that only its user can open (or a named pipe), and on demand a port with a token. To be
 * opened by the holder of the lock alone. The socket is bound under another name and then put in its place: it is never
 * there without its permissions, a dead daemon's is replaced in one step, and closing removes it only when it is ours.
 */
import { chmod, rename, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { dirname } from 'node:path'
import { errorCode } from '@switchboard/base'
import type { ConnectionCap } from '@switchboard/gateway'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { ensurePrivateDirectory } from '../process/private-directory.ts'
import { IpcConnection, type IpcHost } from './ipc-connection.ts'

/** How long connections may take to read what was said to them last. */
const LAST_WORDS_MS = 1_000
const isWindows = process.platform === 'win32'

export class IpcServer {
  readonly #host: IpcHost
  readonly #cap: ConnectionCap
  readonly #servers: Server[] = []
  readonly #connections = new Map<IpcConnection, Socket>()
  #endpoint: string | undefined

  constructor(host: IpcHost, cap: ConnectionCap) {
    this.#host = host
    this.#cap = cap
  }

  /** Of connections that are not attached. */
  get connectionCount(): number {
    let count = 0
    for (const connection of this.#connections.keys()) if (!connection.isAttached) count++
    return count
  }

  async listen(endpoint: string): Promise<void> {
    if (isWindows) {
      await this.#open({ path: endpoint })
      return
    }
    await ensurePrivateDirectory(dirname(endpoint))
    const draft = endpoint.replace(/\.sock$/, '.new')
    await rm(draft, { force: true })
    await this.#open({ path: draft })
    await chmod(draft, 0o600)
    await rename(draft, endpoint)
    this.#endpoint = endpoint
  }

  /** On 127.0.0.1 only. Rejects with what the cure is. */
  async listenTcp(port: number, token: string): Promise<number> {
    try {
      const server = await this.#open({ host: '127.0.0.1', port }, token)
      // A TCP server's address is never a path.
      return (server.address() as AddressInfo).port
    } catch (error) {
      const reason = errorCode(error) ?? String(error)
      throw new SwitchboardError('invalid_configuration', `Cannot listen on 127.0.0.1:${port} (${reason})`, {
        hint: 'Choose another port with `daemon.tcp.port` in the configuration, then run `switchboard restart`.',
        cause: error,
      })
    }
  }

  /** No new connections; those that are there go on. */
  refuseConnections(): void {
    for (const server of this.#servers) server.close()
  }

  /** `keepFile`: a successor has taken the place over, and the socket there is its own. */
  async close({ keepFile = false }: { keepFile?: boolean } = {}): Promise<void> {
    const closed = this.#servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())))
    if (this.#endpoint !== undefined && !keepFile) await rm(this.#endpoint, { force: true })
    for (const connection of this.#connections.keys()) if (!connection.isAttached) connection.end()
    const impatience = setTimeout(() => {
      for (const connection of this.#connections.keys()) connection.destroy()
    }, LAST_WORDS_MS)
    await Promise.all(closed)
    clearTimeout(impatience)
  }

  async #open(where: { path: string } | { host: string; port: number }, token?: string): Promise<Server> {
    const server = createServer({ noDelay: true }, (socket) => {
      server.maxConnections = this.#cap.most
      this.#onConnection(socket, token)
    })
    server.maxConnections = this.#cap.most
    server.on('drop', () => {
      server.maxConnections = this.#cap.most
      this.#cap.onRefused()
    })
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(where, () => {
        server.off('error', reject)
        resolve()
      })
    })
    // To take a connection in may fail; the next one may work.
    server.on('error', (error) => this.#cap.onFailed(error))
    this.#servers.push(server)
    return server
  }

  #onConnection(socket: Socket, token: string | undefined): void {
    const connection = new IpcConnection(socket, this.#host, token)
    this.#connections.set(connection, socket)
    socket.once('close', () => this.#connections.delete(connection))
  }
}
