/**
 * "Did you mean …?" for names of tools, servers and configuration keys. Ignores case. Near is: a few typing mistakes
 * (Damerau-Levenshtein, a third of the length), the same words in another order, or one name inside the other.
 * Cost is bounded: names are compared over their first 128 characters, and a distance only within its limit.
 */

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

/** Edits (insert, delete, replace, swap neighbours) between two texts; undefined when there are more than `limit`. */
function boundedDistance(left: string, right: string, limit: number): number | undefined {
  const width = right.length + 1
  let beforePrevious = new Array<number>(width).fill(0)
  let previous = Array.from({ length: width }, (_, column) => column)
  let current = new Array<number>(width).fill(0)
  const at = (row: readonly number[], column: number): number => row[column] ?? limit + 1
  for (let i = 1; i <= left.length; i++) {
    // Cells further than `limit` from the diagonal cannot be part of a short enough path.
    const from = Math.max(1, i - limit)
    const to = Math.min(right.length, i + limit)
    current.fill(limit + 1)
    if (i <= limit) current[0] = i
    let least = at(current, 0)
    for (let j = from; j <= to; j++) {
      const same = left[i - 1] === right[j - 1]
      let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1))
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, at(beforePrevious, j - 2) + 1)
      }
      current[j] = cost
      if (cost < least) least = cost
    }
    // A swap may still step over one row, so both must be beyond the limit before giving up.
    if (least > limit && Math.min(...previous) > limit) return undefined
    ;[beforePrevious, previous, current] = [previous, current, beforePrevious]
  }
  const distance = at(previous, right.length)
  return distance <= limit ? distance : undefined
}
