/** `--against <clone>`: this tree and another one in turns in one run, and whether this one is slower. */
import { createSeededRandom } from '@switchboard/testkit'
import { describeLoad, describeMachine } from '../machine.ts'
import { geometricMean } from '../statistics.ts'
import { compareCalls } from './compare-calls.ts'
import { compareGateway } from './compare-gateway.ts'
import { compareStart } from './compare-start.ts'
import type { Cell } from './measure-turns.ts'
import type { CompareOptions } from './options.ts'
import type { AgainstReport, AgainstTarget } from './report.ts'
import { compareBundles, prepareTrees } from './tree.ts'

export type AgainstName = 'calls' | 'gateway' | 'start'

export interface AgainstOptions {
  readonly against: string
  readonly quick: boolean
  readonly rounds: number
  readonly seed: number
  say(line: string): void
}

/** What counts as slower. */
const LIMIT = 1.02
/** A bundle may be as large, and not larger. */
const BYTES_LIMIT = 1

export async function runAgainst(name: AgainstName, options: AgainstOptions): Promise<AgainstReport> {
  const { against, quick, rounds, seed, say } = options
  const loadBefore = describeLoad()
  say('building both trees')
  const trees = await prepareTrees(against)
  const compareOptions: CompareOptions = {
    rounds,
    generations: quick ? 1 : 3,
    random: createSeededRandom(seed),
    quick,
    scale: quick ? shrink : (cells) => cells,
    say,
  }
  const calls = name === 'start' ? [] : await (name === 'calls' ? compareCalls : compareGateway)(trees, compareOptions)
  const starts =
    name === 'start' ? await compareStart(trees, { ...compareOptions, rounds: quick ? 1 : rounds * 3 }) : []
  const bundles = name === 'start' ? await compareBundles(trees) : []
  const targets = [
    judge('p50, mean of the cells', LIMIT, geometricMean(calls.map(({ ratio }) => ratio.p50))),
    judge('CPU, mean of the cells', LIMIT, geometricMean(calls.map(({ ratio }) => ratio.cpu))),
    ...starts.map(({ what, ratio }) => judge(what, LIMIT, ratio)),
    ...bundles.map(({ file, before, after }) => judge(`bytes of ${file}`, BYTES_LIMIT, after / before)),
  ].filter(({ measured }) => !Number.isNaN(measured))
  return {
    name,
    machine: describeMachine(),
    commits: { before: trees.before.commit, after: trees.after.commit },
    loadBefore,
    loadAfter: describeLoad(),
    quick,
    rounds,
    seed,
    calls,
    starts,
    bundles,
    targets,
  }
}

function shrink(cells: readonly Cell[]): Cell[] {
  return cells.map((cell) => ({ ...cell, calls: 20 }))
}

function judge(name: string, limit: number, measured: number): AgainstTarget {
  return { name, limit, measured, met: measured <= limit }
}
