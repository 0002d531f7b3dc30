/** The numbers are those of the list in `question-origin.ts`. */
import { FakeClock } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { GHOST_MS, QUESTION_WAIT_MS, QuestionAttribution } from '../../src/connection/question-origin.ts'
import { createServerRequests, type ServerRequest } from '../../src/connection/server-requests.ts'
import { createCall } from '../helpers/upstream-harness.ts'

const { caller } = createCall()
const BOUNDLESS = { timeout: Number.POSITIVE_INFINITY }

function createAttribution() {
  const clock = new FakeClock()
  const pending = createServerRequests(clock, {
    onAbandoned: (request) => attribution.addGhost(request),
    onReleased: ({ id }) => attribution.onReleased(id),
  })
  const attribution = new QuestionAttribution(clock, pending)
  /** `session`: of which agent; absent: of one that nobody can tell from others. */
  const add = (id: number, session?: string, signal?: AbortSignal): ServerRequest => {
    const call = createCall({ caller: session === undefined ? caller : { ...caller, session } })
    const answer = pending.add(id, 'tools/call', { ...BOUNDLESS, call, signal })
    answer.catch(() => {})
    pending.watch(id)
    return pending.get(id) as ServerRequest
  }
  const end = (id: number): void => pending.take(id)?.resolve({})
  const settle = (signal = new AbortController().signal) => {
    let verdict: unknown = 'waits'
    void attribution
      .open(undefined)
      .settle(signal)
      .then(({ known, requests }) => {
        verdict = known ? requests.map(({ id }) => id) : 'declined'
      })
    return async () => {
      await clock.advanceAsync(0)
      return verdict
    }
  }
  return { clock, pending, add, end, settle, attribution }
}

describe('QuestionAttribution', () => {
  it('attributes a question to the only call in flight, and our own requests do not count', () => {
    const { add, pending, attribution } = createAttribution()
    void pending.add(1, 'tools/list', BOUNDLESS)
    expect(attribution.attribute(undefined)).toMatchObject({ known: false, why: 'no call is in flight' })
    add(2)
    expect(attribution.attribute(undefined)).toMatchObject({ known: true, requests: [{ id: 2 }] })
    add(3)
    expect(attribution.attribute(undefined)).toMatchObject({
      known: false,
      why: '2 calls of several agents are in flight',
    })
  })

  it('attributes a question to the calls of one agent, however many there are', () => {
    const { add, attribution } = createAttribution()
    for (const id of [1, 2, 3]) add(id, 'ann')
    expect(attribution.attribute(undefined)).toMatchObject({ known: true, requests: [{ id: 1 }, { id: 2 }, { id: 3 }] })
    add(4, 'bob')
    expect(attribution.attribute(undefined).known).toBe(false)
  })

  it('believes a stream that names the call, and nothing else then', () => {
    const { add, pending, attribution } = createAttribution()
    void pending.add(1, 'tools/list', BOUNDLESS)
    add(2)
    add(3)
    expect(attribution.attribute(3)).toMatchObject({ known: true, requests: [{ id: 3 }] })
    expect(attribution.attribute(1)).toMatchObject({ known: false })
    expect(attribution.attribute(99)).toMatchObject({ known: false })
  })

  it('waits until only one agent can be meant; calls that came later never are (1)', async () => {
    const { add, end, settle } = createAttribution()
    add(1, 'ann')
    add(2, 'bob')
    add(3, 'bob')
    add(4, 'cid')
    const verdict = settle()
    add(5, 'dan')
    expect(await verdict()).toBe('waits')
    end(1)
    expect(await verdict()).toBe('waits')
    end(4)
    expect(await verdict()).toEqual([2, 3])
  })

  it('declines what it has waited for in vain, what is taken back, and what nobody is left for (1)', async () => {
    const { add, end, settle, clock } = createAttribution()
    for (const id of [1, 2, 3, 4]) add(id)
    const late = settle()
    await clock.advanceAsync(QUESTION_WAIT_MS - 1)
    expect(await late()).toBe('waits')
    const aborter = new AbortController()
    const takenBack = settle(aborter.signal)
    aborter.abort()
    expect(await takenBack()).toBe('declined')
    expect(await late()).toBe('waits')
    await clock.advanceAsync(1)
    expect(await late()).toBe('declined')
    const alone = settle()
    for (const id of [1, 2, 3, 4]) end(id)
    expect(await alone()).toBe('declined')
    expect(clock.pendingTimers()).toEqual([])
  })

  it('declines all at once when every call may have an open question (2)', async () => {
    const { add, settle } = createAttribution()
    add(1, 'ann')
    add(2, 'bob')
    const first = settle()
    expect(await first()).toBe('waits')
    const second = settle()
    expect([await first(), await second()]).toEqual(['declined', 'declined'])
  })

  it('counts a cancelled call as in flight for other agents until its late answer (3)', () => {
    const { add, end, attribution } = createAttribution()
    const ghost = add(4, 'ann')
    end(4)
    attribution.addGhost(ghost)
    add(5, 'bob')
    expect(attribution.attribute(undefined).known).toBe(false)
    expect(attribution.removeGhost(4)).toBe(true)
    expect(attribution.removeGhost(4)).toBe(false)
    expect(attribution.attribute(undefined).known).toBe(true)
  })

  it('counts a call that is given up as in flight from that moment on (3)', async () => {
    const { add, settle, clock, attribution } = createAttribution()
    const aborter = new AbortController()
    add(1, 'ann', aborter.signal)
    add(2, 'bob')
    const verdict = settle()
    aborter.abort()
    expect(await verdict()).toBe('declined')
    await clock.advanceAsync(GHOST_MS - 1)
    expect(attribution.attribute(undefined).known).toBe(false)
    await clock.advanceAsync(1)
    expect(attribution.attribute(undefined).known).toBe(true)
  })

  it('does not hold a cancelled call against other calls of the same agent (3)', () => {
    const { add, attribution } = createAttribution()
    const aborter = new AbortController()
    add(1, 'ann', aborter.signal)
    aborter.abort()
    add(2, 'ann')
    expect(attribution.attribute(undefined)).toMatchObject({ known: true, requests: [{ id: 2 }] })
    add(3, 'bob')
    expect(attribution.attribute(undefined).known).toBe(false)
  })

  it('forgets cancelled calls whose time is over even when no question ever comes', () => {
    const { add, clock, attribution } = createAttribution()
    attribution.addGhost(add(1))
    clock.advance(GHOST_MS)
    attribution.addGhost(add(2))
    expect(attribution.removeGhost(1)).toBe(false)
    expect(attribution.removeGhost(2)).toBe(true)
  })

  it('tells when a request is over that somebody is asked through', () => {
    const { add, end, attribution } = createAttribution()
    const request = add(1)
    const over = attribution.open(undefined).watch(request)
    expect(over.aborted).toBe(false)
    expect(attribution.open(undefined).watch(request)).toBe(over)
    end(1)
    expect(over.aborted).toBe(true)
    expect(attribution.open(undefined).watch(request).aborted).toBe(true)
  })
})
