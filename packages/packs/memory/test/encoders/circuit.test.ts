import { FakeClock } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { type Attempt, Circuit } from '../../src/encoders/circuit.ts'

const open = (clock = new FakeClock()) => ({
  clock,
  circuit: new Circuit({ clock, failures: 3, firstPause: 1_000, longestPause: 4_000 }),
})

function enter(circuit: Circuit): Attempt {
  const attempt = circuit.enter()
  if ('wait' in attempt) throw new Error(`refused: ${attempt.reason}`)
  return attempt
}

test('opens after failures in a row, and a success in between starts the count anew', () => {
  const { circuit } = open()
  for (const outcome of ['fail', 'fail', 'succeed', 'fail', 'fail'] as const) enter(circuit)[outcome]('down')
  expect(circuit.refusal()).toBeUndefined()
  enter(circuit).fail('down again')
  expect(circuit.enter()).toEqual({ reason: 'down again', wait: 1_000 })
})

test('lets one try after the pause, and closes when that succeeds', () => {
  const { circuit, clock } = open()
  for (let count = 0; count < 3; count++) enter(circuit).fail('down')
  clock.advance(999)
  expect(circuit.enter()).toMatchObject({ wait: 1 })
  clock.advance(1)
  const trial = enter(circuit)
  expect(circuit.enter()).toEqual({ reason: 'down', wait: 0 })
  trial.succeed()
  expect(circuit.refusal()).toBeUndefined()
})

test('doubles the pause with every trial that fails, up to a bound', () => {
  const { circuit, clock } = open()
  for (let count = 0; count < 3; count++) enter(circuit).fail('down')
  const waits = [2_000, 4_000, 4_000].map(() => {
    clock.advance(circuit.refusal()?.wait ?? 0)
    enter(circuit).fail('down')
    return circuit.refusal()?.wait
  })
  expect(waits).toEqual([2_000, 4_000, 4_000])
})

test('a trial that is given up leaves the next one to try', () => {
  const { circuit, clock } = open()
  for (let count = 0; count < 3; count++) enter(circuit).fail('down')
  clock.advance(1_000)
  enter(circuit).abandon()
  enter(circuit).succeed()
  expect(circuit.refusal()).toBeUndefined()
})

test('waits for as long as was asked for, and opens at once for what only a person can mend', () => {
  const { circuit } = open()
  enter(circuit).fail('too many', { isFinal: true, retryAfter: 30_000 })
  expect(circuit.refusal()).toEqual({ reason: 'too many', wait: 30_000 })
})

test('does not wait a day because somebody asks for it', () => {
  const { circuit } = open()
  enter(circuit).fail('too many', { isFinal: true, retryAfter: 86_400_000 })
  expect(circuit.refusal()?.wait).toBe(300_000)
})

test('what was asked before it opened and fails late changes nothing', () => {
  const { circuit } = open()
  const late = enter(circuit)
  for (let count = 0; count < 3; count++) enter(circuit).fail('down')
  late.fail('late')
  expect(circuit.refusal()).toEqual({ reason: 'down', wait: 1_000 })
})
