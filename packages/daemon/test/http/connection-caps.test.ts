import { createMemoryLogger } from '@switchboard/telemetry'
import { describe, expect, it } from 'vitest'
import { ConnectionCaps } from '../../src/http/connection-caps.ts'

function createCaps(limit: number | undefined, servers = 2) {
  const log = createMemoryLogger()
  let now = Date.parse('2026-11-16T12:00:00Z')
  const caps = new ConnectionCaps({ limit, log, servers: () => servers, now: () => now })
  return { caps, log, pass: (ms: number) => (now += ms) }
}

describe('the connections that may be open at once', () => {
  it.each([64, 256, 1024, 4096])('leave handles for servers, logs and answers under a limit of %i files', (limit) => {
    const { caps } = createCaps(limit)
    expect(caps.http.most + caps.socket.most).toBeLessThanOrEqual(limit - 44)
    expect(caps.http.most).toBeGreaterThanOrEqual(4)
  })

  it('are fewer where there are more servers, but never none', () => {
    expect(createCaps(256, 20).caps.http.most).toBeLessThan(createCaps(256, 1).caps.http.most)
    expect(createCaps(64, 1000).caps.socket.most).toBe(4)
  })

  it('have a bound of their own where the system has none', () => {
    const { caps } = createCaps(undefined)
    expect(caps.http.most).toBe(10_000)
    expect(caps.socket.most).toBe(2_048)
    expect(caps.status()).toEqual({
      file_limit: null,
      http: { most: 10_000, refused: 0 },
      socket: { most: 2_048, refused: 0 },
    })
  })

  it('are counted when they are refused, and told once a minute', () => {
    const { caps, log, pass } = createCaps(64)
    for (let count = 0; count < 100; count++) caps.http.onRefused()
    caps.socket.onFailed(new Error('accept EMFILE'))
    expect(log.entries.map(({ cat, msg }) => `${cat}: ${msg}`)).toEqual([
      expect.stringMatching(
        /^gateway.connections: connections over HTTP were refused, 1 so far: at most 6 .* 64 files/,
      ),
      "gateway.connections: a connection to the daemon's socket could not be taken in: accept EMFILE",
    ])
    pass(60_000)
    caps.http.onRefused()
    expect(log.entries).toHaveLength(3)
    expect(caps.status()).toMatchObject({
      file_limit: 64,
      http: { refused: 101 },
      socket: { refused: 1 },
      last_refused_at: '2026-11-16T12:01:00.000Z',
    })
  })
})
