/** Finds `func TestXxx(t *testing.T)` and the subtests in it that have a written name. */
import type { FoundTest } from './found-test.ts'

const TEST = /^func\s+(Test(?:[^a-z]\w*)?|Fuzz[^a-z]\w*)\s*\(\s*\w+\s+\*testing\.[TF]\s*\)/
const SUBTEST = /\b\w+\.Run\(\s*(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|(\w[\w.]*))\s*,\s*func\s*\(/

export function findGoTests(text: string): FoundTest[] {
  const lines = text.split(/\r?\n/)
  const tests: FoundTest[] = []
  for (let index = 0; index < lines.length; index++) {
    const name = TEST.exec(lines[index] ?? '')?.[1]
    if (name === undefined) continue
    const end = findEnd(lines, index, /^\}/)
    const inner = findSubtests(lines, index + 1, end, [name])
    const isParametrised = inner.some((test) => test.isParametrised)
    tests.push({ names: [name], line: index + 1, endLine: end + 1, isSuite: false, isParametrised })
    tests.push(...inner.filter((test) => !test.isParametrised))
    index = end
  }
  return tests
}

function findSubtests(lines: readonly string[], from: number, to: number, parents: readonly string[]): FoundTest[] {
  const tests: FoundTest[] = []
  for (let index = from; index < to; index++) {
    const line = lines[index] ?? ''
    const match = SUBTEST.exec(line)
    if (match === null) continue
    const name = match[1] ?? match[2]
    const indent = /^\s*/.exec(line)?.[0] ?? ''
    const end = Math.min(to, findEnd(lines, index, new RegExp(`^${indent}\\}`)))
    const names = [...parents, (name ?? match[3] ?? '').replaceAll(' ', '_')]
    tests.push({ names, line: index + 1, endLine: end + 1, isSuite: false, isParametrised: name === undefined })
    if (name !== undefined) tests.push(...findSubtests(lines, index + 1, end, names))
    index = end
  }
  return tests
}

/** Formatted as gofmt does: the closing brace stands below the line that opens. */
function findEnd(lines: readonly string[], from: number, closing: RegExp): number {
  const found = lines.findIndex((line, index) => index > from && closing.test(line))
  return found === -1 ? lines.length - 1 : found
}
