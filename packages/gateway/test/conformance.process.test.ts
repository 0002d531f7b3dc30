/** The official suite: what passes at a reference server passes through the gateway in front of it, and across the eras. */
import { readFile } from 'node:fs/promises'
import { createLeakCheck } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Comparison, findDirectFailures, findRegressions } from '../conformance/comparison.ts'
import { PATHS } from '../conformance/paths.ts'
import { renderPage, stripDetails } from '../conformance/report.ts'
import { runPaths } from '../conformance/run-paths.ts'
import { REVISIONS, readRequirements } from '../conformance/suite.ts'

const leaks = createLeakCheck()
beforeAll(() => leaks.begin())
afterAll(() => leaks.check())

/** How many scenarios count, so that a suite that runs less than it did cannot pass for a good one. */
const SCORED = { '2025-11-25': 30, '2026-07-28': 37 } as const

const comparisons: Comparison[] = []

describe.each(REVISIONS)('the conformance suite of %s', (revision) => {
  let comparison: Comparison

  beforeAll(async () => {
    const requirements = await readRequirements(revision)
    comparison = { revision, requirements, runs: await runPaths(revision, requirements) }
    comparisons.push(comparison)
  }, 300_000)

  it('passes at the reference servers themselves', () => {
    expect(comparison.requirements.filter(({ scored }) => scored)).toHaveLength(SCORED[revision])
    expect(findDirectFailures(comparison)).toEqual([])
  })

  it.each(PATHS.filter(({ by }) => by !== 'direct'))('loses no scored scenario: $name', (path) => {
    expect(findRegressions(comparison, path)).toEqual([])
  })
})

it('is documented with what really passes', async () => {
  const page = await readFile(new URL('../../../docs/conformance.md', import.meta.url), 'utf8')
  expect(comparisons).toHaveLength(REVISIONS.length)
  expect(stripDetails(page)).toBe(stripDetails(renderPage(comparisons)))
})
