/** What a run of a single test came to, told by how it ended and what the framework printed. */
import { stripVTControlCharacters } from 'node:util'
import type { TestFramework } from './found-test.ts'

export type TestVerdict = 'passed' | 'failed' | 'skipped' | 'not_run'

export function judgeRun(framework: TestFramework, exitCode: number | null | undefined, output: string): TestVerdict {
  const plain = stripVTControlCharacters(output)
  if (hasRunNothing(framework, exitCode, plain)) return 'not_run'
  if (exitCode === undefined) return /\b(?:FAIL|FAILED|failed)\b/.test(plain) ? 'failed' : 'passed'
  if (exitCode !== 0) return 'failed'
  return isSkipped(framework, plain) ? 'skipped' : 'passed'
}

/** It was found, and not run: somebody has switched it off. */
function isSkipped(framework: TestFramework, output: string): boolean {
  switch (framework) {
    case 'pytest':
      return /\b\d+ skipped\b/.test(output) && !/\b\d+ (?:passed|xfailed|xpassed)\b/.test(output)
    case 'node:test':
      return /^\S* ?pass 0$/m.test(output) && /^\S* ?(?:skipped|todo) [1-9]/m.test(output)
    case 'vitest':
      return false
    case 'go test':
      return /^[ \t]*--- SKIP:/m.test(output) && !/^[ \t]*--- PASS:/m.test(output)
  }
}

function hasRunNothing(framework: TestFramework, exitCode: number | null | undefined, output: string): boolean {
  switch (framework) {
    case 'pytest':
      // 4: no such test; 5: nothing collected.
      return exitCode === 4 || exitCode === 5 || /No module named '?pytest\b/.test(output)
    case 'node:test':
      return /^\S* ?tests 0$/m.test(output)
    case 'vitest':
      return (
        /No test files found/.test(output) ||
        /^[ \t]*Tests[ \t]+(?:no tests|\d+ skipped \(\d+\))[ \t\r]*$/m.test(output)
      )
    case 'go test':
      return /no tests to run/.test(output)
  }
}
