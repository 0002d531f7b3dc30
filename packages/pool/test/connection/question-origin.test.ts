import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { PendingRequests } from '../../src/connection/pending-requests.ts'
import { GHOST_MS, QuestionAttribution } from '../../src/connection/question-origin.ts'
import { createCall } from '../helpers/upstream-harness.ts'

function createAttribution() {
  const clock = new FakeClock()
  const pending = new PendingRequests(clock, () => {})
  const add = (id: number, call = createCall({ id: String(id) })) =>
    void pending.add(id, 'tools/call', { timeout: Number.POSITIVE_INFINITY, call })
  return { clock, pending, add, attribution: new QuestionAttribution(clock, pending) }
}

describe('QuestionAttribution', () => {
  it('attributes a question to the only call in flight, and our own requests do not count', () => {
    const { add, pending, attribution } = createAttribution()
    void pending.add(1, 'tools/list', { timeout: Number.POSITIVE_INFINITY })
    expect(attribution.attribute(undefined)).toEqual({ known: false, why: 'no call is in flight' })
    add(2)
    expect(attribution.attribute(undefined)).toMatchObject({ known: true, request: { id: 2 } })
    add(3)
    expect(attribution.attribute(undefined)).toEqual({ known: false, why: '2 calls are in flight' })
  })

  it('believes a stream that names the call, and nothing else then', () => {
    const { add, pending, attribution } = createAttribution()
    void pending.add(1, 'tools/list', { timeout: Number.POSITIVE_INFINITY })
    add(2)
    add(3)
    expect(attribution.attribute(3)).toMatchObject({ known: true, request: { id: 3 } })
    expect(attribution.attribute(1)).toMatchObject({ known: false })
    expect(attribution.attribute(99)).toMatchObject({ known: false })
  })

  it('counts a cancelled call as in flight until its late answer or for 30 s', () => {
    const { add, clock, attribution } = createAttribution()
    add(5)
    attribution.addGhost(4)
    expect(attribution.attribute(undefined).known).toBe(false)
    expect(attribution.removeGhost(4)).toBe(true)
    expect(attribution.removeGhost(4)).toBe(false)
    expect(attribution.attribute(undefined).known).toBe(true)
    attribution.addGhost(4)
    clock.advance(GHOST_MS - 1)
    expect(attribution.attribute(undefined).known).toBe(false)
    clock.advance(1)
    expect(attribution.attribute(undefined).known).toBe(true)
  })

  it('forgets cancelled calls whose time is over even when no question ever comes', () => {
    const { clock, attribution } = createAttribution()
    attribution.addGhost(1)
    clock.advance(GHOST_MS)
    attribution.addGhost(2)
    expect(attribution.removeGhost(1)).toBe(false)
    expect(attribution.removeGhost(2)).toBe(true)
  })
})
