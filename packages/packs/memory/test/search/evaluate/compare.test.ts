import { expect, test } from 'vitest'
import { comparePlaces, judgePlaces } from '../../../src/search/evaluate/compare.ts'

test('the first place counts 1, later ones less, and the eleventh nothing', () => {
  expect(judgePlaces([0])).toEqual({ ndcg: 1, mrr: 1 })
  expect(judgePlaces([1])).toEqual({ ndcg: 1 / Math.log2(3), mrr: 0.5 })
  expect(judgePlaces([10, undefined])).toEqual({ ndcg: 0, mrr: 0 })
  expect(judgePlaces([0, undefined])).toEqual({ ndcg: 0.5, mrr: 0.5 })
})

test('one that finds most things earlier is better, and the other way round worse', () => {
  const early = Array.from({ length: 30 }, (_, index) => index % 3)
  const late = early.map((place) => place + 4)
  expect(comparePlaces(late, early)).toMatchObject({ outcome: 'better' })
  expect(comparePlaces(early, late)).toMatchObject({ outcome: 'worse' })
  expect(comparePlaces(early, early)).toEqual({ difference: 0, error: 0, outcome: 'alike' })
})

test('what is better as often as worse is chance', () => {
  const first = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 0 : 5))
  const second = first.map((place) => (place === 0 ? 5 : 0))
  expect(comparePlaces(first, [...second.slice(0, 29), 0])).toMatchObject({ outcome: 'alike' })
})
