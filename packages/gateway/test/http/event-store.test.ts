import { describe, expect, it } from 'vitest'
import { EventStore } from '../../src/http/event-store.ts'

const LIMITS = { maxEvents: 3, maxSize: 10, maxAgeMs: 100 }

function sequencesOf(store: EventStore, stream: number, after = 0): number[] {
  return store.after(stream, after).map(({ sequence }) => sequence)
}

describe('the store of sent events', () => {
  it('gives the events of one stream after a sequence, in order', () => {
    const store = new EventStore(LIMITS)
    store.append({ stream: 1, sequence: 1, data: 'a' }, 0, false)
    store.append({ stream: 2, sequence: 1, data: 'b' }, 0, false)
    store.append({ stream: 1, sequence: 2, data: 'c' }, 0, false)
    expect(sequencesOf(store, 1)).toEqual([1, 2])
    expect(sequencesOf(store, 1, 1)).toEqual([2])
    expect(sequencesOf(store, 3)).toEqual([])
  })

  it('drops the oldest over its number and over its size', () => {
    const store = new EventStore(LIMITS)
    for (let sequence = 1; sequence <= 5; sequence++) store.append({ stream: 1, sequence, data: 'x' }, 0, false)
    expect(sequencesOf(store, 1)).toEqual([3, 4, 5])
    store.append({ stream: 1, sequence: 6, data: 'x'.repeat(9) }, 0, false)
    expect(sequencesOf(store, 1)).toEqual([5, 6])
  })

  it('keeps what is too large only when nobody has read it', () => {
    const store = new EventStore(LIMITS)
    store.append({ stream: 1, sequence: 1, data: 'x'.repeat(11) }, 0, false)
    expect(store.count).toBe(0)
    store.append({ stream: 1, sequence: 2, data: 'x'.repeat(11) }, 0, true)
    expect(sequencesOf(store, 1)).toEqual([2])
    store.append({ stream: 1, sequence: 3, data: 'x' }, 0, false)
    expect(sequencesOf(store, 1)).toEqual([3])
  })

  it('forgets what is old', () => {
    const store = new EventStore(LIMITS)
    store.append({ stream: 1, sequence: 1, data: 'a' }, 0, false)
    store.append({ stream: 1, sequence: 2, data: 'b' }, 50, false)
    store.expire(100)
    expect(sequencesOf(store, 1)).toEqual([2])
    store.expire(150)
    expect(store.count).toBe(0)
  })
})
