import { createLimitedLogger, createMemoryLogger } from '@switchboard/telemetry'
import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'

function createLog(bytesPerSecond = 10_000, burstBytes = 20_000) {
  const clock = new FakeClock()
  const memory = createMemoryLogger({ level: 'info' })
  const log = createLimitedLogger(memory, { clock, bytesPerSecond, burstBytes })
  const count = (cat: string): number => memory.entries.filter((entry) => entry.cat === cat).length
  return { clock, memory, log, count }
}

describe('a logger of what others decide the amount of', () => {
  it('writes a burst as it is', () => {
    const { log, memory } = createLog()
    for (let line = 0; line < 50; line++) log.info('server.stderr', `line ${line}`)
    expect(memory.entries).toHaveLength(50)
  })

  it('leaves out what is beyond, and says how much, even when nothing follows', () => {
    const { log, clock, memory, count } = createLog()
    for (let line = 0; line < 10_000; line++) log.info('server.stderr', 'x'.repeat(100))
    const written = count('server.stderr')
    expect(written).toBeGreaterThan(50)
    expect(written).toBeLessThan(100)
    clock.advance(1_000)
    expect(memory.entries.at(-1)).toMatchObject({
      level: 'warn',
      cat: 'log.flood',
      msg: expect.stringContaining(`${10_000 - written} lines were left out here`),
      data: { lines: 10_000 - written, characters: (10_000 - written) * 100 },
    })
  })

  it('bounds what a flood writes by the time it lasts', () => {
    const { log, clock, count } = createLog()
    for (let second = 0; second < 100; second++) {
      for (let line = 0; line < 1_000; line++) log.info('server.stderr', 'x'.repeat(100))
      clock.advance(1_000)
    }
    expect(count('server.stderr') * 300).toBeLessThanOrEqual(20_000 + 100 * 10_000)
    expect(count('log.flood')).toBeGreaterThan(10)
  })

  it('writes again when the flood is over, with the count before', () => {
    const { log, clock, memory } = createLog()
    for (let line = 0; line < 1_000; line++) log.warn('server.stderr', 'x'.repeat(100))
    clock.advance(900)
    clock.advance(900)
    log.child({ inst: 'other' }).info('server.stderr', 'after')
    expect(memory.entries.slice(-2).map(({ cat, msg }) => [cat, msg.slice(0, 5)])).toEqual([
      ['log.flood', expect.any(String)],
      ['server.stderr', 'after'],
    ])
  })

  it('counts nothing that is below the level, and tells what is left when it is closed', async () => {
    const { log, memory } = createLog()
    for (let line = 0; line < 10_000; line++) log.debug('server.stderr', 'not written anyway')
    expect(memory.entries).toEqual([])
    log.info('server.stderr', 'x'.repeat(30_000))
    await log.close()
    expect(memory.entries.map(({ cat }) => cat)).toEqual(['log.flood'])
  })
})
