/** The benchmark `windows`: what many windows cost with servers of their own, and with fronts on one daemon. */
import { createSeededRandom } from '@switchboard/testkit'
import { buildCommand, buildPrograms } from '../build-programs.ts'
import { describeLoad, describeMachine } from '../machine.ts'
import { measureCalls } from './measure-calls.ts'
import { measureDirectFleet, measureSharedFleet } from './measure-fleet.ts'
import { measureFirstAnswers, measureFrontMemory } from './measure-front.ts'
import { measureStoreMemory } from './measure-store-memory.ts'
import type { WindowsReport } from './report.ts'
import { judgeTargets } from './targets.ts'

export interface WindowsOptions {
  readonly quick: boolean
  readonly rounds: number
  readonly seed: number
  readonly profileFolder?: string | undefined
  say(line: string): void
}

export async function runWindows({ quick, rounds, seed, profileFolder, say }: WindowsOptions): Promise<WindowsReport> {
  const machine = describeMachine()
  const loadBefore = describeLoad()
  await using programs = await buildPrograms()
  const { program: front } = await buildCommand()
  const size = quick ? { windows: 2, servers: 2 } : { windows: 10, servers: 10 }

  say(`${size.windows} windows with ${size.servers} servers each of their own`)
  const direct = await measureDirectFleet({ programs, front, size })
  say(`${size.windows} fronts on one daemon`)
  const shared = await measureSharedFleet({ programs, front, size })
  say('calls by every way')
  const calls = await measureCalls({
    programs,
    front,
    rounds,
    burstMs: quick ? 30 : 400,
    concurrencies: [1, 16],
    random: createSeededRandom(seed),
    profileFolder,
  })
  say('the memory of a front')
  const memory = await measureFrontMemory({ programs, front }, quick ? 50 : 5_000)
  say('the memory of a daemon that keeps something')
  const store = await measureStoreMemory({ programs, front }, quick ? 1 : 5)
  say('the first answer')
  const firstAnswers = await measureFirstAnswers({ programs, front }, quick ? 1 : 7)
  return {
    machine,
    loadBefore,
    loadAfter: describeLoad(),
    quick,
    rounds,
    seed,
    size,
    fleet: [direct, shared],
    calls,
    memory,
    store,
    firstAnswers,
    targets: judgeTargets({ size, shared, calls, memory, store }),
  }
}
