/** The client's end of the daemon's socket, and daemons that do not do what they should. */
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { connectIpc, type IpcClient } from '@switchboard/daemon/client'
import { describe, expect, it } from 'vitest'
import { useWorkbench } from '../helpers/workbench.ts'

describe('a client', () => {
  const bench = useWorkbench()
  const endpoint = (): string =>
    process.platform === 'win32' ? `\\\\.\\pipe\\${bench.marker}` : join(bench.home.path, 'peer.sock')

  async function serve(onConnection: (socket: Socket) => void): Promise<void> {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      onConnection(socket)
    }).listen(endpoint())
    await once(server, 'listening')
    bench.defer(() => {
      for (const socket of sockets) socket.destroy()
      server.close()
    })
  }

  async function connect(): Promise<IpcClient> {
    const client = await connectIpc(endpoint())
    bench.defer(() => client.close())
    return client
  }

  it('is told that there is no daemon when nobody listens', async () => {
    await expect(connectIpc(endpoint())).rejects.toMatchObject({
      code: 'daemon_unavailable',
      message: expect.stringContaining('ENOENT'),
    })
    await expect(connectIpc({ port: 1, token: 'x' })).rejects.toMatchObject({ code: 'daemon_unavailable' })
  })

  it('does not wait for ever for a daemon that is silent', async () => {
    await serve(() => {})
    const client = await connect()
    await expect(client.request('health', {}, { timeout: 50 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining('health'),
    })
  })

  it('can be called off', async () => {
    await serve(() => {})
    const client = await connect()
    const controller = new AbortController()
    const request = client.request('health', {}, { signal: controller.signal })
    controller.abort()
    await expect(request).rejects.toMatchObject({ code: 'cancelled' })
    await expect(client.request('health', {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'cancelled',
    })
    await expect(connectIpc(endpoint(), { signal: controller.signal })).rejects.toMatchObject({ code: 'cancelled' })
  })

  it('fails everything under way when the daemon goes away, and what follows too', async () => {
    await serve((socket) => void socket.once('data', () => socket.destroy()))
    const client = await connect()
    const both = await Promise.allSettled([client.request('health'), client.request('status')])
    expect(both.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'answered'))).toEqual([
      'daemon_unavailable',
      'daemon_unavailable',
    ])
    expect(await client.closed).toMatch(/closed|ECONNRESET|EPIPE/)
    await expect(client.request('health')).rejects.toMatchObject({ code: 'daemon_unavailable' })
  })

  it('does not stumble over lines that are none of its business', async () => {
    await serve((socket) => {
      socket.once('data', () => {
        socket.write('no json\n[]\n{"id":99,"result":{}}\n{"method":"other"}\n')
        socket.write('{"method":"event","params":{"type":"configuration_unchanged"}}\n')
        socket.write('{"jsonrpc":"2.0","id":1,"result":{"ok":true}}\n')
      })
    })
    const client = await connect()
    const events: string[] = []
    client.onEvent(({ type }) => events.push(type))
    expect(await client.request('health')).toEqual({ ok: true })
    expect(events).toEqual(['configuration_unchanged'])
  })

  it('frames carry the trace and the instance', async () => {
    let seen = ''
    await serve((socket) => {
      socket.on('data', (chunk) => {
        seen += chunk
        socket.write('{"jsonrpc":"2.0","id":1,"result":{}}\n')
      })
    })
    await (await connect()).request('health', {}, { traceId: 'abc', inst: 'tt79-6f854d' })
    expect(JSON.parse(seen)).toMatchObject({ method: 'health', trace_id: 'abc', inst: 'tt79-6f854d' })
  })
})
