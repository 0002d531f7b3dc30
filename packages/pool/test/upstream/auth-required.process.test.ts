import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { waitFor } from '@switchboard/testkit'
import { afterEach, expect, it } from 'vitest'
import { McpPool } from '../../src/mcp-pool.ts'

const closings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

async function listenRefusing(status: number): Promise<string> {
  const server = createServer((_request, response) => response.writeHead(status).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closings.push(async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    server.closeAllConnections()
    await closed
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

it.each([401, 403])(
  'a call to a server that answered %i with its handshake fails with unauthorized_upstream',
  async (status) => {
    const url = await listenRefusing(status)
    const pool = new McpPool({ mcpServers: { remote: { url } } })
    closings.push(() => pool.close())
    pool.start()
    await waitFor(() => pool.status()[0]?.state === 'auth_required')
    await expect(pool.call('remote_anything')).rejects.toMatchObject({
      code: 'unauthorized_upstream',
      executed: false,
      retryable: false,
      details: { server: 'remote' },
      message: expect.stringContaining(String(status)),
    })
  },
)
