import { expect, test } from 'vitest'
import { diagnose, probabilitiesOf } from '../../src/diagnosis/diagnose.ts'
import type { PatternMatch } from '../../src/diagnosis/match-patterns.ts'
import type { Pattern } from '../../src/diagnosis/pattern.ts'
import type { Count } from '../../src/diagnosis/pattern-counts.ts'

function pattern(id: string, cause = `The cause of ${id}.`): Pattern {
  return {
    id,
    title: id,
    signs: [],
    words: id,
    category: 'logic',
    severity: 'low',
    cause,
    steps: [],
    verify: [],
    tags: [],
  }
}

function alike(id: string, value: number): PatternMatch {
  return { pattern: pattern(id), match: value, likeness: value, sign: undefined }
}

function match(id: string, value: number, sign = 'sign', cause?: string): PatternMatch {
  return { pattern: pattern(id, cause), match: value, likeness: 0.1, sign }
}

function look(matches: readonly PatternMatch[], counts: Record<string, Partial<Count>> = {}) {
  const told = Object.entries(counts).map(([id, count]): [string, Count] => [
    id,
    { uses: 0, worked: 0, failed: 0, lastUsed: undefined, ...count },
  ])
  return diagnose({ matches, remediations: [], counts: new Map(told), limit: 5 })
}

test('a pattern of which nobody has told is worth something', () => {
  const { candidates, confidence } = look([match('new', 1)])
  expect(candidates[0]?.score).toBeCloseTo(0.75)
  expect(candidates[0]?.successRate).toBeNull()
  expect(confidence).toBe('high')
})

test('what helped comes before what did not', () => {
  const counts = { bad: { failed: 8 }, good: { worked: 8 } }
  expect(look([match('bad', 0.95), match('good', 0.95)], counts).candidates.map(({ id }) => id)).toEqual([
    'good',
    'bad',
  ])
})

test('use counts a tenth, and no more than a hundred times', () => {
  const scoreOf = (uses: number) => look([match('a', 1)], { a: { uses } }).candidates[0]?.score ?? 0
  expect(scoreOf(50) - scoreOf(0)).toBeCloseTo(0.05)
  expect(scoreOf(100)).toBeCloseTo(scoreOf(10_000))
})

test('two that fit as well leave nobody sure, a lead does', () => {
  expect(look([match('a', 1), match('b', 1)]).confidence).toBe('medium')
  expect(look([match('a', 1), match('b', 0.8)]).confidence).toBe('high')
})

test('words that are alike are never sure, however often the pattern helped', () => {
  const { confidence } = look([alike('a', 0.55)], { a: { uses: 1_000, worked: 1_000 } })
  expect(confidence).toBe('medium')
  expect(look([alike('a', 0.55)]).confidence).toBe('low')
})

test('equal causes are one, with the evidence of both', () => {
  const { candidates } = look([match('a', 1, 'one', 'The disk is full.'), match('b', 0.9, 'two', 'the disk is FULL')])
  expect(candidates).toHaveLength(1)
  expect(candidates[0]?.evidence).toEqual(['the text says: one', 'the text says: two'])
})

test('probabilities leave room for what nobody thought of', () => {
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
  const one = probabilitiesOf(look([match('a', 1)]))
  expect(one[0]).toBeCloseTo(0.75)
  const many = probabilitiesOf(look([match('a', 1), match('b', 0.9), match('c', 0.3)]))
  expect(sum(many)).toBeLessThan(1)
  expect(many).toEqual([...many].sort((a, b) => b - a))
  expect(probabilitiesOf(look([]))).toEqual([])
})

test('nothing that fits is no division by zero', () => {
  expect(look([])).toMatchObject({ candidates: [], confidence: 'low', confidenceScore: 0 })
})
