/** A test as it stands in a file. */
export interface FoundTest {
  /** With its suites, outermost first. */
  readonly names: readonly string[]
  readonly line: number
  readonly endLine: number
  readonly isSuite: boolean
  /** Runs several times with other values; its name may have parts that are known only then. */
  readonly isParametrised: boolean
}

export type TestFramework = 'pytest' | 'node:test' | 'vitest' | 'go test'

/** What holds the line: the innermost test, else the innermost suite. */
export function findTestAt(tests: readonly FoundTest[], line: number): FoundTest | undefined {
  const around = tests.filter((test) => test.line <= line && line <= test.endLine)
  const innermost = (candidates: readonly FoundTest[]) => candidates.toSorted((a, b) => b.line - a.line)[0]
  return innermost(around.filter(({ isSuite }) => !isSuite)) ?? innermost(around)
}

export function findNearestTests(tests: readonly FoundTest[], line: number, count = 3): FoundTest[] {
  return tests
    .filter(({ isSuite }) => !isSuite)
    .toSorted((a, b) => Math.abs(a.line - line) - Math.abs(b.line - line))
    .slice(0, count)
}
