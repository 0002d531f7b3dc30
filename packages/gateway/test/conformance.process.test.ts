/** The official suite: what passes at the reference server passes through the gateway in front of it. */
import { readFile } from 'node:fs/promises'
import { createLeakCheck } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Comparison, findDirectFailures, findRegressions, PATHS, type Path } from '../conformance/comparison.ts'
import { renderPage, stripDetails } from '../conformance/report.ts'
import { runPath } from '../conformance/run-path.ts'
import { REVISIONS, readRequirements, type SuiteResult } from '../conformance/suite.ts'

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
    const runs = new Map<Path, SuiteResult>()
    // Most of a run is waiting: two at a time keep two cores busy and no scenario waiting for them.
    const waiting = [...PATHS[revision]]
    const work = async (): Promise<void> => {
      for (let path = waiting.shift(); path !== undefined; path = waiting.shift()) {
        runs.set(path, await runPath(path, revision, requirements))
      }
    }
    await Promise.all([work(), work()])
    comparison = { revision, requirements, runs }
    comparisons.push(comparison)
  }, 240_000)

  it('passes at the reference server itself', () => {
    expect(comparison.requirements.filter(({ scored }) => scored)).toHaveLength(SCORED[revision])
    expect(findDirectFailures(comparison)).toEqual([])
  })

  it.each(PATHS[revision].filter((path) => path !== 'direct'))('loses no scored scenario through %s', (path) => {
    expect(findRegressions(comparison, path)).toEqual([])
  })
})

it('is documented with what really passes', async () => {
  const page = await readFile(new URL('../../../docs/conformance.md', import.meta.url), 'utf8')
  expect(comparisons).toHaveLength(REVISIONS.length)
  expect(stripDetails(page)).toBe(stripDetails(renderPage(comparisons)))
})
