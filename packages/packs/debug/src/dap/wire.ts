/** A pair of streams that carries DAP messages: an adapter's standard streams, or a socket. */
import { connect, type Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { errorMessage } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'
import { DapMessageReader, encodeFrame } from './dap-message-reader.ts'

export interface WireHandlers {
  onMessage(message: Readonly<Record<string, unknown>>): void
  onNoise(text: string): void
  /** Once. `reason` as it reads after "because". */
  onClosed(reason: string): void
}

export interface Wire {
  open(handlers: WireHandlers): void
  send(message: unknown): void
  close(): void
}

export function createStreamWire(input: Readable, output: Writable, whose = 'the debug adapter'): Wire {
  let closed = false
  let handlers: WireHandlers | undefined
  const end = (reason: string): void => {
    if (closed) return
    closed = true
    handlers?.onClosed(reason)
  }
  return {
    open(given) {
      handlers = given
      const reader = new DapMessageReader({
        onMessage: (message) => {
          if (!closed) given.onMessage(message)
        },
        onNoise: (text) => given.onNoise(text),
        onBroken: (reason) => {
          end(`${whose} sent ${reason}`)
          input.destroy()
        },
      })
      input.on('data', (chunk: Buffer) => reader.push(chunk))
      input.once('end', () => {
        reader.end()
        end(`${whose} closed the connection`)
      })
      input.once('close', () => end(`${whose} closed the connection`))
      input.on('error', (error) => end(`the connection to ${whose} failed (${error.message})`))
      output.on('error', (error) => end(`the connection to ${whose} failed (${error.message})`))
    },
    send(message) {
      if (!closed && output.writable) output.write(encodeFrame(message))
    },
    close() {
      closed = true
      output.end()
      input.destroy()
    },
  }
}

export type SocketAddress = { readonly path: string } | { readonly host: string; readonly port: number }

export async function connectSocket(
  address: SocketAddress,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Socket> {
  const socket = 'path' in address ? connect(address.path) : connect(address.port, address.host)
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = (): void => reject(new ToolError('E_CANCELLED', 'Connecting to the debug adapter was cancelled.'))
  signal?.addEventListener('abort', onAbort, { once: true })
  socket.once('connect', resolve)
  socket.once('error', reject)
  try {
    if (signal?.aborted) onAbort()
    await promise
    socket.setNoDelay(true)
    return socket
  } catch (error) {
    socket.destroy()
    if (error instanceof ToolError) throw error
    const where = 'path' in address ? address.path : `${address.host}:${address.port}`
    const why = errorMessage(error)
    throw new ToolError('E_LAUNCH_FAILED', `No debugger answers at ${where} (${why}).`, { cause: error })
  } finally {
    signal?.removeEventListener('abort', onAbort)
    socket.off('error', reject)
    // A socket without a listener for errors would end our process.
    socket.on('error', () => {})
  }
}
