/** Whether one order is better than another, from the places at which the same things were found. */

export interface Quality {
  /** nDCG@10: 1 where each is found first, 0 where none is among the first ten. */
  readonly ndcg: number
  /** MRR@10. */
  readonly mrr: number
}

export interface Comparison {
  /** Of nDCG@10: how much better the second is. */
  readonly difference: number
  /** The standard error of that: twice as much is rarely chance. */
  readonly error: number
  readonly outcome: 'better' | 'worse' | 'alike'
}

/** From 0; undefined: not among those that were looked at. */
export type Place = number | undefined

const DEPTH = 10

export function judgePlaces(places: readonly Place[]): Quality {
  return { ndcg: mean(places.map(gain)), mrr: mean(places.map((place) => (isSeen(place) ? 1 / (place + 1) : 0))) }
}

export function comparePlaces(first: readonly Place[], second: readonly Place[]): Comparison {
  const differences = first.map((place, index) => gain(second[index]) - gain(place))
  const difference = mean(differences)
  const variance = mean(differences.map((one) => (one - difference) ** 2))
  const error = Math.sqrt(variance / Math.max(1, differences.length - 1))
  const outcome = difference > 2 * error ? 'better' : difference < -2 * error ? 'worse' : 'alike'
  return { difference, error, outcome }
}

function gain(place: Place): number {
  return isSeen(place) ? 1 / Math.log2(place + 2) : 0
}

function isSeen(place: Place): place is number {
  return place !== undefined && place < DEPTH
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length
}
