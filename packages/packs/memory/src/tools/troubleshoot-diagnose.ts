import { SwitchboardError } from '@switchboard/protocol/errors'
import type { ToolOutcome } from '@switchboard/toolkit'
import { askModel, type Guess } from '../diagnosis/ask-model.ts'
import { diagnose, type ErrorDiagnosis, type LikelyCause, probabilitiesOf, round } from '../diagnosis/diagnose.ts'
import { currentPlatform, type Platform } from '../diagnosis/pattern.ts'
import type { Count } from '../diagnosis/pattern-counts.ts'
import { planActions, showDiagnosis, warningsOf } from '../diagnosis/show-diagnosis.ts'
import type { TroubleshootDiagnoseData, TroubleshootDiagnoseParams } from '../generated/types.ts'
import type { Context } from '../host.ts'
import { checkContext } from '../limits.ts'
import { scopesOf } from '../projects/projects.ts'
import { type FoundRemediation, findRemediations } from '../remediations/find-remediations.ts'
import { readError } from '../remediations/read-error.ts'

/** As the search for remediations has it, where nobody says otherwise. */
const MIN_REMEDIATION = 0.5

export async function run(
  params: TroubleshootDiagnoseParams,
  context: Context,
): Promise<ToolOutcome<TroubleshootDiagnoseData>> {
  const { errorMessage, stackTrace = '', context: facts = {}, category, mode, tags = [], topK } = params
  const { host, call, signal } = context
  checkContext(facts)
  const begun = host.clock.now()
  const matcher = await host.loadMatcher()
  const more = [...tags, ...Object.values(facts)].join(' ')
  const matches = matcher.match({ text: `${errorMessage}\n${stackTrace}`, more, category })
  const { counts, remediations, notes } = await readStore(params, context)
  const diagnosis = diagnose({ matches, remediations, counts, limit: topK })
  const guess =
    mode === 'auto' || diagnosis.confidence === 'high'
      ? undefined
      : await askModel(call, { error: errorMessage, known: diagnosis.candidates.map(({ title }) => title), signal })
  const [best] = diagnosis.candidates
  const isAnswer = diagnosis.confidence !== 'low' && best?.pattern !== undefined
  const sessionId = await host.patternCounts.begin(isAnswer ? best.id : undefined).catch(ignoreStore)
  const platform = currentPlatform()
  const actions = planActions(diagnosis, mode, platform)
  const told = [...notes, ...describeGuess(guess)]
  const data = {
    sessionId: sessionId ?? '',
    rootCause: best?.cause ?? '',
    confidence: diagnosis.confidence,
    confidenceScore: diagnosis.confidenceScore,
    category: best?.category ?? category ?? 'general',
    severity: best?.severity ?? 'medium',
    ...describeCandidates(diagnosis, platform),
    recommendedActions: actions,
    diagnosticSteps: diagnosis.candidates.flatMap(({ verify }) => [...verify]),
    ...(guess !== undefined && 'text' in guess ? { guess: guess.text } : {}),
    notes: told,
    timeTakenMs: Math.round(host.clock.now() - begun),
    diagnosedAt: new Date(host.clock.wallTime()).toISOString(),
  }
  return { data, text: showDiagnosis(diagnosis, { sessionId: isAnswer ? sessionId : undefined, actions, notes: told }) }
}

/** Patterns need no store: one that does not answer costs counts and earlier fixes only. */
async function readStore(
  { errorMessage, stackTrace }: TroubleshootDiagnoseParams,
  { host, workspace, signal }: Context,
) {
  const notes: string[] = []
  let counts: ReadonlyMap<string, Count> = new Map()
  let remediations: readonly FoundRemediation[] = []
  try {
    counts = await host.patternCounts.read(signal)
    const error = readError({ message: errorMessage, stack: stackTrace })
    const wanted = { scopes: scopesOf(workspace), limit: 3, minScore: MIN_REMEDIATION, signal }
    remediations = (await findRemediations(host.finder, await host.space('remediations'), error, wanted)).found
  } catch (thrown) {
    if (signal.aborted || !(thrown instanceof SwitchboardError)) throw thrown
    notes.push(`Earlier fixes could not be looked for: ${thrown.message.slice(0, 100)}.`)
  }
  return { counts, remediations, notes }
}

/** Without an id nobody can tell how it went, and that is all. */
function ignoreStore(thrown: unknown): undefined {
  if (!(thrown instanceof SwitchboardError)) throw thrown
}

function describeGuess(guess: Guess | undefined): string[] {
  if (guess === undefined) return []
  if ('reason' in guess) return [`Patterns only: ${guess.reason}.`]
  return [
    `A guess of your own model${guess.model === undefined ? '' : ` (${guess.model})`}, not verified: "${guess.text}"`,
  ]
}

function describeCandidates(diagnosis: ErrorDiagnosis, platform: Platform) {
  const probabilities = probabilitiesOf(diagnosis)
  const others = diagnosis.earlier.filter(({ id }) => diagnosis.candidates.every((candidate) => candidate.id !== id))
  return {
    hypotheses: diagnosis.candidates.map(({ cause, evidence, category, verify }, at) => ({
      description: cause,
      probability: probabilities[at] ?? 0,
      evidence: [...evidence],
      category,
      verificationSteps: [...verify],
    })),
    similarIssues: [...others, ...diagnosis.candidates].map((candidate) => toIssue(candidate, platform)),
  }
}

function toIssue(candidate: LikelyCause, platform: Platform) {
  const { id, title, cause, steps, match, likeness, score, successRate, severity, category, tags } = candidate
  const safetyWarnings = warningsOf(candidate, platform)
  return {
    ...{ id, severity, category, successRate, safetyWarnings },
    errorPattern: title,
    rootCause: cause,
    solution: steps.map(({ what }) => what).join('; '),
    matchScore: round(match),
    semanticScore: round(likeness),
    tags: [...tags],
    confidence: score >= 0.7 ? 'high' : score >= 0.5 ? 'medium' : 'low',
    isDestructive: safetyWarnings.length > 0,
  }
}
