import { PATHS, type Path, speaks } from './paths.ts'
import { type Requirement, type Revision, runSuite, type SuiteResult } from './suite.ts'
import { startTarget } from './targets.ts'

/** Most of a run is waiting: so many at a time keep two cores busy, and no scenario waiting for them. */
const AT_ONCE = 4

/** All paths of one revision. */
export async function runPaths(
  revision: Revision,
  requirements: readonly Requirement[],
): Promise<Map<Path, SuiteResult>> {
  const runs = new Map<Path, SuiteResult>()
  const waiting = [...PATHS]
  const work = async (): Promise<void> => {
    for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
      runs.set(path, await runPath(path, revision, requirements))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return runs
}

/**
 * Some scenarios give an answer half a second to arrive, which a busy machine may miss: when one that counts fails, the
 * suite is run once more, and what failed is judged by that run.
 */
async function runPath(path: Path, revision: Revision, requirements: readonly Requirement[]): Promise<SuiteResult> {
  const first = await runOnce(path, revision)
  const failed = requirements.filter(({ scenario, scored }) => scored && first.get(scenario)?.passed !== true)
  // Directly, a server of the other era has nothing to pass with.
  if (failed.length === 0 || (path.by === 'direct' && !speaks(path, revision))) return first
  const second = await runOnce(path, revision)
  const judged = failed.flatMap(({ scenario }) => {
    const result = second.get(scenario)
    return result === undefined ? [] : [[scenario, result] as const]
  })
  return new Map([...first, ...judged])
}

/** Each run has a server of its own: the suite changes lists, and another run would see it. */
async function runOnce(path: Path, revision: Revision): Promise<SuiteResult> {
  await using target = await startTarget(path)
  return await runSuite(target.url, revision)
}
