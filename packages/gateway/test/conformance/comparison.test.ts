import { describe, expect, it } from 'vitest'
import { type Comparison, countPassed, findDirectFailures, findRegressions } from '../../conformance/comparison.ts'
import { PATHS, type Path } from '../../conformance/paths.ts'
import { renderPage, renderTable, stripDetails } from '../../conformance/report.ts'
import { parseRequirements, REVISIONS, readRequirements, type ScenarioResult } from '../../conformance/suite.ts'

const REQUIREMENTS = [
  { scenario: 'ping', scored: true },
  { scenario: 'tools-list', scored: true },
  { scenario: 'extra', scored: false, reason: 'pending' },
]

function result(scenario: string, passed: boolean, warnings = 0): [string, ScenarioResult] {
  const complaints = passed ? [] : [`${scenario} (failure): broken`]
  return [scenario, { scenario, passed, succeeded: 1, warnings, complaints }]
}

const find = (eras: Path['eras'], by: Path['by']): Path => {
  const path = PATHS.find((candidate) => candidate.eras === eras && candidate.by === by)
  if (path === undefined) throw new Error(`There is no path ${eras} ${by}`)
  return path
}
const [DIRECT, HTTP, STDIO] = [find('dual', 'direct'), find('dual', 'http'), find('dual', 'stdio')]
const BRIDGED = find('legacy', 'http')

function compare(...runs: [Path, [string, ScenarioResult][]][]): Comparison {
  const entries = runs.map(([path, results]) => [path, new Map(results)] as const)
  return { revision: '2026-07-28', requirements: REQUIREMENTS, runs: new Map(entries) }
}

const ALL = [result('ping', true), result('tools-list', true), result('extra', true)]

describe('the comparison', () => {
  it('finds nothing where all that counts passes', () => {
    const comparison = compare([DIRECT, ALL], [HTTP, [result('ping', true), result('tools-list', true, 2)]])
    expect(findDirectFailures(comparison)).toEqual([])
    expect(findRegressions(comparison, HTTP)).toEqual([])
    expect(countPassed(comparison, HTTP, true)).toBe('2/2')
    expect(countPassed(comparison, HTTP, false)).toBe('0/1')
  })

  it('names a scenario that fails on the way through, with the complaints', () => {
    const comparison = compare([DIRECT, ALL], [HTTP, [result('ping', true), result('tools-list', false)]])
    expect(findRegressions(comparison, HTTP)).toEqual(['tools-list\n    tools-list (failure): broken'])
  })

  it('counts a scenario without a result, and a run that is missing, as failed', () => {
    const comparison = compare([DIRECT, ALL], [HTTP, [result('ping', true)]])
    expect(findRegressions(comparison, HTTP)).toEqual([expect.stringContaining('the suite reported nothing')])
    expect(findRegressions(comparison, STDIO)).toHaveLength(2)
  })

  it('does not blame the gateway for what fails directly', () => {
    const comparison = compare([DIRECT, [result('ping', false), result('tools-list', true)]], [HTTP, ALL.slice(1)])
    expect(findDirectFailures(comparison)).toEqual(['ping\n    ping (failure): broken'])
    expect(findRegressions(comparison, HTTP)).toEqual([])
  })
})

describe('the comparison across the eras', () => {
  it('takes everything that counts for due, since directly nothing of the other era passes', () => {
    const comparison = compare([BRIDGED, [result('ping', true), result('tools-list', false)]])
    expect(findRegressions(comparison, BRIDGED)).toEqual(['tools-list\n    tools-list (failure): broken'])
    expect(findDirectFailures(comparison)).toEqual([])
  })
})

describe('the page', () => {
  const page = (...http: [string, ScenarioResult][]): string =>
    renderPage([compare([DIRECT, ALL], [HTTP, http], [STDIO, ALL])])

  it('shows every scenario with its results', () => {
    const text = page(result('ping', true, 1), result('tools-list', false))
    expect(text).toContain('| ping | yes | pass | pass, 1 warning | pass |')
    expect(text).toContain('| tools-list | yes | pass | fail (1) | pass |')
    expect(text).toContain('| extra | no (pending) | pass | fail (1) | pass |')
    expect(text).toContain('| **all that are scored** |  | 2/2 | 1/2 | 2/2 |')
    expect(renderTable(compare([DIRECT, ALL]))).toMatch(/^ping +yes +pass +fail/m)
  })

  it('is current when only warnings differ, and not when what passes does', () => {
    expect(stripDetails(page(result('ping', true, 3), ...ALL.slice(1)))).toBe(stripDetails(page(...ALL)))
    expect(stripDetails(page(result('ping', false), ...ALL.slice(1)))).not.toBe(stripDetails(page(...ALL)))
  })
})

describe('the requirements', () => {
  it('are read from both shapes of entries, those of clients left out', () => {
    const text = [
      '# server: not this',
      'server:',
      '  - ping',
      '  - tools-list',
      'client:',
      '  - auth/metadata-default',
      'not_scored:',
      '  - scenario: auth/dpop',
      '    leg: client',
      '    reason: extension',
      '  - scenario: extra',
      '    leg: server',
      '    reason: pending',
      '    note: >-',
      '      whatever',
    ]
    expect(parseRequirements(text.join('\n'))).toEqual(REQUIREMENTS)
  })

  it.each(REVISIONS)('of %s name scenarios that count and others', async (revision) => {
    const requirements = await readRequirements(revision)
    expect(new Set(requirements.map(({ scenario }) => scenario)).size).toBe(requirements.length)
    expect(requirements.some(({ scored }) => !scored)).toBe(true)
  })
})
