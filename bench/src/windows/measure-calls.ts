/**
 * The same tool by three ways, in bursts that take turns: what disturbs the machine disturbs all of them alike. A ratio is the
 * median of the rounds' ratios of p50.
 */
import type { SeededRandom } from '@switchboard/testkit'
import type { Programs } from '../build-programs.ts'
import { DriverProcess } from '../driver-process.ts'
import type { DriverSetup } from '../drivers/driver-protocol.ts'
import { createUpstream } from '../gateway/contender.ts'
import { median, percentile } from '../statistics.ts'
import { DaemonHome } from './daemon-home.ts'

export const WAYS = ['stdio, directly', 'HTTP to the daemon', 'front to the daemon'] as const
export type Way = (typeof WAYS)[number]

export interface CallRow {
  readonly concurrency: number
  readonly way: Way
  readonly calls: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of p50, against HTTP to the same daemon. */
  readonly ratioToHttp: number
}

export interface MeasureCallsOptions {
  readonly programs: Programs
  readonly front: string
  readonly rounds: number
  readonly burstMs: number
  readonly concurrencies: readonly number[]
  readonly random: SeededRandom
  readonly profileFolder?: string | undefined
}

const MAX_CALLS = 50_000
const BYTES = 10
const WARM_UP_BURSTS = 6

export async function measureCalls(options: MeasureCallsOptions): Promise<CallRow[]> {
  const { programs, front, rounds, burstMs, concurrencies, random, profileFolder } = options
  await using stack = new AsyncDisposableStack()
  const home = stack.use(await DaemonHome.create(programs, front, 1))
  const connect = async (setup: DriverSetup): Promise<DriverProcess> => {
    const driver = await DriverProcess.start({ program: programs.driver, setup, profileFolder })
    if (driver === undefined) throw new Error('These clients need no package, and yet one is missing.')
    return stack.use(driver)
  }
  const drivers: Record<Way, DriverProcess> = {
    'stdio, directly': await connect({ kind: 'bare', server: createUpstream(programs) }),
    // It starts the daemon that the next one needs.
    'front to the daemon': await connect({ kind: 'bare', server: home.command }),
    'HTTP to the daemon': await connect({ kind: 'gateway-raw', url: home.url, era: 'legacy' }),
  }
  const burst = async (way: Way, concurrency: number): Promise<Float64Array> =>
    (await drivers[way].run({ calls: MAX_CALLS, concurrency, bytes: BYTES, maxMs: burstMs })).latencies
  for (const way of WAYS)
    for (let index = 0; index < WARM_UP_BURSTS; index++) await burst(way, index % 2 === 0 ? 1 : 16)

  const rows: CallRow[] = []
  for (const concurrency of concurrencies) {
    const bursts: Record<Way, Float64Array[]> = {
      'stdio, directly': [],
      'HTTP to the daemon': [],
      'front to the daemon': [],
    }
    for (let round = 0; round < rounds; round++) {
      for (const way of random.shuffle(WAYS)) bursts[way].push(await burst(way, concurrency))
    }
    const p50s = (way: Way): number[] => bursts[way].map((latencies) => percentile(latencies, 0.5))
    const http = p50s('HTTP to the daemon')
    for (const way of WAYS) {
      const all = bursts[way].flatMap((latencies) => [...latencies])
      rows.push({
        concurrency,
        way,
        calls: all.length,
        p50Ms: percentile(all, 0.5),
        p99Ms: percentile(all, 0.99),
        ratioToHttp: median(p50s(way).map((value, round) => value / (http[round] ?? Number.NaN))),
      })
    }
  }
  return rows
}
