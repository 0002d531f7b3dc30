/**
 * One order out of two, the same for every engine: that of the words and that of the meaning, by reciprocal rank. Neither knows
 * how sure the other is, so only places count. What has an exact name that was asked for stays first.
 */
import type { Matched } from '../store.ts'
import type { Ranked } from './rank.ts'

export interface Near {
  readonly key: number
  /** Cosine. */
  readonly similarity: number
}

export interface Fused {
  readonly key: number
  readonly score: number
  readonly share: number
  readonly matched: Matched
}

/** The usual constant: the first few places count about the same. */
const K = 60

/** Both with the best first. */
export function fuse(ranked: readonly Ranked[], near: readonly Near[]): Fused[] {
  const all = new Map<number, Fused & { readonly isExact: boolean }>()
  for (const [place, { key, share, isExact }] of ranked.entries()) {
    all.set(key, { key, share, isExact, matched: 'text', score: (isExact ? 1 : 0) + 1 / (K + place + 1) })
  }
  for (const [place, { key }] of near.entries()) {
    const score = 1 / (K + place + 1)
    const known = all.get(key)
    if (known === undefined) all.set(key, { key, share: 0, isExact: false, matched: 'meaning', score })
    else all.set(key, { ...known, matched: 'both', score: known.score + score })
  }
  return [...all.values()].sort((a, b) => b.score - a.score).map(({ isExact: _, ...fused }) => fused)
}

/** Without a vector the order of the words stays as it is. */
export const byWords = (ranked: readonly Ranked[]): Fused[] =>
  ranked.map(({ key, score, share }) => ({ key, score, share, matched: 'text' }))
