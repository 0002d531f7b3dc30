import { FakeClock } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { LogHold } from '../../src/logging/log-hold.ts'

function createHold() {
  const clock = new FakeClock()
  const hold = new LogHold({ clock })
  const written: string[] = []
  const log = (text: string, level: 'info' | 'warn' = 'info') => hold.take(level, () => written.push(text))
  return { clock, hold, written, log }
}

test('nothing is written while all goes well', () => {
  const { written, log } = createHold()
  log('one')
  log('two')
  expect(written).toEqual([])
})

test('a warning lets out what was before it, and what comes after it', () => {
  const { written, log } = createHold()
  log('one')
  log('odd', 'warn')
  log('two')
  expect(written).toEqual(['one', 'odd', 'two'])
})

test('so does a run that lasts', () => {
  const { clock, written, log } = createHold()
  log('one')
  clock.advance(60_000)
  expect(written).toEqual(['one'])
})

test('and one that says more than is held', () => {
  const { written, log } = createHold()
  for (let line = 0; line < 2_001; line++) log(String(line))
  expect(written).toHaveLength(2_001)
})
