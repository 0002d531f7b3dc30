/** Waits for the one connection that an adapter makes to us. Nobody else can take the adapter over that way. */
import { createServer, type Socket } from 'node:net'
import { ToolError } from '@switchboard/toolkit'
import type { AdapterProcess } from './adapter-process.ts'

export interface OneConnection {
  /** `host:port` */
  readonly address: string
  accept(process: AdapterProcess, options: { signal: AbortSignal; timeout: number }): Promise<Socket>
  close(): void
}

export async function listenOnce(): Promise<OneConnection> {
  const server = createServer()
  const connection = new Promise<Socket>((resolve) => server.once('connection', resolve))
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    address: `127.0.0.1:${port}`,
    close: () => void server.close(),
    async accept(process, { signal, timeout }) {
      const { promise: failed, reject } = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => reject(new ToolError('E_TIMEOUT', `The debug adapter did not connect within ${timeout} ms.`)),
        timeout,
      )
      const onAbort = (): void => reject(new ToolError('E_CANCELLED', 'Starting the debug session was cancelled.'))
      signal.addEventListener('abort', onAbort, { once: true })
      void process.exited.then(() =>
        reject(new ToolError('E_LAUNCH_FAILED', `${process.describeExit()}. ${process.errorTail}`.trim())),
      )
      try {
        const socket = await Promise.race([connection, failed])
        socket.on('error', () => {})
        socket.setNoDelay(true)
        return socket
      } finally {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        server.close()
      }
    },
  }
}
