import { machineTime } from '@switchboard/base'
import { expect, it } from 'vitest'

it('the clock of the machine goes as that of the process does, from another beginning', () => {
  const [first, second] = [machineTime(1_000), machineTime(3_500)]
  expect(second - first).toBeCloseTo(2_500, 0)
  expect(machineTime()).toBeGreaterThan(performance.now() - 1)
})
