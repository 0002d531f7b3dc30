import { once } from 'node:events'
import { createServer, type Server } from 'node:net'

/** Somebody else listens there until `server` is closed. */
export async function occupyPort(): Promise<{ readonly server: Server; readonly port: number }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('There is no port to be had')
  return { server, port: address.port }
}

/** Nobody listens there now; for what cannot be told to take any port. */
export async function findFreePort(): Promise<number> {
  const { server, port } = await occupyPort()
  server.close()
  await once(server, 'close')
  return port
}
