/** Puts the runs of one revision side by side: what passes directly has to pass through the gateway. */
import { directOf, type Path, speaks } from './paths.ts'
import type { Requirement, Revision, ScenarioResult, SuiteResult } from './suite.ts'

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

/** Scored scenarios that fail without any gateway at a server that speaks the revision: then the run is no measure. */
export function findDirectFailures(comparison: Comparison): string[] {
  const direct = [...comparison.runs.keys()].filter((path) => path.by === 'direct' && speaks(path, comparison.revision))
  return direct.flatMap((path) => findFailures(comparison, path, () => true))
}

/**
 * Scored scenarios that pass directly and fail through the gateway, with what the suite complained of. Directly, a server passes
 * nothing of the era that it does not speak: there everything has to be bridged.
 */
export function findRegressions(comparison: Comparison, path: Path): string[] {
  const { revision, runs } = comparison
  const direct = directOf(path)
  const results = direct === undefined ? undefined : runs.get(direct)
  const isDue = ({ scenario }: Requirement): boolean => findResult(results, scenario).passed || !speaks(path, revision)
  return findFailures(comparison, path, isDue)
}

function findFailures(
  { requirements, runs }: Comparison,
  path: Path,
  isDue: (requirement: Requirement) => boolean,
): string[] {
  return requirements
    .filter((requirement) => requirement.scored && isDue(requirement))
    .map(({ scenario }) => findResult(runs.get(path), scenario))
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
