/** The result of a run as Markdown. */
import type { MachineFacts } from '../machine.ts'
import { formatTable } from '../markdown.ts'
import type { FairnessRow } from './measure-fairness.ts'
import type { ClientName, LeftOut, Row } from './measure-lanes.ts'
import type { SessionsResult } from './measure-sessions.ts'
import type { StartRow } from './measure-start.ts'
import type { Target } from './targets.ts'

export interface GatewayReport {
  readonly machine: MachineFacts
  readonly loadBefore: string
  readonly loadAfter: string
  readonly seed: number
  readonly rounds: number
  readonly burstMs: number
  readonly quick: boolean
  readonly rows: readonly Row[]
  readonly fairness: readonly FairnessRow[]
  readonly leftOut: readonly LeftOut[]
  readonly sessions: readonly SessionsResult[]
  readonly starts: readonly StartRow[]
  readonly targets: readonly Target[]
}

export function formatGatewayReport(report: GatewayReport): string {
  const { machine, targets, fairness, leftOut, sessions, starts } = report
  const warning = report.quick ? 'A smoke run with a handful of calls: these numbers mean nothing.\n\n' : ''
  return `# Gateways: one stdio server behind each, against the SDK's own HTTP server

${warning}${formatTable(
  ['', ''],
  [
    ['date', machine.date],
    ['commit', machine.commit],
    ['node', `${machine.node}, ${machine.platform}`],
    ['machine', `${machine.cores} cores, ${machine.cpu}, ${machine.memoryGiB} GiB`],
    ['load average', `${report.loadBefore} before, ${report.loadAfter} after`],
    ['rounds', `${report.rounds} of ${report.burstMs} ms bursts, seed ${report.seed}`],
  ],
)}

## Targets

${formatTable(
  ['target', 'limit', 'measured', ''],
  targets.map(({ name, limit, measured, met }) => [name, limit, measured, describeVerdict(met)]),
)}

## Streamable HTTP, raw client

The client is node:http with keep-alive connections. Direct is the same tool served by the SDK over Streamable HTTP with
sessions, no gateway between. × is the median of the ratios of pairs of bursts, direct and gateway right after each other.
CPU is that of the gateway's own processes (of direct: the server's) and of the upstream behind it.

${formatRows(report, ['raw', 'raw, modern'])}

## Streamable HTTP, SDK client

The SDK's v1 client, which costs more than most of what it talks to. mcp-hub is reached by HTTP+SSE, the only way in.

${formatRows(report, ['SDK'])}

## stdio

Direct is a bare client on the server's own stdin and stdout; ours is \`switchboard mcp --standalone\` between them.

${formatRows(report, ['stdio', 'stdio, modern'])}

## A polite caller beside a flood

A polite client makes one call after the other; its p95 alone, beside a process that only computes, and beside a client that
always has so many calls in flight. All have a process and a session of their own. × is the median of the rounds' ratios to
alone. What the process that computes costs is the machine's doing, not the gateway's: two cores are few for all of them.

${formatTable(
  ['tool', 'in flight', 'gateway', 'alone ms', 'beside a busy process', '×', 'beside the flood', '×', 'flood calls/s'],
  fairness.map(({ toolMs, flood, contender, p95Ms, ratio, floodPerSecond }) => [
    toolMs === 0 ? 'instant' : `${toolMs} ms`,
    String(flood),
    contender,
    p95Ms.alone.toFixed(2),
    p95Ms.besideBusy.toFixed(2),
    ratio.besideBusy.toFixed(2),
    p95Ms.besideFlood.toFixed(2),
    ratio.besideFlood.toFixed(2),
    floodPerSecond.toFixed(0),
  ]),
)}

## Memory of our process with idle sessions

Every session is initialized and has listed the tools. Resident memory after collecting garbage until it stands still.

${formatTable(
  ['sessions', 'open stream', 'resident', 'JavaScript heap', 'resident per session', 'heap per session'],
  sessions.flatMap(({ hasStream, rows, rssKBPerSession, heapKBPerSession }) =>
    rows.map(({ sessions: count, rssMB, heapMB }, index) => [
      String(count),
      hasStream ? 'yes' : 'no',
      `${rssMB.toFixed(1)} MB`,
      `${heapMB.toFixed(1)} MB`,
      index === rows.length - 1 ? `${rssKBPerSession.toFixed(1)} kB` : '',
      index === rows.length - 1 ? `${heapKBPerSession.toFixed(1)} kB` : '',
    ]),
  ),
)}

## Start

From starting the process until a client that keeps asking has the tools of every upstream. "Again" is a second start in the
same home, where the catalogs of the first are remembered.

${formatTable(
  ['gateway', 'upstreams', 'start', 'least', 'median'],
  starts.map(({ contender, upstreams, kind, leastMs, medianMs }) => [
    contender,
    String(upstreams),
    kind,
    `${leastMs.toFixed(0)} ms`,
    `${medianMs.toFixed(0)} ms`,
  ]),
)}
${
  leftOut.length === 0
    ? ''
    : `
## Left out

${formatTable(
  ['what', 'why'],
  leftOut.map(({ name, reason }) => [name, reason.replaceAll('|', '\\|')]),
)}
`
}`
}

function describeVerdict(met: boolean | undefined): string {
  if (met === undefined) return 'not measured'
  return met ? 'met' : '**missed**'
}

function formatRows({ rows }: GatewayReport, clients: readonly ClientName[]): string {
  const head = [
    'at once',
    'gateway',
    'client',
    'p50 ms',
    '×',
    'p99 ms',
    '×',
    'calls/s',
    '×',
    'CPU µs/call',
    'upstream µs',
    'client µs',
  ]
  return formatTable(
    head,
    rows
      .filter(({ client }) => clients.includes(client))
      .map(({ concurrency, contender, client, p50Ms, p99Ms, callsPerSecond, cpu, ratio }) => [
        String(concurrency),
        contender,
        client,
        p50Ms.toFixed(3),
        ratio?.p50.toFixed(2) ?? '',
        p99Ms.toFixed(2),
        ratio?.p99.toFixed(2) ?? '',
        callsPerSecond.toFixed(0),
        ratio?.throughput.toFixed(2) ?? '',
        formatMicroseconds(cpu.own),
        formatMicroseconds(cpu.upstream),
        formatMicroseconds(cpu.client),
      ]),
  )
}

function formatMicroseconds(value: number): string {
  return Number.isNaN(value) || value === 0 ? '–' : value.toFixed(0)
}
