/** Which traces are recorded: what whoever began them has decided, or a share of those that begin here. */
import type { TraceParent } from '@switchboard/protocol/tracing'

export type Sampler = (traceId: string, parent: TraceParent | undefined) => boolean

export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export type SamplerName = (typeof SAMPLERS)[number]

export function createSampler(name: SamplerName, ratio: number): Sampler {
  const decide = createRoot(name, ratio)
  return name.startsWith('parentbased_') ? (traceId, parent) => parent?.isSampled ?? decide(traceId) : decide
}

function createRoot(name: SamplerName, ratio: number): (traceId: string) => boolean {
  if (name.endsWith('always_on')) return () => true
  if (name.endsWith('always_off')) return () => false
  // The last seven bytes are the random ones, and whoever samples the same share by them keeps the same traces.
  const threshold = (1 - ratio) * 2 ** 56
  return (traceId) => ratio > 0 && Number.parseInt(traceId.slice(18), 16) >= threshold
}
