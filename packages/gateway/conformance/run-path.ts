import type { Path } from './comparison.ts'
import { type Revision, runSuite, type SuiteResult } from './suite.ts'
import { startTarget } from './targets.ts'

/** Each run has a server of its own: the suite changes lists, and another run would see it. */
export async function runPath(path: Path, revision: Revision): Promise<SuiteResult> {
  await using target = await startTarget(path)
  return await runSuite(target.url, revision)
}
