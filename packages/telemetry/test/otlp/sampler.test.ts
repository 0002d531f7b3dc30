import { createTraceId } from '@switchboard/protocol'
import { expect, it } from 'vitest'
import { createSampler, SAMPLERS } from '../../src/otlp/exporter/sampler.ts'

const parent = (isSampled: boolean) => ({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled })
const ids = Array.from({ length: 4_000 }, createTraceId)

it.each([
  ['always_on', 1, [1, 1, 1]],
  ['always_off', 1, [0, 0, 0]],
  ['traceidratio', 0.25, [0.25, 0.25, 0.25]],
  ['parentbased_always_on', 1, [1, 1, 0]],
  ['parentbased_always_off', 1, [0, 1, 0]],
  ['parentbased_traceidratio', 0.25, [0.25, 1, 0]],
] as const)(
  '%s decides about what begins here, what a client has sampled, and what it has not',
  (name, ratio, shares) => {
    const sample = createSampler(name, ratio)
    const shareOf = (from?: ReturnType<typeof parent>): number =>
      ids.filter((id) => sample(id, from)).length / ids.length
    const seen = [shareOf(), shareOf(parent(true)), shareOf(parent(false))]
    for (const [index, share] of shares.entries()) expect(Math.abs((seen[index] ?? -1) - share)).toBeLessThan(0.04)
  },
)

it('a share of none and of all is none and all, and one trace is always judged alike', () => {
  expect(ids.some((id) => createSampler('traceidratio', 0)(id, undefined))).toBe(false)
  expect(ids.every((id) => createSampler('traceidratio', 1)(id, undefined))).toBe(true)
  const [first, second] = [createSampler('traceidratio', 0.5), createSampler('traceidratio', 0.5)]
  expect(ids.every((id) => first(id, undefined) === second(id, undefined))).toBe(true)
  expect(SAMPLERS).toHaveLength(6)
})
