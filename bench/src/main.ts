/** `npm run bench -- <name> [options]`. Progress goes to stderr, the result to stdout. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { formatAgainstReport } from './against/report.ts'
import { type AgainstName, runAgainst } from './against/run-against.ts'
import { formatBridgeReport } from './bridge/report.ts'
import { runBridge } from './bridge/run-bridge.ts'
import { formatReport } from './calls/report.ts'
import { runCalls } from './calls/run-calls.ts'
import { formatDashboardReport } from './dashboard/report.ts'
import { runDashboard } from './dashboard/run-dashboard.ts'
import { DEBUG_PEER } from './debug/peer.ts'
import { formatDebugReport } from './debug/report.ts'
import { runDebug } from './debug/run-debug.ts'
import { PEERS } from './gateway/peers.ts'
import { formatGatewayReport } from './gateway/report.ts'
import { runGateway } from './gateway/run-gateway.ts'
import { formatIndexReport } from './index/report.ts'
import { runIndex } from './index/run-index.ts'
import { formatLensReport } from './lens/report.ts'
import { runLens } from './lens/run-lens.ts'
import { formatRetrievalReport } from './retrieval/report.ts'
import { runRetrieval } from './retrieval/run-retrieval.ts'
import { formatStoreReport } from './store/report.ts'
import { runStore } from './store/run-store.ts'
import { formatSymbolsReport } from './symbols/report.ts'
import { runSymbols } from './symbols/run-symbols.ts'
import { formatWindowsReport } from './windows/report.ts'
import { runWindows } from './windows/run-windows.ts'

const USAGE = `Usage: npm run bench -- <name> [options]

  calls              calls through the pool against a direct connection: latency, throughput, CPU, memory, start-up
  gateway            calls through the gateway and through others from npm, against the SDK's own HTTP server
  windows            ten windows with servers of their own, and with fronts on one daemon: processes, memory, calls, start
  debug              a debugging session in every language, beside another debugger from npm: first stop, calls, bytes
  retrieval          how well the store finds what people looked for, beside grep and plain full-text search
  store              how fast the store takes and finds things with 10,000 to 1,000,000 rows, and beside fifty readers
  index              a repository of 5,000 files is indexed: files and bytes a second, memory, and what calls notice of it
  lens               a playset of 92,000 files, a real mod and this project are indexed: parse, build, search, edits, calls meanwhile
  symbols            symbols of public repositories beside those of Universal Ctags, and files a second
  bridge             a trivial command to a VS Code window, one at a time, twenty at once, and with a large text
  dashboard          an open dashboard beside 50 servers and 200 calls a second: the browser's CPU, and what calls notice of it
  start              only with --against: the version, the first answer of \`switchboard mcp\`, the bytes of the bundles

Options
  --against <clone>  calls, gateway, start: this tree and that one in turns, and the ratios; written only with --output
  --quick            a smoke run of seconds; its numbers mean nothing, and they are written only with --output
  --calls <n>        calls: calls of every client in every cell (default 16000; quick: 20)
  --rounds <n>       gateway, windows, dashboard, index: bursts of every client in every cell; debug: sessions (default 8; quick: 1)
  --rows <n>         store: that many alone (default 10000, 100000 and 1000000); lens: files of the playset (default 92000)
  --peers <names>    gateway, debug: those to compare with, separated by commas, or none (default all; quick: none)
  --telemetry        gateway: ours also with a collector of OpenTelemetry that takes every span
  --data <folder>    retrieval: the collections (default: those beside the project, ../shared/data/retrieval);
                     symbols: a folder of repositories in place of the public ones; lens: where rice.tar.gz is
  --seed <n>         of the order in which the clients take turns (default 1)
  --json             print the result as JSON instead of Markdown
  --output <folder>  where <name>.md is written (default bench/results)
  --profile <folder> write a CPU profile of every client there, and of our gateway
  --check            exit with 1 when a target is missed
  --help             print this`

const PEER_NAMES = [...PEERS, DEBUG_PEER].map(({ name }) => name)

class UsageError extends Error {}

function readOptions(args: readonly string[]) {
  const parsed = parseCommandLine(args)
  const { values, positionals } = parsed
  const quick = values.quick ?? false
  return {
    names: positionals,
    help: values.help ?? false,
    json: values.json ?? false,
    check: values.check ?? false,
    quick,
    calls: readInteger('--calls', values.calls) ?? (quick ? 20 : 16_000),
    rounds: readInteger('--rounds', values.rounds) ?? (quick ? 1 : 8),
    rows: readInteger('--rows', values.rows),
    peers: readPeers(values.peers ?? (quick ? 'none' : PEER_NAMES.join())),
    seed: readInteger('--seed', values.seed) ?? 1,
    telemetry: values.telemetry ?? false,
    against: values.against,
    data: values.data,
    output:
      values.output ??
      (quick || values.against !== undefined ? undefined : fileURLToPath(new URL('../results', import.meta.url))),
    profileFolder: values.profile,
  }
}

function parseCommandLine(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        against: { type: 'string' },
        data: { type: 'string' },
        quick: { type: 'boolean' },
        calls: { type: 'string' },
        rounds: { type: 'string' },
        rows: { type: 'string' },
        peers: { type: 'string' },
        seed: { type: 'string' },
        telemetry: { type: 'boolean' },
        json: { type: 'boolean' },
        output: { type: 'string' },
        profile: { type: 'string' },
        check: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function readInteger(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < 1)
    throw new UsageError(`${name} needs a positive whole number, not "${text}".`)
  return value
}

function readPeers(text: string): string[] {
  const names = text === 'none' ? [] : text.split(',')
  const unknown = names.find((name) => !PEER_NAMES.includes(name))
  if (unknown === undefined) return names
  throw new UsageError(`--peers names "${unknown}"; known are ${PEER_NAMES.join(', ')}, and none.`)
}

interface Outcome {
  readonly report: object
  readonly markdown: string
  readonly missed: readonly string[]
}

type RunOptions = ReturnType<typeof readOptions> & { say(line: string): void }

const BENCHMARKS: Readonly<Record<string, (options: RunOptions) => Promise<Outcome>>> = {
  async calls(options) {
    const report = await runCalls(options)
    return { report, markdown: formatReport(report), missed: report.targets.filter(({ met }) => !met).map(readName) }
  },
  async gateway(options) {
    const report = await runGateway(options)
    const missed = report.targets.filter(({ met }) => met === false).map(readName)
    return { report, markdown: formatGatewayReport(report), missed }
  },
  async windows(options) {
    const report = await runWindows(options)
    const missed = report.targets.filter(({ met }) => !met).map(readName)
    return { report, markdown: formatWindowsReport(report), missed }
  },
  async debug(options) {
    const report = await runDebug(options)
    const missed = report.targets.filter(({ met }) => met === false).map(readName)
    return { report, markdown: formatDebugReport(report), missed }
  },
  async retrieval(options) {
    const report = await runRetrieval(options)
    const missed = report.targets.filter(({ met }) => !met).map(readName)
    return { report, markdown: formatRetrievalReport(report), missed }
  },
  async store(options) {
    const report = await runStore(options)
    const missed = report.targets.filter(({ met }) => !met).map(readName)
    return { report, markdown: formatStoreReport(report), missed }
  },
  async bridge(options) {
    const report = await runBridge(options)
    const missed = report.targets.filter(({ met }) => !met).map(readName)
    return { report, markdown: formatBridgeReport(report), missed }
  },
  async dashboard(options) {
    const report = await runDashboard(options)
    const missed = report.targets.filter(({ met }) => !met).map(readName)
    return { report, markdown: formatDashboardReport(report), missed }
  },
  async index(options) {
    const report = await runIndex(options)
    const missed = report.targets.filter(({ met }) => !met).map(readName)
    return { report, markdown: formatIndexReport(report), missed }
  },
  async lens(options) {
    const report = await runLens(options)
    const missed = report.targets.filter(({ met }) => !met).map(readName)
    return { report, markdown: formatLensReport(report), missed }
  },
  async symbols(options) {
    const report = await runSymbols(options)
    const missed = report.targets.filter(({ met }) => !met).map(readName)
    return { report, markdown: formatSymbolsReport(report), missed }
  },
}

const COMPARED: readonly string[] = ['calls', 'gateway', 'start'] satisfies AgainstName[]

function isCompared(name: string): name is AgainstName {
  return COMPARED.includes(name)
}

async function compare(name: AgainstName, against: string, options: RunOptions): Promise<Outcome> {
  const report = await runAgainst(name, { ...options, against })
  const missed = report.targets.filter(({ met }) => !met).map(readName)
  return { report, markdown: formatAgainstReport(report), missed }
}

function readName({ name }: { name: string }): string {
  return name
}

function findBenchmark(
  name: string,
  against: string | undefined,
): ((options: RunOptions) => Promise<Outcome>) | undefined {
  if (against === undefined) {
    if (name === 'start') throw new UsageError('start needs --against.')
    return Object.hasOwn(BENCHMARKS, name) ? BENCHMARKS[name] : undefined
  }
  if (!isCompared(name)) throw new UsageError(`--against is for ${COMPARED.join(', ')}, not for "${name}".`)
  return (options) => compare(name, against, options)
}

async function main(args: readonly string[]): Promise<number> {
  const options = readOptions(args)
  const [name, ...more] = options.names
  if (options.help) {
    console.log(USAGE)
    return 0
  }
  const run = name === undefined || more.length > 0 ? undefined : findBenchmark(name, options.against)
  if (run === undefined) {
    const seen = options.names.join(' ')
    throw new UsageError(seen === '' ? 'Name a benchmark.' : `There is no benchmark "${seen}".`)
  }
  const begun = performance.now()
  const say = (line: string): void =>
    console.error(`${((performance.now() - begun) / 1000).toFixed(1).padStart(6)} s  ${line}`)
  const { report, markdown, missed } = await run({ ...options, say })
  console.log(options.json ? JSON.stringify(report, undefined, 2) : markdown)
  if (options.output !== undefined) {
    await mkdir(options.output, { recursive: true })
    await writeFile(join(options.output, `${name}${options.against === undefined ? '' : '-against'}.md`), markdown)
  }
  say(missed.length === 0 ? 'no target is missed' : `missed: ${missed.join('; ')}`)
  return options.check && missed.length > 0 ? 1 : 0
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(`${error.message}\n\n${USAGE}`)
  process.exitCode = 2
}
