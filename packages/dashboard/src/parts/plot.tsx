/** How long calls take, as it goes on. Drawn by uPlot; told in words as well. */
import type { LatencyPoint } from '@switchboard/daemon/client'
import { useEffect, useRef } from 'preact/hooks'
import uPlot from 'uplot'
import { formatMs, formatTime } from './format.ts'

const HEIGHT = 180
/** What the plot shows. */
const SPAN_SECONDS = 300

/** Of few, which no line leads to. */
const SINGLE: uPlot.Series.Points = { size: 5, show: (_, __, from, to) => to - from < 3 }

/** Times, calls a second, p50, p95: what comes later is drawn over what was before. */
type Columns = [number[], number[], (number | null)[], (number | null)[]]

export function LatencyPlot({ points, of }: { readonly points: readonly LatencyPoint[]; readonly of: string }) {
  const holder = useRef<HTMLDivElement>(null)
  const plot = useRef<uPlot | null>(null)
  useEffect(() => {
    const element = holder.current
    if (element === null) return
    const create = (): void => {
      plot.current?.destroy()
      plot.current = new uPlot(createOptions(element), [[], [], [], []], element)
    }
    create()
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: element.clientWidth, height: HEIGHT }))
    resized.observe(element)
    const dark = matchMedia('(prefers-color-scheme: dark)')
    dark.addEventListener('change', create)
    return () => {
      dark.removeEventListener('change', create)
      resized.disconnect()
      plot.current?.destroy()
    }
  }, [])
  useEffect(() => {
    const now = Date.now() / 1_000
    plot.current?.setData(toColumns(points, now), false)
    plot.current?.setScale('x', { min: now - SPAN_SECONDS, max: now })
  }, [points])
  const last = points.findLast(({ calls }) => calls > 0)
  const told =
    last === undefined
      ? `No call of ${of} in the last minutes.`
      : `Latest: half of the calls within ${formatMs(last.p50)}, 95 % within ${formatMs(last.p95)}.`
  return (
    <figure class="plot">
      <figcaption>
        <span>Latency of {of}, the last five minutes</span>
        <span class="legend" aria-hidden="true">
          <i class="key key-p50" /> p50 <i class="key key-p95" /> p95 <i class="key key-calls" /> calls a second
        </span>
      </figcaption>
      <div ref={holder} class="plot-area" role="img" aria-label={`Latency of ${of}. ${told}`} />
      <p class="plot-told">{told}</p>
    </figure>
  )
}

/** Of this person's own day, as the lists write it. */
function formatClock(seconds: number): string {
  return formatTime(new Date(seconds * 1_000).toISOString()).slice(0, 8)
}

function toColumns(points: readonly LatencyPoint[], now: number): Columns {
  const recent = points.filter(({ t }) => t >= now - SPAN_SECONDS - 5)
  return [
    recent.map(({ t }) => t),
    recent.map(({ t, calls }, at) => calls / Math.max(1, Math.min(5, t - (recent[at - 1]?.t ?? t - 5)))),
    recent.map(({ p50 }) => p50),
    recent.map(({ p95 }) => p95),
  ]
}

function createOptions(element: HTMLElement): uPlot.Options {
  // A colour that differs by scheme is told as it looks only where it is used.
  const color = (name: string): string => {
    element.style.color = `var(${name})`
    return getComputedStyle(element).color
  }
  const axis = {
    stroke: color('--quiet'),
    grid: { stroke: color('--line'), width: 1 },
    ticks: { stroke: color('--line'), width: 1 },
    font: '11px system-ui',
  }
  return {
    width: element.clientWidth,
    height: HEIGHT,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: true },
      ms: { range: (_, __, most) => [0, Math.max(1, (most ?? 1) * 1.15)] },
      rate: { range: (_, __, most) => [0, Math.max(1, (most ?? 1) * 3)] },
    },
    axes: [
      { ...axis, size: 30, values: (_, values) => values.map(formatClock) },
      { ...axis, scale: 'ms', size: 62, values: (_, values) => values.map((value) => formatMs(value)) },
    ],
    series: [
      {},
      { scale: 'rate', stroke: color('--calls'), fill: color('--calls-fill'), width: 1, points: { show: false } },
      { scale: 'ms', stroke: color('--p50'), width: 2, spanGaps: true, points: SINGLE },
      { scale: 'ms', stroke: color('--p95'), width: 1.5, dash: [4, 3], spanGaps: true, points: SINGLE },
    ],
  }
}
