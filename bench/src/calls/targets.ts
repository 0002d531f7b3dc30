/** What we promise of a call through the pool, and whether this run kept it. Each promise is judged by its worst cell. */
import type { Cell, CellResult, Column } from './measure-calls.ts'
import type { MemoryResult } from './measure-fleet.ts'

export interface Target {
  readonly name: string
  readonly limit: string
  readonly measured: string
  readonly met: boolean
}

interface Measured {
  readonly cell: Cell
  readonly value: number
}

export function judgeTargets(cells: readonly CellResult[], memory: MemoryResult): Target[] {
  const stdio = cells.filter(({ cell }) => cell.transport === 'stdio')
  const payloads = [...new Set(stdio.map(({ cell }) => cell.bytes))]
  const targets = payloads.flatMap((bytes) => {
    const ofPayload = stdio.filter(({ cell }) => cell.bytes === bytes)
    const values = (read: (column: Column) => number): Measured[] =>
      ofPayload.flatMap(({ cell, columns }) => {
        const column = findOurs(cell, columns)
        return column === undefined ? [] : [{ cell, value: read(column) }]
      })
    const busiest = Math.max(...ofPayload.map(({ cell }) => cell.concurrency))
    const throughput = values(({ ratio }) => ratio.throughput).filter(({ cell }) => cell.concurrency === busiest)
    const label = formatBytes(bytes)
    return [
      judgeAtMost(
        `p50, ${label}`,
        values(({ ratio }) => ratio.p50),
        1.5,
        '× direct',
        2,
      ),
      judgeAtLeast(`throughput at ${busiest}, ${label}`, throughput, 0.85, '× direct', 2),
      judgeAtMost(
        `our CPU a call, ${label}`,
        values(({ cpuMsPerCall }) => cpuMsPerCall),
        0.2,
        ' ms',
        3,
      ),
      judgeAtMost(
        `our CPU a call, ${label}`,
        values(({ ratio }) => ratio.cpu),
        2,
        '× the bare pump',
        2,
      ),
    ]
  })
  const largest = memory.rows.at(-1)
  if (largest === undefined) return targets
  const met = largest.overEmptyMB < 120
  const measured = `${largest.overEmptyMB.toFixed(1)} MB (${largest.rssMB.toFixed(1)} MB in all)`
  const name = `memory of ${largest.upstreams} idle upstreams, over an empty process`
  return [...targets, { name, limit: '< 120 MB', measured, met }]
}

/** Above the default limit of calls in flight, what counts is a server configured for them. */
function findOurs(cell: Cell, columns: readonly Column[]): Column | undefined {
  const name = cell.concurrency > 16 ? 'pool-64' : 'pool'
  return columns.find((column) => column.name === name)
}

function judgeAtMost(name: string, values: Measured[], limit: number, unit: string, digits: number): Target {
  const worst = values.reduce((one, other) => (other.value > one.value ? other : one))
  return { name, limit: `≤ ${limit}${unit}`, measured: describe(worst, unit, digits), met: worst.value <= limit }
}

function judgeAtLeast(name: string, values: Measured[], limit: number, unit: string, digits: number): Target {
  const worst = values.reduce((one, other) => (other.value < one.value ? other : one))
  return { name, limit: `≥ ${limit}${unit}`, measured: describe(worst, unit, digits), met: worst.value >= limit }
}

function describe({ cell, value }: Measured, unit: string, digits: number): string {
  return `${value.toFixed(digits)}${unit} (${cell.concurrency} at once)`
}

export function formatBytes(bytes: number): string {
  return bytes < 1000 ? `${bytes} B` : `${bytes / 1000} kB`
}
