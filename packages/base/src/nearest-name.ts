/**
 * "Did you mean …?" for names of tools, servers and configuration keys. Ignores case. Near is: a few typing mistakes
 * (Damerau-Levenshtein, a third of the length), the same words in another order, or one name inside the other.
 * Cost is bounded: names are compared over their first 128 characters, and a distance only within its limit.
 */
import { boundedDistance } from './edit-distance.ts'

const COMPARED_CHARACTERS = 128
const LARGEST_DISTANCE = 8
/** Below this a contained piece says nothing: `a` is inside nearly every name. */
const SMALLEST_PIECE = 3

/** The nearest of the candidates, or undefined when none is close. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  return nearestNames(name, candidates, 1)[0]
}

/** The nearest candidates, best first; of two equally near ones the first in code-unit order comes first. */
export function nearestNames(name: string, candidates: Iterable<string>, limit = 3): string[] {
  const wanted = normalise(name)
  if (wanted === '' || limit < 1) return []
  const wantedWords = splitIntoWords(name)
  const near: { candidate: string; score: number }[] = []
  for (const candidate of new Set(candidates)) {
    const score = scoreOf(wanted, wantedWords, candidate)
    if (score !== undefined) near.push({ candidate, score })
  }
  near.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1))
  return near.slice(0, limit).map(({ candidate }) => candidate)
}

/** `Did you mean "a" or "b"?`; undefined for nobody near. */
export function didYouMean(...near: readonly (string | undefined)[]): string | undefined {
  const names = near.filter((name) => name !== undefined)
  return names.length === 0 ? undefined : `Did you mean ${names.map((name) => `"${name}"`).join(' or ')}?`
}

/** 0 is the same name; under 1 are typing mistakes; 1 to 2 are shared words; 2 to 3 is one inside the other. */
function scoreOf(wanted: string, wantedWords: ReadonlySet<string>, candidate: string): number | undefined {
  const other = normalise(candidate)
  if (other === '') return undefined
  if (other === wanted) return 0
  const longer = Math.max(wanted.length, other.length)
  const shorter = Math.min(wanted.length, other.length)
  const limit = Math.min(Math.max(1, Math.floor(longer / 3)), LARGEST_DISTANCE)
  const distance = longer - shorter > limit ? undefined : boundedDistance(wanted, other, limit)
  // A name of one or two letters is not "one letter away" from another of which nothing is left.
  if (distance !== undefined && distance < shorter) return distance / longer
  const shared = sharedWords(wantedWords, splitIntoWords(candidate))
  if (shared >= 0.5) return 1 + (1 - shared)
  if (shorter >= SMALLEST_PIECE && (other.includes(wanted) || wanted.includes(other))) {
    const atStart = other.startsWith(wanted) || wanted.startsWith(other)
    return (atStart ? 2 : 2.5) + (1 - shorter / longer) / 2
  }
  return undefined
}

function normalise(name: string): string {
  return name.slice(0, COMPARED_CHARACTERS).toLowerCase()
}

function splitIntoWords(name: string): Set<string> {
  const spaced = name.slice(0, COMPARED_CHARACTERS).replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
  return new Set(spaced.toLowerCase().match(/[\p{L}\d]+/gu) ?? [])
}

/** The share of letters that lie in words both names have: 1 for the same words in another order. */
function sharedWords(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let shared = 0
  let all = 0
  for (const word of left) {
    all += word.length
    if (right.has(word)) shared += word.length
  }
  for (const word of right) if (!left.has(word)) all += word.length
  return shared < SMALLEST_PIECE ? 0 : shared / all
}
