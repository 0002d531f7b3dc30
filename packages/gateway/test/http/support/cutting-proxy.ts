import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy extends AsyncDisposable {
  readonly url: string
  /** Every connection is lost, at both ends and without notice. New ones are taken. */
  cut(): void
}

/** A bad network between a client and a port of this machine. */
export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const track = (socket: Socket): Socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    return socket
  }
  const server = createServer((near) => {
    const far = track(connect(port, '127.0.0.1'))
    track(near).pipe(far).pipe(near)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy()
  }
  return {
    // A TCP server's address is never a path.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    async [Symbol.asyncDispose]() {
      server.close()
      cut()
      if (server.listening) await once(server, 'close')
    },
  }
}
