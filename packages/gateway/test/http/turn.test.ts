import { expect, test } from 'vitest'
import { Turn } from '../../src/http/turn.ts'

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the first task of a turn runs at once, the others at its end, in their order and in one callback', async () => {
  const turn = new Turn()
  const ran: string[] = []
  const note = (name: string) => (): void => {
    ran.push(name)
    // Between two tasks of one callback nothing else gets its turn.
    void Promise.resolve().then(() => ran.push(`after ${name}`))
  }
  turn.run(note('first'))
  expect(ran).toEqual(['first'])
  turn.run(note('second'))
  turn.run(note('third'))
  await Promise.resolve()
  expect(ran).toEqual(['first', 'after first'])
  await nextTurn()
  expect(ran).toEqual(['first', 'after first', 'second', 'third', 'after second', 'after third'])
})

test('a task that comes once the turn has ended is the first of a new one', async () => {
  const turn = new Turn()
  const ran: string[] = []
  turn.run(() => ran.push('first'))
  await nextTurn()
  turn.run(() => ran.push('second'))
  expect(ran).toEqual(['first', 'second'])
})

test('a task that is added by another one of the same end is not lost', async () => {
  const turn = new Turn()
  const ran: string[] = []
  turn.run(() => ran.push('first'))
  turn.run(() => {
    ran.push('second')
    turn.run(() => ran.push('third'))
    turn.run(() => ran.push('fourth'))
  })
  await nextTurn()
  expect(ran).toEqual(['first', 'second', 'third'])
  await nextTurn()
  expect(ran).toEqual(['first', 'second', 'third', 'fourth'])
})
