import { expect, test } from 'vitest'
import { Turn } from '../../src/http/turn.ts'

/** As whoever has something to do asks. */
function run(turn: Turn, task: () => void): void {
  if (turn.isFirst(task)) task()
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('the first task of a turn runs at once, the others at its end, in their order and in one callback', async () => {
  const turn = new Turn()
  const ran: string[] = []
  const note = (name: string) => (): void => {
    ran.push(name)
    // Between two tasks of one callback nothing else gets its turn.
    void Promise.resolve().then(() => ran.push(`after ${name}`))
  }
  run(turn, note('first'))
  expect(ran).toEqual(['first'])
  run(turn, note('second'))
  run(turn, note('third'))
  await Promise.resolve()
  expect(ran).toEqual(['first', 'after first'])
  await nextTurn()
  expect(ran).toEqual(['first', 'after first', 'second', 'third', 'after second', 'after third'])
})

test('a task that comes once the turn has ended is the first of a new one', async () => {
  const turn = new Turn()
  const ran: string[] = []
  run(turn, () => ran.push('first'))
  await nextTurn()
  run(turn, () => ran.push('second'))
  expect(ran).toEqual(['first', 'second'])
})

test('a task that is added by another one of the same end is not lost', async () => {
  const turn = new Turn()
  const ran: string[] = []
  run(turn, () => ran.push('first'))
  run(turn, () => {
    ran.push('second')
    run(turn, () => ran.push('third'))
    run(turn, () => ran.push('fourth'))
  })
  await nextTurn()
  expect(ran).toEqual(['first', 'second', 'third'])
  await nextTurn()
  expect(ran).toEqual(['first', 'second', 'third', 'fourth'])
})
