/** A process that starts many servers and then keeps still: how long that takes, and how large we are with them. */
import { setTimeout as delay } from 'node:timers/promises'
import type { FleetResult, FleetSetup } from './driver-protocol.ts'

interface Fleet {
  close(): Promise<void>
}

// Written by `runFleet` in exactly this shape.
const setup = JSON.parse(process.argv[2] ?? '') as FleetSetup

// What is not the start itself (loading code, reading the configuration) is done before the clock runs.
const begin = await prepare(setup)
const begun = performance.now()
const fleet = await begin()
const startMs = performance.now() - begun
if (setup.measureMemory) await settle()
const { rss, heapUsed } = process.memoryUsage()
const result: FleetResult = { startMs, rssBytes: rss, heapBytes: heapUsed }
process.send?.(result)
process.once('disconnect', () => void fleet.close().finally(() => process.exit(0)))

async function prepare({ kind, servers, server, folder }: FleetSetup): Promise<() => Promise<Fleet>> {
  if (kind === 'empty') return async () => ({ close: async () => {} })
  // Imported here only: an empty process must hold nobody's code.
  if (kind === 'bare') {
    const { BareClient } = await import('./bare-client.ts')
    return async () => {
      const clients = Array.from({ length: servers }, () => new BareClient(server))
      await Promise.all(clients.map((client) => client.shakeHands()))
      return { close: async () => void (await Promise.all(clients.map((client) => client.close()))) }
    }
  }
  const { createPool } = await import('./echo-caller.ts')
  const names = Array.from({ length: servers }, (_, index) => `server-${index + 1}`)
  const { pool, close } = createPool(Object.fromEntries(names.map((name) => [name, server])), folder)
  return async () => {
    pool.start()
    await pool.ready()
    const late = pool.status().filter(({ state }) => state !== 'ready')
    if (late.length > 0) throw new Error(`${late.length} of ${servers} servers are not ready: ${late[0]?.state}`)
    return { close }
  }
}

/** Collects until the size stands still. */
async function settle(): Promise<void> {
  let last = Number.POSITIVE_INFINITY
  for (let round = 0; round < 20; round++) {
    globalThis.gc?.()
    await delay(100)
    const { rss } = process.memoryUsage()
    if (Math.abs(last - rss) < 128 * 1024) return
    last = rss
  }
}
