import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { FakeClock, waitFor } from '@switchboard/testkit'
import { callTool, createCall, exchange, modern, openSession, type RawRequest } from '@switchboard/testkit/http'
import { describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { createToolProvider, text, untilCancelled } from './support/tool-provider.ts'
import { useWorkbench } from './support/workbench.ts'

const bench = useWorkbench()
const MEGABYTE = 'x'.repeat(1024 * 1024)

/** Says `megabytes` of progress and then waits. */
const createTalker = (megabytes: number) =>
  createToolProvider({
    talk: (_, call) => {
      for (let said = 1; said <= megabytes; said++) call.progress?.({ progress: said, message: MEGABYTE })
      return untilCancelled(call)
    },
  })

/** Sends a request by hand and reads nothing of the answer. */
async function sendDeaf(port: number, { headers = {}, body }: RawRequest): Promise<Socket> {
  const payload = JSON.stringify(body)
  const all = { host: `127.0.0.1:${port}`, ...headers, 'content-length': String(payload.length) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const socket = connect(port, '127.0.0.1')
  bench.defer(() => socket.destroy())
  socket.on('error', () => {})
  socket.pause()
  await once(socket, 'connect')
  socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${payload}`)
  return socket
}

describe('a client that does not read', () => {
  it('is cut off after a while, and its call is cancelled', async () => {
    const clock = new FakeClock()
    const provider = createTalker(40)
    const { port } = await bench.open([provider], { clock, keepAliveMs: 15_000 })
    await sendDeaf(port, modern(callTool(1, 'talk', {}, { progressToken: 1 })))
    await waitFor(() => provider.requests.length === 1)
    clock.advance(15_000)
    expect(provider.requests[0]?.call.signal.aborted).toBe(false)
    clock.advance(30_000)
    await waitFor(() => provider.requests[0]?.call.signal.aborted)
  })

  it('is cut off at once when far too much has piled up, and a legacy call waits for its grace', async () => {
    const clock = new FakeClock()
    const provider = createToolProvider({
      talk: async (_, call) => {
        for (let said = 1; said <= 120; said++) {
          call.progress?.({ progress: said, message: MEGABYTE })
          await new Promise((resolve) => setImmediate(resolve))
        }
        return untilCancelled(call)
      },
    })
    const { url, port } = await bench.open([provider], { clock, resumeGrace: 10_000 })
    const headers = await openSession(`${url}/mcp`)
    await sendDeaf(port, { headers, body: callTool(1, 'talk', {}, { progressToken: 1 }) })
    await waitFor(() => clock.pendingTimers().includes(10_000))
    expect(provider.requests[0]?.call.signal.aborted).toBe(false)
    clock.advance(10_000)
    expect(provider.requests[0]?.call.signal.aborted).toBe(true)
  })

  it('is cut off on a WebSocket too', async () => {
    const clock = new FakeClock()
    const provider = createTalker(40)
    const { port } = await bench.open([provider], { clock, keepAliveMs: 15_000 })
    const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, 'mcp')
    bench.defer(() => socket.terminate())
    socket.on('error', () => {})
    await once(socket, 'open')
    socket.pause()
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
    socket.send(JSON.stringify(createCall(0, 'initialize', params)))
    socket.send(JSON.stringify(callTool(1, 'talk', {}, { progressToken: 1 })))
    await waitFor(() => provider.requests.length === 1)
    clock.advance(15_000)
    expect(provider.requests[0]?.call.signal.aborted).toBe(false)
    clock.advance(30_000)
    await waitFor(() => provider.requests[0]?.call.signal.aborted)
  })

  it('does not take its whole answer for ever', async () => {
    const clock = new FakeClock()
    const provider = createToolProvider({ large: () => text(MEGABYTE.repeat(40)) })
    const { port } = await bench.open([provider], { clock, keepAliveMs: 15_000 })
    const socket = await sendDeaf(port, modern(callTool(1, 'large')))
    await waitFor(() => provider.requests.length === 1)
    const gone = once(socket, 'close')
    clock.advance(21 * 15_000)
    socket.resume()
    await gone
    expect(socket.bytesRead).toBeLessThan(40 * MEGABYTE.length)
  })
})

describe('many agents at once', () => {
  it('each have their own session and their own answer', async () => {
    const waiting: (() => void)[] = []
    const provider = createToolProvider({
      meet: ({ text: said }) =>
        new Promise((resolve) => {
          waiting.push(() => resolve(text(String(said))))
        }),
    })
    const { url, http } = await bench.open([provider])
    const agents = Array.from({ length: 200 }, async (_, index) => {
      const headers = await openSession(`${url}/mcp`)
      // All use the same id, which means something only within a session.
      return exchange(`${url}/mcp`, { headers, body: callTool(1, 'meet', { text: `agent ${index}` }) })
    })
    await waitFor(() => waiting.length === agents.length, { timeout: 30_000 })
    expect(http.stats()).toMatchObject({ sessions: 200, inFlight: 200 })
    for (const answer of waiting.reverse()) answer()
    const answers = await Promise.all(agents)
    expect(answers.map(({ json }) => json.result)).toEqual(answers.map((_, index) => text(`agent ${index}`)))
  })
})
