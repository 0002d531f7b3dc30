/** Every pattern that comes with Switchboard, by real texts. */
import { describe, expect, it, test } from 'vitest'
import { diagnose, MEDIUM } from '../../src/diagnosis/diagnose.ts'
import { PatternMatcher } from '../../src/diagnosis/match-patterns.ts'
import { commandsFor } from '../../src/diagnosis/pattern.ts'
import { AREAS, PATTERNS } from '../../src/diagnosis/patterns/index.ts'
import { readCases } from './read-cases.ts'

const matcher = new PatternMatcher(PATTERNS)
const cases = readCases()

function look(text: string) {
  return diagnose({ matches: matcher.match({ text, more: '' }), remediations: [], counts: new Map(), limit: 10 })
}

test('every pattern has one case, and every case a pattern', () => {
  const ids = PATTERNS.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(cases.map(({ id }) => id).sort()).toEqual([...ids].sort())
  expect(PATTERNS.length).toBeGreaterThanOrEqual(90)
})

describe.each(Object.keys(AREAS))('patterns of %s', (area) => {
  it.each((AREAS[area] ?? []).map(({ id }) => id))('%s is the first for its error, and not for another', (id) => {
    const found = cases.find((entry) => entry.id === id)
    const { candidates, confidence, confidenceScore } = look(found?.text ?? '')
    expect(candidates[0]?.id).toBe(id)
    expect(['high', 'medium'], `${confidenceScore}`).toContain(confidence)
    const other = look(found?.other ?? '').candidates.find((candidate) => candidate.id === id)
    expect(other?.score ?? 0).toBeLessThan(MEDIUM)
  })
})

test('most of the texts were printed by real programs here', () => {
  const produced = cases.filter(({ origin }) => origin.startsWith('run: '))
  expect(produced.length).toBeGreaterThan(cases.length / 2)
})

test('every pattern says what to do in short sentences, on every platform', () => {
  for (const { id, title, cause, steps, verify, tags, words } of PATTERNS) {
    expect(id).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)+$/)
    expect(title.length, id).toBeLessThanOrEqual(90)
    expect(cause.length, id).toBeLessThanOrEqual(330)
    expect(cause.endsWith('.'), id).toBe(true)
    expect(steps.length, id).toBeGreaterThan(0)
    expect(verify.length, id).toBeGreaterThan(0)
    expect(tags.length, id).toBeGreaterThan(0)
    expect(words, id).not.toBe('')
    for (const platform of ['linux', 'macos', 'windows'] as const) {
      for (const step of steps)
        for (const command of commandsFor(step, platform)) expect(command.trim(), id).not.toBe('')
    }
  }
})

test("an ordinary text is nobody's error", () => {
  for (const text of [
    'All 214 tests passed in 3.2 s',
    'Compiled successfully',
    'the quick brown fox',
    '🚀',
    '',
    '\u0000',
  ]) {
    expect(look(text).confidence, text).toBe('low')
  }
})

test('the largest text that a call may bring is looked through at once', () => {
  const text = `${'x'.repeat(10_000)}\n${"Cannot find module 'a ".repeat(2_500)}`
  expect(look(text).candidates.length).toBeLessThan(PATTERNS.length)
})
