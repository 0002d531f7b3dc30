import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import type { FakeServerScript } from '../helpers/fake-server.ts'
import { EXITED } from '../helpers/fake-transport.ts'
import { createHarness, createTool, hold } from '../helpers/upstream-harness.ts'

type Script = NonNullable<FakeServerScript['on']>

const MOODS: readonly Script[] = [
  {},
  { 'tools/call': hold },
  { 'tools/call': hold, ping: hold },
  { 'tools/call': hold, ping: hold, 'tools/list': hold },
  { initialize: hold },
  { initialize: () => ({ exit: EXITED }) },
  { 'tools/call': () => ({ exit: EXITED }) },
  { 'tools/call': () => ({ error: { code: -32000, message: 'no' } }) },
]

/** One life of a server with everything that can happen to it, in an order that the seed decides. */
async function live(seed: number) {
  const random: SeededRandom = createSeededRandom(seed)
  const harness = createHarness({
    server: { tools: [createTool('read', { annotations: { readOnlyHint: true } }), createTool('write')] },
    config: { concurrency: 3, idleTimeout: random.below(2) === 0 ? undefined : 20_000, timeout: 15_000 },
  })
  const { clock, server, upstream, callTool } = harness
  const aborters: AbortController[] = []
  let made = 0
  let settled = 0
  const actions: (() => void)[] = [
    () => {
      const aborter = new AbortController()
      aborters.push(aborter)
      made++
      const timeout = random.pick([500, 5000, 60_000])
      const outcome = callTool(random.pick(['read', 'write', 'unknown']), {}, { signal: aborter.signal, timeout })
      const settle = (): void => void settled++
      outcome.then(settle, settle)
    },
    () => {
      if (aborters.length > 0) random.pick(aborters).abort()
    },
    () => server.starts.at(-1)?.simulateExit(),
    () => {
      server.script.on = random.pick(MOODS)
    },
    () => {
      const requests = server.starts.at(-1)?.requests('tools/call') ?? []
      if (requests.length > 0) server.current.simulateResult(random.pick(requests).id, { content: [] })
    },
    () => server.starts.at(-1)?.simulateQuestion('q', 'roots/list'),
    () => server.starts.at(-1)?.simulateNotification('notifications/tools/list_changed'),
    () => {
      if (random.below(5) === 0) upstream.restart()
    },
    () => {
      server.script.closesSlowly = random.below(2) === 0
    },
    () => {
      for (const start of server.starts) start.simulateClosed()
    },
    () => clock.jumpWallTime((random.below(3) - 1) * 86_400_000),
  ]
  let mostAlive = 0
  for (let step = 0; step < 120; step++) {
    random.pick(actions)()
    if (random.below(2) === 0) await clock.advanceAsync(random.pick([0, 10, 400, 3000, 30_000]))
    mostAlive = Math.max(mostAlive, server.alive)
  }
  const stopping = upstream.stop()
  for (const start of server.starts) start.simulateClosed()
  server.script.closesSlowly = false
  await clock.advanceAsync(0)
  await stopping
  const startsAtStop = server.starts.length
  // A question to the agent's side and a handshake measure real or long time; everything else ends with the stop.
  await clock.advanceAsync(3600_000)
  return { harness, made, settled, mostAlive, startsAtStop }
}

describe('any life of a server', () => {
  it('settles every call once, never has two processes, and leaves nothing behind when it is stopped', async () => {
    let calls = 0
    let restarts = 0
    for (let seed = 1; seed <= 40; seed++) {
      const { harness, made, settled, mostAlive, startsAtStop } = await live(seed)
      const { clock, server, upstream } = harness
      const { state, inFlight, queued } = upstream.status()
      expect(
        { made, mostAlive, state, inFlight, queued, timers: clock.pendingTimers(), starts: server.starts.length },
        `seed ${seed}`,
      ).toEqual({
        made: settled,
        mostAlive: Math.min(1, mostAlive),
        state: 'stopped',
        inFlight: 0,
        queued: 0,
        timers: [],
        starts: startsAtStop,
      })
      calls += made
      restarts += startsAtStop
    }
    expect(calls).toBeGreaterThan(300)
    expect(restarts).toBeGreaterThan(100)
  })
})
