import { createMemoryLogger } from '@switchboard/telemetry'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { endWindow } from '../src/end-window.ts'

describe('the end of a window', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
  afterEach(() => void vi.useRealTimers())

  const STEP_MS = 50
  const never = (): Promise<void> => new Promise(() => undefined)
  const takeTurns = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
  }

  /** In the time that only moves here; undefined: it did not end in a minute. */
  async function timeOf(ended: Promise<void>): Promise<number | undefined> {
    let isEnded = false
    void ended.then(() => {
      isEnded = true
    })
    for (let elapsed = 0; elapsed <= 60_000; elapsed += STEP_MS) {
      await takeTurns()
      if (isEnded) return elapsed
      await vi.advanceTimersByTimeAsync(STEP_MS)
    }
    return undefined
  }

  function createWindow() {
    const steps: string[] = []
    const log = createMemoryLogger({ inst: 'tt79-6f854d' })
    const part = (name: string) => ({ dispose: () => void steps.push(name) })
    const provider = { ...part('provider'), shutdown: () => void steps.push('shutdown') }
    return { steps, log, part, server: { registration: part('registration'), provider } }
  }
  const told = ({ entries }: ReturnType<typeof createMemoryLogger>) =>
    entries.map(({ msg }) => msg).filter((msg) => !msg.startsWith('step'))

  test('takes the server back first, ends what is debugged, and then the rest in its order', async () => {
    const { steps, log, part, server } = createWindow()
    const endPrograms = async () => void steps.push('programs')
    expect(await timeOf(endWindow({ log, server, endPrograms, rest: [part('bridge'), part('link')] }))).toBeLessThan(
      2 * STEP_MS,
    )
    expect(steps).toEqual(['registration', 'shutdown', 'provider', 'programs', 'bridge', 'link'])
    expect(told(log)).toEqual(['deactivating', 'deactivated'])
  })

  test('comes within two seconds, also where neither a program nor the disk ends, and says what it left', async () => {
    const { steps, log, part, server } = createWindow()
    const stuck = Object.assign(log, { close: never })
    const ended = endWindow({ log: stuck, server, endPrograms: never, rest: [part('bridge')] })
    expect(await timeOf(ended)).toBeLessThanOrEqual(2_000)
    expect(steps).toEqual(['registration', 'shutdown', 'provider', 'bridge'])
    expect(told(log)).toEqual([
      'deactivating',
      'what agents debug has not ended in time: it is left to the guard',
      'deactivated',
    ])
  })

  test('comes to all of its parts, whichever of them fails', async () => {
    const { steps, log, part, server } = createWindow()
    const fail = (what: string) => () => {
      throw new Error(`${what} is gone`)
    }
    const broken = { ...server, registration: { dispose: fail('the registration') } }
    const endPrograms = async () => fail('the debugger')()
    await timeOf(endWindow({ log, server: broken, endPrograms, rest: [{ dispose: fail('the bridge') }, part('link')] }))
    expect(steps).toEqual(['link'])
    expect(told(log)).toEqual([
      'deactivating',
      'a part did not end: the registration is gone',
      'a part did not end: the debugger is gone',
      'a part did not end: the bridge is gone',
      'deactivated',
    ])
  })
})
