/** Which test of a file Node runs. Before version 22 it compared its pattern with a test's own name, without its suites. */
import { ToolError } from '@switchboard/toolkit'
import type { Launch } from '../engine/debug-session.ts'

export interface TestNameOption {
  /** Patterns: with the names of its suites, and without. */
  readonly full: string
  readonly own: string
  /** Another one of the file has the same name of its own. */
  readonly isAmbiguous: boolean
}

const FIRST_WITH_FULL_NAMES = 22

export async function chooseTestName(
  { testName }: Launch['options'],
  readMajor: () => Promise<number>,
): Promise<readonly string[]> {
  if (testName === undefined) return []
  // Only ours: a configuration of an editor has no such key.
  const { full, own, isAmbiguous } = testName as TestNameOption
  const major = await readMajor()
  if (major >= FIRST_WITH_FULL_NAMES) return [`--test-name-pattern=${full}`]
  if (!isAmbiguous) return [`--test-name-pattern=${own}`]
  throw new ToolError(
    'E_DISCOVERY_FAILED',
    `Node ${major} cannot run this test alone: another one in the file has the same name, and before Node ${FIRST_WITH_FULL_NAMES} suites do not count.`,
    {
      hint: `Use Node ${FIRST_WITH_FULL_NAMES} or later, rename one of them, or debug the whole file with debug_start.`,
    },
  )
}
