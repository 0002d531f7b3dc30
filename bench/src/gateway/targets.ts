/** What we promise of a gateway, and whether this run kept it. A promise over several cells is judged by the worst. */
import { EXPORTING, OURS } from './contender.ts'
import type { FairnessRow } from './measure-fairness.ts'
import type { ClientName, Row } from './measure-lanes.ts'
import type { SessionsResult } from './measure-sessions.ts'

export interface Target {
  readonly name: string
  readonly limit: string
  readonly measured: string
  /** Undefined: there was nothing to compare with. */
  readonly met: boolean | undefined
}

/** Most promises are about a client that costs little itself. */
const JUDGED_CLIENTS: readonly ClientName[] = ['raw', 'raw, modern']
/** That of the latency was made with the SDK's client in mind, which is what agents have; the others are harder to please. */
const TIMED_CLIENTS: readonly ClientName[] = ['SDK', ...JUDGED_CLIENTS]
const P50_LIMIT = 1
const THROUGHPUT_LIMIT = 1.2
const CPU_LIMIT = 0.4
const SESSION_LIMIT_KB = 30
const FAIRNESS_LIMIT = 2

export function judgeTargets(
  rows: readonly Row[],
  fairness: readonly FairnessRow[],
  sessions: readonly SessionsResult[],
): Target[] {
  return [
    ...TIMED_CLIENTS.map((client) => judgeLatency(rows, client)),
    ...JUDGED_CLIENTS.map((client) => judgeThroughput(rows, client)),
    ...JUDGED_CLIENTS.map((client) => judgeCpu(rows, client)),
    judgeFairness(fairness),
    ...sessions.map(judgeMemory),
  ]
}

function judgeFairness(rows: readonly FairnessRow[]): Target {
  const ours = rows.filter(({ contender }) => contender === OURS)
  const worst = findWorst(ours, ({ ratio }) => ratio.besideFlood)
  return {
    name: 'p95 of a polite caller beside a flood',
    limit: `≤ ${FAIRNESS_LIMIT}× alone`,
    measured:
      worst === undefined
        ? '–'
        : `${worst.value.toFixed(2)}× (${worst.row.flood} of ${worst.row.toolMs} ms; ${worst.row.ratio.besideBusy.toFixed(2)}× beside a busy process)`,
    met: worst === undefined ? undefined : worst.value <= FAIRNESS_LIMIT,
  }
}

function judgeLatency(rows: readonly Row[], client: ClientName): Target {
  const worst = findWorst(oursOf(rows, client), ({ ratio }) => ratio?.p50 ?? Number.NaN)
  return {
    name: `p50, ${client}`,
    limit: `≤ ${P50_LIMIT.toFixed(1)}× direct`,
    measured: worst === undefined ? '–' : `${worst.value.toFixed(2)}× (${worst.row.concurrency} at once)`,
    met: worst === undefined ? undefined : worst.value <= P50_LIMIT,
  }
}

function judgeThroughput(rows: readonly Row[], client: ClientName): Target {
  const ours = oursOf(rows, client).toSorted((one, other) => other.concurrency - one.concurrency)[0]
  const value = ours?.ratio?.throughput
  return {
    name: `throughput at ${ours?.concurrency ?? 0}, ${client}`,
    limit: `≥ ${THROUGHPUT_LIMIT}× direct`,
    measured: value === undefined ? '–' : `${value.toFixed(2)}×`,
    met: value === undefined ? undefined : value >= THROUGHPUT_LIMIT,
  }
}

function judgeCpu(rows: readonly Row[], client: ClientName): Target {
  const compared = oursOf(rows, client).flatMap((row) => {
    const best = findBestPeer(rows, row)
    return best === undefined ? [] : [{ row, best, value: row.cpu.own / best.cpu.own }]
  })
  const worst = findWorst(compared, ({ value }) => value)?.row
  return {
    name: `CPU a call, ${client}`,
    limit: `≤ ${CPU_LIMIT}× the best peer`,
    measured:
      worst === undefined
        ? '–'
        : `${worst.value.toFixed(2)}× ${worst.best.contender} (${worst.row.concurrency} at once)`,
    met: worst === undefined ? undefined : worst.value <= CPU_LIMIT,
  }
}

function judgeMemory({ hasStream, rssKBPerSession, rows }: SessionsResult): Target {
  return {
    name: `memory of an idle session, ${hasStream ? 'with an open stream' : 'without a stream'}`,
    limit: `≤ ${SESSION_LIMIT_KB} kB`,
    measured: `${rssKBPerSession.toFixed(1)} kB (of ${rows.at(-1)?.sessions ?? 0})`,
    met: rssKBPerSession <= SESSION_LIMIT_KB,
  }
}

function oursOf(rows: readonly Row[], client: ClientName): Row[] {
  return rows.filter((row) => row.contender === OURS && row.client === client)
}

function findBestPeer(rows: readonly Row[], { client, concurrency }: Row): Row | undefined {
  return rows
    .filter((row) => row.client === client && row.concurrency === concurrency)
    .filter(
      (row) => row.contender !== OURS && row.contender !== EXPORTING && row.ratio !== undefined && row.cpu.own > 0,
    )
    .toSorted((one, other) => one.cpu.own - other.cpu.own)[0]
}

function findWorst<T>(values: readonly T[], read: (one: T) => number): { row: T; value: number } | undefined {
  const all = values.map((row) => ({ row, value: read(row) }))
  return all.toSorted((one, other) => other.value - one.value)[0]
}
