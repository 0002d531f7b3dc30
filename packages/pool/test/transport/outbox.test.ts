import { createNotification, createRequest } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { Outbox } from '../../src/transport/http/outbox.ts'

function createOutbox() {
  const delivered: string[] = []
  const outbox: Outbox = new Outbox(({ message }) => {
    const method = 'method' in message ? message.method : 'response'
    delivered.push(method)
    if (method === 'first') outbox.hold()
  })
  const add = (id: number | undefined, method: string): void =>
    outbox.add({
      message: id === undefined ? createNotification(method) : createRequest(id, method),
      options: undefined,
    })
  return { outbox, delivered, add }
}

describe('Outbox', () => {
  it('keeps what is added in order until it is released', () => {
    const { outbox, delivered, add } = createOutbox()
    add(1, 'a')
    add(2, 'b')
    expect(delivered).toEqual([])
    outbox.release()
    add(3, 'c')
    expect(delivered).toEqual(['a', 'b', 'c'])
  })

  it('stops in the middle of releasing when a delivery holds it again', () => {
    const { outbox, delivered, add } = createOutbox()
    add(undefined, 'first')
    add(1, 'later')
    outbox.release()
    expect(delivered).toEqual(['first'])
    outbox.release()
    expect(delivered).toEqual(['first', 'later'])
  })

  it('forgets a request that is dropped before its turn, and says whether it was there', () => {
    const { outbox, delivered, add } = createOutbox()
    add(1, 'a')
    add(2, 'b')
    expect(outbox.drop(1)).toBe(true)
    expect(outbox.drop(7)).toBe(false)
    outbox.release()
    expect(delivered).toEqual(['b'])
  })
})
