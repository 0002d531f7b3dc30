import { FakeClock } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { DashboardAccess } from '../../src/dashboard/dashboard-access.ts'

const HOUR = 60 * 60_000

test('a link is good once, and gives a session that is none before', () => {
  const access = new DashboardAccess(new FakeClock())
  const link = access.createLink()
  expect(access.isSession(link)).toBe(false)
  const session = access.enter(link) ?? ''
  expect(access.isSession(session)).toBe(true)
  expect(access.enter(link)).toBeUndefined()
  expect(access.enter(session)).toBeUndefined()
})

test('a link is too old after an hour, a session that nobody uses after twelve', () => {
  const clock = new FakeClock()
  const access = new DashboardAccess(clock)
  const old = access.createLink()
  clock.advance(HOUR)
  expect(access.enter(old)).toBeUndefined()
  const session = access.enter(access.createLink()) ?? ''
  clock.advance(11 * HOUR)
  expect(access.isSession(session)).toBe(true)
  clock.advance(11 * HOUR)
  expect(access.isSession(session)).toBe(true)
  clock.advance(12 * HOUR)
  expect(access.isSession(session)).toBe(false)
})

test('a session that was left is gone, and others stay', () => {
  const access = new DashboardAccess(new FakeClock())
  const [one = '', other = ''] = [access.enter(access.createLink()), access.enter(access.createLink())]
  access.leave(one)
  expect([access.isSession(one), access.isSession(other)]).toEqual([false, true])
})

test('of very many links the oldest go', () => {
  const access = new DashboardAccess(new FakeClock())
  const first = access.createLink()
  for (let count = 0; count < 64; count++) access.createLink()
  expect(access.enter(first)).toBeUndefined()
})
