/** Remediations that fit an error, the best first. */
import type { Space } from '@switchboard/store'
import type { Finder } from '../search/finder.ts'
import { type Match, matchError } from './match-error.ts'
import type { ReadError } from './read-error.ts'
import { REMEDIATION, type Remediation, readRemediation, textOfRemediation } from './remediation.ts'

export interface FoundRemediation {
  readonly remediation: Remediation
  readonly match: Match
}

export interface RemediationSearch {
  readonly scopes: readonly string[]
  readonly limit: number
  readonly minScore: number
  /** By these words candidates are looked for. Default: by all of the error. */
  readonly text?: string
  readonly tags?: readonly string[]
  readonly signal?: AbortSignal | undefined
}

export interface RemediationAnswer {
  readonly found: readonly FoundRemediation[]
  /** That were near, and not near enough. */
  readonly below: number
  readonly searched: number | undefined
  readonly note: string | undefined
}

/** What comes after so many by their words is no match. */
const MIN_CANDIDATES = 20

export async function findRemediations(
  finder: Finder,
  space: Space,
  error: ReadError,
  { scopes, limit, minScore, text = textOfRemediation(error), tags = [], signal }: RemediationSearch,
): Promise<RemediationAnswer> {
  const candidates = Math.max(MIN_CANDIDATES, 2 * limit)
  const wanted = { scopes, kinds: [REMEDIATION], tags, text, limit: candidates, signal }
  const { hits, searched, note } = await finder.find(space, wanted)
  const matched = hits.map(({ item, similarity }) => {
    const remediation = readRemediation(item)
    return { remediation, match: matchError(error, remediation.error, similarity) }
  })
  const good = matched.filter(({ match }) => match.score >= minScore).sort(byScore)
  return { found: good.slice(0, limit), below: matched.length - good.length, searched, note }
}

/** Of two that fit as well: the one that helped more often. */
function byScore(one: FoundRemediation, other: FoundRemediation): number {
  return other.match.score - one.match.score || helpfulness(other.remediation) - helpfulness(one.remediation)
}

/** What is expected of it, with one success and one failure that nobody has seen: a new one is neither good nor bad. */
function helpfulness({ worked, failed }: Pick<Remediation, 'worked' | 'failed'>): number {
  return (worked + 1) / (worked + failed + 2)
}
