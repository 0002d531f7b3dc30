/** The benchmark `gateway`: calls through every gateway, then the memory of sessions and the start, and the targets. */
import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'
import { buildCommand, buildPrograms, type Programs } from '../build-programs.ts'
import { DriverProcess } from '../driver-process.ts'
import type { DriverSetup, ServerCommand } from '../drivers/driver-protocol.ts'
import { describeLoad, describeMachine } from '../machine.ts'
import { type Contender, createOurHome, createOurs, createUpstream, DIRECT, directHttp, OURS } from './contender.ts'
import { type FairnessRow, measureFairness } from './measure-fairness.ts'
import {
  type ClientName,
  type Lane,
  type LeftOut,
  type MeasureLanesOptions,
  measureLanes,
  type PairedLane,
  type Row,
} from './measure-lanes.ts'
import { measureSessions } from './measure-sessions.ts'
import { measureStarts } from './measure-start.ts'
import { installPeers, PEERS } from './peers.ts'
import type { GatewayReport } from './report.ts'
import { startSink } from './start-sink.ts'
import { judgeTargets } from './targets.ts'

export interface GatewayOptions {
  readonly quick: boolean
  readonly rounds: number
  readonly seed: number
  /** Names of those to compare with. */
  readonly peers: readonly string[]
  /** Measure ours with a collector as well. */
  readonly telemetry: boolean
  /** Where CPU profiles of our gateway and of the clients are written. */
  readonly profileFolder?: string | undefined
  say(line: string): void
}

interface Context extends GatewayOptions {
  readonly programs: Programs
  readonly command: string
  readonly random: SeededRandom
  readonly measuring: MeasureLanesOptions
  readonly leftOut: LeftOut[]
}

const CONCURRENCIES = [1, 16, 64]

export async function runGateway(options: GatewayOptions): Promise<GatewayReport> {
  const { quick, seed, rounds, say } = options
  const machine = describeMachine()
  const loadBefore = describeLoad()
  const random = createSeededRandom(seed)
  await using programs = await buildPrograms()
  const { command } = await buildCommand()
  const burstMs = quick ? 30 : 400
  const measuring: MeasureLanesOptions = {
    rounds,
    burstMs,
    concurrencies: CONCURRENCIES,
    random,
    upstreamProgram: programs.sdkEchoServer,
    say,
  }
  const context: Context = { ...options, programs, command, random, measuring, leftOut: [] }
  const ours = createOurs(command)
  await using sink = options.telemetry ? await startSink() : undefined
  const exporting = sink === undefined ? [] : [createOurs(command, sink.url)]
  const contenders = [ours, ...exporting, ...(await preparePeers(context))]

  const rows = [...(await measureHttp(context, contenders)), ...(await measureStdio(context))]
  const fairness = await measureFloods(context, [directHttp, ours])
  const sizes = quick ? [1, 5] : [1, 10, 100, 1000]
  const sessions = []
  for (const hasStream of [false, true]) {
    say(`memory of ${sizes.join(', ')} idle sessions ${hasStream ? 'with' : 'without'} an open stream`)
    sessions.push(await measureSessions({ programs, ours, sizes }, hasStream))
  }
  say('starting')
  const starts = await measureStarts({
    programs,
    ours,
    contenders: [directHttp, ...contenders],
    sizes: quick ? [1, 2] : [1, 10],
    repeats: quick ? 1 : 3,
    random,
    say,
  })
  return {
    machine,
    loadBefore,
    loadAfter: describeLoad(),
    seed,
    rounds,
    burstMs,
    quick,
    rows,
    fairness,
    leftOut: context.leftOut,
    sessions,
    starts,
    targets: judgeTargets(rows, fairness, sessions),
  }
}

async function preparePeers({ peers: names, leftOut, say }: Context): Promise<Contender[]> {
  const wanted = PEERS.filter(({ name }) => names.includes(name))
  if (wanted.length === 0) return []
  try {
    await installPeers(wanted, say)
    return wanted
  } catch (error) {
    const reason = `npm could not install it: ${describe(error)}`
    leftOut.push(...wanted.map(({ name }) => ({ name, reason })))
    say(`no peers: ${reason}`)
    return []
  }
}

async function measureHttp(context: Context, contenders: readonly Contender[]): Promise<Row[]> {
  const { programs, leftOut, profileFolder, say } = context
  await using stack = new AsyncDisposableStack()
  const connect = async (name: string, client: ClientName, setup: DriverSetup, roots: readonly number[]) => {
    const driver = await DriverProcess.start({ program: programs.driver, setup, profileFolder })
    if (driver === undefined) throw new Error(`The SDK is not installed, so there is no ${client} client.`)
    return { contender: name, client, driver: stack.use(driver), roots } satisfies Lane
  }
  const direct = stack.use(await directHttp.start({ programs, folder: await programs.createFolder(), upstreams: 1 }))
  const { url } = direct
  const rawDirect = await connect(DIRECT, 'raw', { kind: 'gateway-raw', url, era: 'legacy' }, direct.roots)
  const sdkDirect = await connect(DIRECT, 'SDK', { kind: 'gateway-sdk', url, transport: 'http' }, direct.roots)

  const lanes: PairedLane[] = []
  for (const contender of contenders) {
    say(`starting ${contender.name}`)
    try {
      const folder = await programs.createFolder()
      const nodeOptions = profileFolder === undefined || contender.name !== OURS ? [] : profile(profileFolder, OURS)
      const running = stack.use(await contender.start({ programs, folder, upstreams: 1, nodeOptions }))
      for (const era of contender.eras) {
        const client = era === 'modern' ? 'raw, modern' : 'raw'
        const setup = { kind: 'gateway-raw', url: running.url, era } as const
        lanes.push({ ...(await connect(contender.name, client, setup, running.roots)), direct: rawDirect })
      }
      const setup = { kind: 'gateway-sdk', url: running.url, transport: contender.transport } as const
      lanes.push({ ...(await connect(contender.name, 'SDK', setup, running.roots)), direct: sdkDirect })
    } catch (error) {
      if (contender.name === OURS) throw error
      leftOut.push({ name: contender.name, reason: describe(error) })
      say(`${contender.name} is left out: ${describe(error)}`)
    }
  }
  const measured = await measureLanes(lanes, context.measuring)
  leftOut.push(...measured.leftOut)
  return measured.rows
}

async function measureFloods(
  { programs, quick, rounds, say }: Context,
  contenders: readonly Contender[],
): Promise<FairnessRow[]> {
  const rows: FairnessRow[] = []
  for (const contender of contenders) {
    rows.push(
      ...(await measureFairness({
        programs,
        contender,
        floods: quick ? [10] : [100, 500],
        toolMs: quick ? [0, 2] : [0, 20],
        rounds: quick ? 1 : rounds,
        burstMs: quick ? 50 : 1_000,
        say: (line) => say(`${contender.name}: ${line}`),
      })),
    )
  }
  return rows
}

async function measureStdio(context: Context): Promise<Row[]> {
  const { programs, command, leftOut, profileFolder } = context
  await using stack = new AsyncDisposableStack()
  const connect = async (contender: string, client: ClientName, server: ServerCommand): Promise<Lane> => {
    const setup = { kind: 'bare', server, ...(client === 'stdio, modern' ? { era: 'modern' as const } : {}) } as const
    const driver = await DriverProcess.start({ program: programs.driver, setup })
    if (driver === undefined) throw new Error('The bare client needs no package, and yet one is missing.')
    stack.use(driver)
    return { contender, client, driver, roots: [driver.pid], driverIsRoot: true }
  }
  const direct = await connect(DIRECT, 'stdio', createUpstream(programs))
  const lanes: PairedLane[] = []
  for (const client of ['stdio', 'stdio, modern'] as const) {
    const home = await createOurHome(programs, await programs.createFolder(), 1)
    const nodeOptions = profileFolder === undefined ? [] : profile(profileFolder, client.replace(', ', '-'))
    const args = [...nodeOptions, command, '--home', home, 'mcp', '--standalone']
    lanes.push({ ...(await connect(OURS, client, { command: process.execPath, args })), direct })
  }
  const measured = await measureLanes(lanes, context.measuring)
  leftOut.push(...measured.leftOut)
  return measured.rows
}

function profile(folder: string, name: string): string[] {
  return ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-name=${name}.cpuprofile`]
}

function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 300)
}
