/**
 * What an error most likely means. Each candidate has a score: 0.6 of how well it matches, 0.3 of how often it helped, with one success
 * and one failure that nobody has seen so that a new one is worth something, and 0.1 of how often it was the answer. How sure we
 * are follows from the best score as it is, and from its lead: among many that fit as well none is sure. What helped in this
 * project before speaks for the best, and competes with nobody.
 */
import type { FoundRemediation } from '../remediations/find-remediations.ts'
import { describeSuccess, type Severity } from '../remediations/remediation.ts'
import type { PatternMatch } from './match-patterns.ts'
import type { Category, Pattern, Step } from './pattern.ts'
import { type Count, NO_COUNT } from './pattern-counts.ts'

export type Confidence = 'high' | 'medium' | 'low'

export interface LikelyCause {
  /** Of the pattern, or of the remediation. */
  readonly id: string
  readonly pattern: Pattern | undefined
  readonly title: string
  readonly cause: string
  readonly category: Category
  readonly severity: Severity
  readonly tags: readonly string[]
  readonly steps: readonly Step[]
  readonly verify: readonly string[]
  readonly evidence: readonly string[]
  readonly match: number
  readonly likeness: number
  /** Null: nobody has told yet. */
  readonly successRate: number | null
  readonly score: number
}

export interface ErrorDiagnosis {
  /** The best first; merged where they have the same cause. */
  readonly candidates: readonly LikelyCause[]
  /** What helped before, the best first. */
  readonly earlier: readonly LikelyCause[]
  readonly confidence: Confidence
  readonly confidenceScore: number
}

export interface Findings {
  readonly matches: readonly PatternMatch[]
  readonly remediations: readonly FoundRemediation[]
  readonly counts: ReadonlyMap<string, Count>
  readonly limit: number
}

const HIGH = 0.7
export const MEDIUM = 0.5
/** With a smaller lead the best is less sure. */
const LEAD = 0.1
const MANY_USES = 100

export function diagnose({ matches, remediations, counts, limit }: Findings): ErrorDiagnosis {
  const patterns = matches.map((match) => fromPattern(match, counts.get(match.pattern.id) ?? NO_COUNT))
  const earlier = mergeCauses(remediations.map(fromRemediation))
  const candidates = mergeCauses(patterns)
  const shown = (candidates.length === 0 ? earlier : candidates).slice(0, limit)
  const [best, second] = shown
  const lead = (best?.score ?? 0) - (second?.score ?? 0)
  const confidenceScore = Math.max(0, (best?.score ?? 0) - Math.max(0, LEAD - lead))
  return {
    candidates: shown.map((candidate, at) => (at === 0 ? withEarlier(candidate, earlier) : candidate)),
    earlier,
    confidence: judge(confidenceScore, best),
    confidenceScore: round(confidenceScore),
  }
}

/** What each is worth among all, and among what nobody thought of. */
export function probabilitiesOf({ candidates }: Pick<ErrorDiagnosis, 'candidates'>): number[] {
  const scores = candidates.map(({ score }) => score)
  const rest = 1 - Math.max(0, ...scores)
  const sum = scores.reduce((total, score) => total + score, rest)
  return scores.map((score) => round(score / sum))
}

function judge(score: number, best: LikelyCause | undefined): Confidence {
  // Words that are alike prove nothing, however often the pattern helped elsewhere.
  const isProven = best !== undefined && best.match > best.likeness
  if (score >= HIGH && isProven) return 'high'
  return score >= MEDIUM ? 'medium' : 'low'
}

function fromPattern({ pattern, match, likeness, sign }: PatternMatch, count: Count): LikelyCause {
  const { id, title, cause, category, severity, tags, steps, verify } = pattern
  const told = count.worked + count.failed
  return {
    ...{ id, pattern, title, cause, category, severity, tags, steps, verify, match, likeness },
    evidence: [
      sign === undefined ? `its words are alike (${Math.round(100 * likeness)} %)` : `the text says: ${sign}`,
      ...(told === 0 ? [] : [describeSuccess(count)]),
    ],
    successRate: told === 0 ? null : count.worked / told,
    score: scoreOf(match, count.worked, count.failed, count.uses),
  }
}

function fromRemediation({ remediation, match }: FoundRemediation): LikelyCause {
  const { id, errorMessage, solution, severity, tags, worked, failed } = remediation
  const told = worked + failed
  return {
    ...{ id, pattern: undefined, severity, tags },
    title: errorMessage,
    cause: `The same was met before. What helped: ${solution}`,
    category: 'general',
    steps: [{ what: `What helped before: ${solution}`, commands: [] }],
    verify: [],
    evidence: [`remediation ${id} fits (${Math.round(100 * match.score)} %), ${describeSuccess(remediation)}`],
    match: match.score,
    likeness: match.isSameType ? 0 : match.letters,
    successRate: told === 0 ? null : worked / told,
    score: scoreOf(match.score, worked, failed, told),
  }
}

function scoreOf(match: number, worked: number, failed: number, uses: number): number {
  const success = (worked + 1) / (worked + failed + 2)
  return 0.6 * match + 0.3 * success + 0.1 * Math.min(1, uses / MANY_USES)
}

/** Equal ones are one, with the evidence of both. The best first. */
function mergeCauses(candidates: readonly LikelyCause[]): LikelyCause[] {
  const merged = new Map<string, LikelyCause>()
  for (const candidate of [...candidates].sort((one, other) => other.score - one.score)) {
    const key = candidate.cause.toLowerCase().replace(/\W+/g, ' ').trim()
    const known = merged.get(key)
    const evidence = known === undefined ? candidate.evidence : [...known.evidence, ...candidate.evidence]
    merged.set(key, { ...(known ?? candidate), evidence })
  }
  return [...merged.values()]
}

function withEarlier(best: LikelyCause, [earlier]: readonly LikelyCause[]): LikelyCause {
  if (earlier === undefined || earlier.id === best.id) return best
  return { ...best, evidence: [...best.evidence, ...earlier.evidence] }
}

export function round(value: number): number {
  return Math.round(100 * value) / 100
}
