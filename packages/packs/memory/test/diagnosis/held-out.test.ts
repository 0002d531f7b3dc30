/**
 * Texts of programs that came after the patterns were written, with what each should lead to said before it was tried: how well
 * patterns do beyond the texts that they were made for. `none`: nothing that we know. Each set was measured once before any
 * pattern was changed for it: 41 of 48, 38 of 40, and, of bundlers, package managers, runtimes and databases that the patterns
 * had not been written with, 171 of 190 and 107 of 141.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { diagnose } from '../../src/diagnosis/diagnose.ts'
import { PatternMatcher } from '../../src/diagnosis/match-patterns.ts'
import { PATTERNS } from '../../src/diagnosis/patterns/index.ts'
import { readSections } from './read-cases.ts'

const matcher = new PatternMatcher(PATTERNS)

function answerTo(text: string): string {
  const matches = matcher.match({ text, more: '' })
  const { candidates, confidence } = diagnose({ matches, remediations: [], counts: new Map(), limit: 5 })
  return confidence === 'low' ? 'none' : (candidates[0]?.id ?? 'none')
}

test.each([
  ['first', 48],
  ['second', 40],
  ['third', 190],
  ['fourth', 141],
])('at least nine of ten of the %s texts lead where they should, and no unknown one anywhere', (name, count) => {
  const sections = readSections(readFileSync(join(import.meta.dirname, 'held-out', `${name}.txt`), 'utf8'))
  expect(sections).toHaveLength(count)
  const wrong = sections.filter(({ id, body }) => answerTo(body) !== id)
  expect(wrong.filter(({ id }) => id === 'none')).toEqual([])
  expect(wrong.length / count, wrong.map(({ id }) => id).join(', ')).toBeLessThanOrEqual(0.1)
})
