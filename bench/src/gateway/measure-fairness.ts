/**
 * What a flood of one caller costs another. A polite client makes one call after the other: alone, beside a process that
 * only burns as much CPU as a flooding client does, and beside a client that always has many calls in flight. Every client
 * is a process with a session of its own. The kinds of bursts take turns, so that what disturbs the machine disturbs all
 * alike; a ratio is the median over the rounds.
 */
import type { Programs } from '../build-programs.ts'
import { DriverProcess } from '../driver-process.ts'
import type { BatchResult } from '../drivers/driver-protocol.ts'
import { median, percentile } from '../statistics.ts'
import type { Contender } from './contender.ts'

export interface FairnessRow {
  readonly contender: string
  /** Milliseconds that the tool takes. */
  readonly toolMs: number
  /** Calls that the flooding client has in flight. */
  readonly flood: number
  readonly p95Ms: { readonly alone: number; readonly besideBusy: number; readonly besideFlood: number }
  /** Of the p95s of one round, against alone: medians. */
  readonly ratio: { readonly besideBusy: number; readonly besideFlood: number }
  /** Of the flooding client meanwhile. */
  readonly floodPerSecond: number
}

export interface MeasureFairnessOptions {
  readonly programs: Programs
  readonly contender: Contender
  readonly floods: readonly number[]
  readonly toolMs: readonly number[]
  readonly rounds: number
  readonly burstMs: number
  say(line: string): void
}

interface Round {
  readonly alone: number
  readonly besideBusy: number
  readonly besideFlood: number
  readonly floodPerSecond: number
}

const BYTES = 10
const MAX_CALLS = 200_000
/** The flood stands before the polite client comes, and outlasts it. */
const LEAD_MS = 100

export async function measureFairness(options: MeasureFairnessOptions): Promise<FairnessRow[]> {
  const rows: FairnessRow[] = []
  for (const toolMs of options.toolMs) rows.push(...(await measureTool(options, toolMs)))
  return rows
}

async function measureTool(options: MeasureFairnessOptions, toolMs: number): Promise<FairnessRow[]> {
  const { programs, contender, floods, rounds, burstMs, say } = options
  await using stack = new AsyncDisposableStack()
  const folder = await programs.createFolder()
  const running = stack.use(await contender.start({ programs, folder, upstreams: 1, toolMs }))
  const connect = async (setup: Parameters<typeof DriverProcess.start>[0]['setup']): Promise<DriverProcess> => {
    const driver = await DriverProcess.start({ program: programs.driver, setup })
    if (driver === undefined) throw new Error('The raw client needs no package, and yet one is missing.')
    return stack.use(driver)
  }
  const polite = await connect({ kind: 'gateway-raw', url: running.url, era: 'legacy' })
  const flooding = await connect({ kind: 'gateway-raw', url: running.url, era: 'legacy' })
  const busy = await connect({ kind: 'busy' })
  const run = (driver: DriverProcess, concurrency: number, maxMs: number): Promise<BatchResult> =>
    driver.run({ calls: MAX_CALLS, concurrency, bytes: BYTES, maxMs })

  const besides = async (other: DriverProcess, concurrency: number): Promise<{ p95: number; perSecond: number }> => {
    const underWay = run(other, concurrency, burstMs + 2 * LEAD_MS)
    await new Promise((resolve) => setTimeout(resolve, LEAD_MS))
    const { latencies } = await run(polite, 1, burstMs)
    const flood = await underWay
    return { p95: percentile(latencies, 0.95), perSecond: (flood.latencies.length / flood.elapsedMs) * 1000 }
  }

  const rows: FairnessRow[] = []
  for (const flood of floods) {
    say(`a flood of ${flood} calls of ${toolMs} ms`)
    await run(polite, 1, burstMs)
    await besides(flooding, flood)
    const measured: Round[] = []
    for (let round = 0; round < rounds; round++) {
      const alone = percentile((await run(polite, 1, burstMs)).latencies, 0.95)
      const { p95: besideBusy } = await besides(busy, 1)
      const { p95: besideFlood, perSecond: floodPerSecond } = await besides(flooding, flood)
      measured.push({ alone, besideBusy, besideFlood, floodPerSecond })
    }
    rows.push(summarise(contender.name, toolMs, flood, measured))
  }
  return rows
}

function summarise(contender: string, toolMs: number, flood: number, rounds: readonly Round[]): FairnessRow {
  const of = (read: (round: Round) => number): number => median(rounds.map(read))
  return {
    contender,
    toolMs,
    flood,
    p95Ms: {
      alone: of(({ alone }) => alone),
      besideBusy: of(({ besideBusy }) => besideBusy),
      besideFlood: of(({ besideFlood }) => besideFlood),
    },
    ratio: {
      besideBusy: of(({ besideBusy, alone }) => besideBusy / alone),
      besideFlood: of(({ besideFlood, alone }) => besideFlood / alone),
    },
    floodPerSecond: of(({ floodPerSecond }) => floodPerSecond),
  }
}
