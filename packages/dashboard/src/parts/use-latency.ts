import type { LatencyPoint } from '@switchboard/daemon/client'
import { useState } from 'preact/hooks'
import { useAnswer } from '../link/use-answer.ts'

const MOST_POINTS = 400

/** What the audit trail knows of the last minutes, and what is told from now on. `server`: empty for all. */
export function useLatency(server: string): {
  readonly points: readonly LatencyPoint[]
  add(point: LatencyPoint | undefined): void
} {
  const { answer } = useAnswer<{ points: readonly LatencyPoint[] }>('history', server === '' ? {} : { server })
  const [live, setLive] = useState<readonly LatencyPoint[]>([])
  const [begun] = useState(() => Date.now() / 1_000)
  const past = answer.state === 'there' ? answer.value.points.filter(({ t }) => t < begun) : []
  return {
    points: [...past, ...live],
    add: (point) => {
      if (point !== undefined) setLive((before) => [...before.slice(-MOST_POINTS), point])
    },
  }
}
