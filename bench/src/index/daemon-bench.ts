/** The bundled command with its daemon, one echo server, a client that calls it over HTTP, and tools that are called as a person would. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildCommand, type Programs } from '../build-programs.ts'
import { DriverProcess } from '../driver-process.ts'
import { median, percentile } from '../statistics.ts'
import { DaemonHome } from '../windows/daemon-home.ts'
import { readProcessorTime, readResident } from '../windows/process-memory.ts'

const BURST_MS = 500
const MAX_CALLS = 100_000

export interface ToolAnswer {
  /** As the tool itself has measured it. */
  readonly durationMs: number
  /** All of what was printed, as JSON. */
  readonly text: string
}

export interface DaemonBench {
  /** The median of the calls that were made, one at a time. */
  burst(): Promise<number>
  call(tool: string, args: object, cwd: string): Promise<ToolAnswer>
  /** Milliseconds until the daemon's socket has answered how it is. */
  health(): Promise<number>
  /** Megabytes of the daemon; NaN: nobody knows. */
  rss(): number
  /** Seconds of processor time that the daemon has taken, all its threads together; NaN: nobody knows. */
  cpu(): number
}

export async function openDaemonBench(programs: Programs, stack: AsyncDisposableStack): Promise<DaemonBench> {
  const { program } = await buildCommand()
  const home = stack.use(await DaemonHome.create(programs, program, 1))
  const front = home.openFront()
  await front.shakeHands()
  stack.defer(() => front.close())
  const driver = await DriverProcess.start({
    program: programs.driver,
    setup: { kind: 'gateway-raw', url: home.url, era: 'legacy' },
  })
  if (driver === undefined) throw new Error('This client needs no package, and yet one is missing.')
  stack.use(driver)
  const burst = async (): Promise<number> => {
    const { latencies } = await driver.run({ calls: MAX_CALLS, concurrency: 1, bytes: 10, maxMs: BURST_MS })
    return percentile(latencies, 0.5)
  }
  const call = async (tool: string, args: object, cwd: string): Promise<ToolAnswer> => {
    const given = [...home.command.args.slice(0, -1), 'call', tool, JSON.stringify(args), '--json']
    const { stdout } = await promisify(execFile)(process.execPath, given, { cwd, maxBuffer: 2 ** 26 })
    return findAnswer(JSON.parse(stdout))
  }
  for (let warm = 0; warm < 4; warm++) await burst()
  const pid = await home.daemonPid()
  const client = await home.connect()
  stack.defer(() => client.close())
  const health = async (): Promise<number> => {
    const begun = performance.now()
    await client.request('health', {})
    return performance.now() - begun
  }
  const rss = (): number => (pid === undefined ? Number.NaN : readResident(pid))
  return { burst, call, health, rss, cpu: () => (pid === undefined ? Number.NaN : readProcessorTime(pid)) }
}

/** Printed by our own command: an envelope, or the result that holds one. */
function findAnswer(printed: unknown): ToolAnswer {
  const text = JSON.stringify(printed)
  const durationMs = Number(/"durationMs":\s*([\d.]+)/.exec(text)?.[1])
  if (Number.isNaN(durationMs)) throw new Error(`Not the answer of a tool: ${text.slice(0, 500)}`)
  return { durationMs, text }
}

export interface Beside<T> {
  readonly result: T
  /** Medians of the bursts that were made meanwhile. */
  readonly busyMs: number
  readonly bursts: number
  /** Of the daemon's socket, each asked while nothing else was asked of it. */
  readonly healthMs: readonly number[]
  readonly idleMB: number
  readonly peakMB: number
  /** Of the daemon, the calls that were made meanwhile included. */
  readonly cpuSeconds: number
}

/** What calls notice of some work, and the most memory that the daemon has had meanwhile. */
export async function measureBeside<T>(
  { burst, health, rss, cpu }: DaemonBench,
  work: () => Promise<T>,
): Promise<Beside<T>> {
  const idleMB = rss()
  const cpuBefore = cpu()
  let peakMB = idleMB
  const sampling = setInterval(() => {
    peakMB = Math.max(peakMB, rss())
  }, 100)
  const busy: number[] = []
  const healthMs: number[] = []
  let isDone = false
  const working = work().finally(() => {
    isDone = true
  })
  try {
    while (!isDone) {
      busy.push(await burst())
      healthMs.push(await health())
    }
    const result = await working
    const cpuSeconds = cpu() - cpuBefore
    // The last one was over only after the work was: what is slow at the very end counts less than what is slow for long.
    const busyMs = median(busy.length > 1 ? busy.slice(0, -1) : busy)
    return { result, busyMs, bursts: busy.length, healthMs, idleMB, peakMB, cpuSeconds }
  } finally {
    clearInterval(sampling)
  }
}
