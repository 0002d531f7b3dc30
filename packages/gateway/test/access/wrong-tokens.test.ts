import { FakeClock } from '@switchboard/testkit'
import { expect, it } from 'vitest'
import { WrongTokens } from '../../src/access/wrong-tokens.ts'

/** How long each of so many is held. */
function noteAll(wrong: WrongTokens, count: number, address = '192.0.2.1'): (number | undefined)[] {
  return Array.from({ length: count }, () => wrong.note(address))
}

it('holds the first few not at all, each further one longer, and no more than it can hold', () => {
  const waits = noteAll(new WrongTokens(new FakeClock()), 300)
  expect(waits.slice(0, 12)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 250, 500])
  const held = waits.filter((wait) => wait !== undefined)
  expect(Math.max(...held)).toBe(5_000)
  expect(held).toHaveLength(30)
})

it('lets one after the other through at a steady pace', () => {
  const clock = new FakeClock()
  const wrong = new WrongTokens(clock)
  for (let one = 0; one < 300; one++) clock.advance(wrong.note('192.0.2.1') ?? Number.NaN)
  expect(clock.now()).toBe(290 * 250)
})

it('tells of an address once, when it begins to be slowed', () => {
  const told: string[] = []
  const clock = new FakeClock()
  const wrong = new WrongTokens(clock, (address) => void told.push(address))
  noteAll(wrong, 10)
  expect(told).toEqual([])
  noteAll(wrong, 100)
  expect(told).toEqual(['192.0.2.1'])
  clock.advance(60_000)
  wrong.note('192.0.2.2')
  noteAll(wrong, 11)
  expect(told).toEqual(['192.0.2.1', '192.0.2.1'])
})

it('keeps addresses apart, and those of one network of IPv6 together', () => {
  const wrong = new WrongTokens(new FakeClock())
  noteAll(wrong, 30, '2001:db8:1:2:3:4:5:6')
  expect(wrong.note('2001:db8:1:2:ffff::1')).toBeUndefined()
  expect(wrong.note('2001:db8:1:3::1')).toBe(0)
  noteAll(wrong, 30, '::ffff:192.0.2.1')
  expect(wrong.note('192.0.2.1')).toBeUndefined()
})

it('forgets who has served, and the oldest beyond a thousand', () => {
  const clock = new FakeClock()
  const wrong = new WrongTokens(clock)
  for (let one = 0; one < 5_000; one++) wrong.note(`10.0.${one >> 8}.${one & 255}`)
  expect(wrong.size).toBe(1_000)
  clock.advance(250)
  wrong.note('192.0.2.1')
  expect(wrong.size).toBe(1)
})
