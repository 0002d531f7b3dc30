/** The benchmark `debug`: one scenario in every language, by ours and by the peer in turns. */
import { createSeededRandom, type SeededRandom } from '@switchboard/testkit'
import { buildCommand, buildPrograms, type Programs } from '../build-programs.ts'
import { describeLoad, describeMachine } from '../machine.ts'
import { type AgentServer, CountingAgent } from './agent.ts'
import { LANGUAGES, type PreparedProgram } from './languages.ts'
import { DEBUG_PEER, installDebugPeer, lendRubyDebugger, PEER_PROGRAM } from './peer.ts'
import { type DebugReport, type DebugRow, summarizeRow } from './report.ts'
import { ourScenario, peerScenario, type Scenario, type ScenarioResult } from './scenarios.ts'
import { judgeDebugTargets } from './targets.ts'

export interface DebugOptions {
  readonly quick: boolean
  readonly rounds: number
  readonly seed: number
  readonly peers: readonly string[]
  say(line: string): void
}

interface Contender {
  readonly name: string
  readonly scenario: Scenario
  server(folder: string): AgentServer
}

const OURS = 'switchboard'
const QUICK_LANGUAGES = ['Python', 'JavaScript']

export async function runDebug({ quick, rounds, seed, peers, say }: DebugOptions): Promise<DebugReport> {
  const machine = describeMachine()
  const loadBefore = describeLoad()
  await using programs = await buildPrograms()
  const { command } = await buildCommand()
  const contenders = [createOurs(command, await programs.createFolder())]
  if (peers.includes(DEBUG_PEER.name)) {
    await installDebugPeer(say)
    contenders.push(createPeer(await lendRubyDebugger(await programs.createFolder())))
  }
  const rows: DebugRow[] = []
  const leftOut: { name: string; reason: string }[] = []
  const random = createSeededRandom(seed)
  for (const { name, prepare } of LANGUAGES.filter((language) => !quick || QUICK_LANGUAGES.includes(language.name))) {
    try {
      const folder = await programs.createFolder()
      const program = await prepare(folder)
      say(name)
      rows.push(...(await measureLanguage({ name, program, folder, contenders, rounds, random, leftOut })))
    } catch (error) {
      leftOut.push({ name, reason: describe(error) })
      say(`${name} is left out: ${describe(error)}`)
    }
  }
  const lists = await measureLists(contenders, programs)
  return {
    machine,
    loadBefore,
    loadAfter: describeLoad(),
    quick,
    rounds,
    seed,
    rows,
    lists,
    leftOut,
    targets: judgeDebugTargets(rows),
  }
}

interface LanguageRun {
  readonly name: string
  readonly program: PreparedProgram
  readonly folder: string
  readonly contenders: readonly Contender[]
  readonly rounds: number
  readonly random: SeededRandom
  readonly leftOut: { name: string; reason: string }[]
}

/** Servers are started before the clock; each scenario has one of its own, so that no run profits from another. */
async function measureLanguage(run: LanguageRun): Promise<DebugRow[]> {
  const { name, program, folder, contenders, rounds, random, leftOut } = run
  const results = new Map<string, ScenarioResult[]>()
  const failures = new Map<string, string[]>()
  for (let round = 0; round < rounds; round++) {
    for (const contender of random.shuffle(contenders)) {
      try {
        await using agent = await CountingAgent.connect(contender.server(folder))
        const result = await contender.scenario(agent, program)
        results.set(contender.name, [...(results.get(contender.name) ?? []), result])
      } catch (error) {
        failures.set(contender.name, [...(failures.get(contender.name) ?? []), describe(error)])
      }
    }
  }
  for (const [contender, reasons] of failures) {
    leftOut.push({ name: `${name}, ${contender}: ${reasons.length} of ${rounds} rounds`, reason: reasons[0] ?? '' })
  }
  return [...results].map(([contender, list]) => summarizeRow(name, contender, list))
}

async function measureLists(contenders: readonly Contender[], programs: Programs): Promise<DebugReport['lists']> {
  const folder = await programs.createFolder()
  const lists: { contender: string; tokens: number }[] = []
  for (const contender of contenders) {
    await using agent = await CountingAgent.connect(contender.server(folder))
    lists.push({ contender: contender.name, tokens: await agent.countListTokens() })
  }
  return lists
}

/** The home is one for all rounds, as a person has one: what debuggers keep there for their next start is there. */
function createOurs(command: string, home: string): Contender {
  return {
    name: OURS,
    scenario: ourScenario,
    server: (folder) => ({
      command: process.execPath,
      args: [command, '--home', home, 'mcp', '--standalone', '--workspace', folder],
      cwd: folder,
      env: {},
    }),
  }
}

function createPeer(env: Readonly<Record<string, string>>): Contender {
  return {
    name: DEBUG_PEER.name,
    scenario: peerScenario,
    server: (folder) => ({ command: process.execPath, args: [PEER_PROGRAM, 'stdio'], cwd: folder, env }),
  }
}

function describe(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\s+/g, ' ').slice(0, 300)
}
