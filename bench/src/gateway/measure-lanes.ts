/**
 * Bursts of calls in pairs: one on the direct connection, and at once the same on a gateway. What disturbs the machine
 * disturbs both halves of a pair alike, so a ratio is the median of the pairs' ratios. The order of the lanes is drawn
 * anew in every round.
 */
import type { SeededRandom } from '@switchboard/testkit'
import type { DriverProcess } from '../driver-process.ts'
import type { BatchResult } from '../drivers/driver-protocol.ts'
import { median, percentile, sum } from '../statistics.ts'
import { type CpuMs, findProcessGroup, type ProcessGroup, readCpu } from './process-cpu.ts'

export type ClientName = 'raw' | 'raw, modern' | 'SDK' | 'stdio' | 'stdio, modern'

/** One client that is connected to one contender. */
export interface Lane {
  readonly contender: string
  readonly client: ClientName
  readonly driver: DriverProcess
  /** The contender's processes. */
  readonly roots: readonly number[]
  /** Over stdio the client starts the contender, and is itself none of it. */
  readonly driverIsRoot?: boolean
}

export interface PairedLane extends Lane {
  readonly direct: Lane
}

interface Burst {
  readonly batch: BatchResult
  readonly cpu: CpuMs
}

interface Pair {
  readonly direct: Burst
  readonly gateway: Burst
}

export interface Row {
  readonly contender: string
  readonly client: ClientName
  readonly concurrency: number
  readonly calls: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly callsPerSecond: number
  /** Microseconds a call; NaN where the system does not tell. */
  readonly cpu: { readonly own: number; readonly upstream: number; readonly client: number }
  /** Against the direct half of each pair: medians; none for direct itself. */
  readonly ratio?: { readonly p50: number; readonly p99: number; readonly throughput: number }
}

export interface LeftOut {
  readonly name: string
  readonly reason: string
}

export interface MeasureLanesOptions {
  readonly rounds: number
  readonly burstMs: number
  readonly concurrencies: readonly number[]
  readonly random: SeededRandom
  readonly upstreamProgram: string
  say(line: string): void
}

const BYTES = 10
/** More than any client makes within a burst. */
const MAX_CALLS = 50_000
/** Shared by the warm-up of one lane: its contender's code and its client's have to be compiled. */
const WARM_UP_BURSTS = 6

export async function measureLanes(
  lanes: readonly PairedLane[],
  options: MeasureLanesOptions,
): Promise<{ rows: Row[]; leftOut: LeftOut[] }> {
  const { rounds, concurrencies, random, say } = options
  const leftOut: LeftOut[] = []
  const pairs = new Map<PairedLane, Map<number, Pair[]>>()
  const failed = new Set<PairedLane>()
  const attempt = async (lane: PairedLane, work: () => Promise<void>): Promise<void> => {
    if (failed.has(lane)) return
    try {
      await work()
    } catch (error) {
      failed.add(lane)
      leftOut.push({ name: `${lane.contender} (${lane.client})`, reason: describe(error) })
      say(`${lane.contender}, ${lane.client} is left out: ${describe(error)}`)
    }
  }
  say('warming up')
  for (const lane of new Set(lanes.map(({ direct }) => direct))) await warmUp(lane, options)
  for (const lane of lanes) {
    pairs.set(lane, new Map(concurrencies.map((concurrency) => [concurrency, []])))
    await attempt(lane, () => warmUp(lane, options))
  }
  for (let round = 0; round < rounds; round++) {
    say(`round ${round + 1} of ${rounds}`)
    for (const lane of random.shuffle([...lanes])) {
      const groups = { direct: await findGroup(lane.direct, options), gateway: await findGroup(lane, options) }
      for (const concurrency of concurrencies) {
        await attempt(lane, async () => {
          const direct = await runBurst(lane.direct, groups.direct, concurrency, options.burstMs)
          const gateway = await runBurst(lane, groups.gateway, concurrency, options.burstMs)
          pairs.get(lane)?.get(concurrency)?.push({ direct, gateway })
        })
      }
    }
  }
  const measured = lanes.filter((lane) => !failed.has(lane))
  const rows = concurrencies.flatMap((concurrency) => summariseAll(measured, concurrency, pairs))
  return { rows, leftOut }
}

async function warmUp(lane: Lane, { concurrencies, burstMs }: MeasureLanesOptions): Promise<void> {
  for (let index = 0; index < WARM_UP_BURSTS; index++) {
    const concurrency = concurrencies[index % concurrencies.length] ?? 1
    await lane.driver.run({ calls: MAX_CALLS, concurrency, bytes: BYTES, maxMs: burstMs })
  }
}

async function findGroup(lane: Lane, { upstreamProgram }: MeasureLanesOptions): Promise<ProcessGroup> {
  const { own, upstream } = await findProcessGroup(lane.roots, upstreamProgram)
  return { own: lane.driverIsRoot === true ? own.filter((pid) => !lane.roots.includes(pid)) : own, upstream }
}

async function runBurst({ driver }: Lane, group: ProcessGroup, concurrency: number, maxMs: number): Promise<Burst> {
  const before = readCpu(group)
  const batch = await driver.run({ calls: MAX_CALLS, concurrency, bytes: BYTES, maxMs })
  const after = readCpu(group)
  return { batch, cpu: { own: after.own - before.own, upstream: after.upstream - before.upstream } }
}

/** Direct first, once for every kind of client, then the gateways. */
function summariseAll(
  lanes: readonly PairedLane[],
  concurrency: number,
  pairs: ReadonlyMap<PairedLane, ReadonlyMap<number, Pair[]>>,
): Row[] {
  const pairsOf = (lane: PairedLane): Pair[] => pairs.get(lane)?.get(concurrency) ?? []
  const directs = [...new Set(lanes.map(({ direct }) => direct))]
  return directs.flatMap((direct) => {
    const ofDirect = lanes.filter((lane) => lane.direct === direct)
    const bursts = ofDirect.flatMap(pairsOf).map((pair) => pair.direct)
    return [
      summarise(direct, concurrency, bursts),
      ...ofDirect.map((lane) => ({
        ...summarise(
          lane,
          concurrency,
          pairsOf(lane).map(({ gateway }) => gateway),
        ),
        ratio: compare(pairsOf(lane)),
      })),
    ]
  })
}

function summarise({ contender, client }: Lane, concurrency: number, bursts: readonly Burst[]): Row {
  const latencies = Float64Array.from(bursts.flatMap(({ batch }) => [...batch.latencies]))
  const calls = latencies.length
  const perCall = (of: (burst: Burst) => number): number => (sum(bursts.map(of)) / calls) * 1000
  return {
    contender,
    client,
    concurrency,
    calls,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    callsPerSecond: median(bursts.map(readThroughput)),
    cpu: {
      own: perCall(({ cpu }) => cpu.own),
      upstream: perCall(({ cpu }) => cpu.upstream),
      client: perCall(({ batch }) => batch.cpuMs),
    },
  }
}

function compare(pairs: readonly Pair[]): NonNullable<Row['ratio']> {
  const paired = (of: (burst: Burst) => number): number =>
    median(pairs.map(({ direct, gateway }) => of(gateway) / of(direct)))
  return {
    p50: paired(({ batch }) => percentile(batch.latencies, 0.5)),
    p99: paired(({ batch }) => percentile(batch.latencies, 0.99)),
    throughput: paired(readThroughput),
  }
}

function readThroughput({ batch }: Burst): number {
  return (batch.latencies.length / batch.elapsedMs) * 1000
}

function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 300)
}
