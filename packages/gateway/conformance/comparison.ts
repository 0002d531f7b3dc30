/** Puts the runs of one revision side by side: what passes directly has to pass through the gateway. */
import type { Requirement, Revision, ScenarioResult, SuiteResult } from './suite.ts'

/**
 * How the suite reaches the reference server. To a server of both eras the gateway speaks the modern one, so that the
 * legacy revision crosses the eras there; `-legacy` is the same server with its modern era switched off.
 */
export type Path = 'direct' | 'http' | 'stdio' | 'http-legacy' | 'stdio-legacy'

/** A legacy server cannot name its questions, which the scenarios of the modern revision want: no modern run through one. */
export const PATHS: Readonly<Record<Revision, readonly Path[]>> = {
  '2025-11-25': ['direct', 'http', 'stdio', 'http-legacy', 'stdio-legacy'],
  '2026-07-28': ['direct', 'http', 'stdio'],
}

export interface Comparison {
  readonly revision: Revision
  readonly requirements: readonly Requirement[]
  readonly runs: ReadonlyMap<Path, SuiteResult>
}

/** A run without a result for a scenario is a run that failed it. */
export function findResult(results: SuiteResult | undefined, scenario: string): ScenarioResult {
  const missing = { scenario, passed: false, succeeded: 0, warnings: 0, complaints: ['the suite reported nothing'] }
  return results?.get(scenario) ?? missing
}

/** Scored scenarios that fail without any gateway: then the run is no measure. */
export function findDirectFailures({ requirements, runs }: Comparison): string[] {
  const direct = runs.get('direct')
  return requirements
    .filter(({ scored }) => scored)
    .map(({ scenario }) => findResult(direct, scenario))
    .filter(({ passed }) => !passed)
    .map(describe)
}

/** Scored scenarios that pass directly and fail through the gateway, with what the suite complained of. */
export function findRegressions({ requirements, runs }: Comparison, path: Path): string[] {
  const direct = runs.get('direct')
  const through = runs.get(path)
  return requirements
    .filter(({ scored, scenario }) => scored && findResult(direct, scenario).passed)
    .map(({ scenario }) => findResult(through, scenario))
    .filter(({ passed }) => !passed)
    .map(describe)
}

function describe({ scenario, complaints }: ScenarioResult): string {
  return [scenario, ...complaints.map((complaint) => `    ${complaint}`)].join('\n')
}

export function countPassed({ requirements, runs }: Comparison, path: Path, scored: boolean): string {
  const counted = requirements.filter((requirement) => requirement.scored === scored)
  const passed = counted.filter(({ scenario }) => findResult(runs.get(path), scenario).passed)
  return `${passed.length}/${counted.length}`
}
