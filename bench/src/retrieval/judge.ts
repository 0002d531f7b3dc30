/** How good an order is, by the measures that everybody publishes, over the first ten. */
import { sum } from '../statistics.ts'

const DEPTH = 10

export interface Quality {
  readonly ndcg: number
  readonly recall: number
  readonly mrr: number
}

export function judge(ranked: readonly string[], grades: Readonly<Record<string, number>>): Quality {
  const found = ranked.slice(0, DEPTH).map((id) => grades[id] ?? 0)
  const relevant = Object.values(grades).filter((grade) => grade > 0)
  const ideal = relevant.toSorted((a, b) => b - a).slice(0, DEPTH)
  const first = found.findIndex((grade) => grade > 0)
  return {
    ndcg: ideal.length === 0 ? 0 : gain(found) / gain(ideal),
    recall: relevant.length === 0 ? 0 : found.filter((grade) => grade > 0).length / relevant.length,
    mrr: first === -1 ? 0 : 1 / (first + 1),
  }
}

export function meanQuality(all: readonly Quality[]): Quality {
  const mean = (values: readonly number[]): number => sum(values) / values.length
  return {
    ndcg: mean(all.map(({ ndcg }) => ndcg)),
    recall: mean(all.map(({ recall }) => recall)),
    mrr: mean(all.map(({ mrr }) => mrr)),
  }
}

const gain = (grades: readonly number[]): number => sum(grades.map((grade, place) => grade / Math.log2(place + 2)))
