/** A diagnosis as an agent reads it: at most 1,200 bytes, what matters most first. */
import { toLine } from '../answers/format-hits.ts'
import { findDanger } from './command-safety.ts'
import { type Confidence, type ErrorDiagnosis, type LikelyCause, probabilitiesOf } from './diagnose.ts'
import { commandsFor, type Platform, type Step } from './pattern.ts'

export interface Action {
  readonly step: number
  readonly description: string
  readonly commands: string[]
  readonly expectedOutcome: string
  readonly destructive: boolean
  readonly safetyNotes: string[]
}

export type Mode = 'auto' | 'interactive' | 'guided'

const MAX_BYTES = 1_200
const MAX_CAUSE = 330
const MAX_STEP = 220

/** What to do, in the order in which it is wise: where nobody is sure, first whether it is this at all. */
export function planActions(
  { candidates, earlier, confidence }: ErrorDiagnosis,
  mode: Mode,
  platform: Platform,
): Action[] {
  const [best] = candidates
  const [before] = earlier
  if (best === undefined) return number(GENERIC)
  const verify = best.verify.map((text) => ({ description: `Verify: ${text}`, commands: [] }))
  const steps = best.steps.map((step) => toAction(step, platform))
  const known =
    before === undefined || before.id === best.id ? [] : before.steps.map((step) => toAction(step, platform))
  if (confidence === 'low') return number([...known, ...verify, ...steps, ...GENERIC.slice(-1)])
  const isVerifiedFirst = confidence === 'medium' || mode === 'guided'
  return number([...known, ...(isVerifiedFirst ? [...verify, ...steps] : [...steps, ...verify])])
}

const GENERIC: readonly Pick<Action, 'description' | 'commands'>[] = [
  { description: 'Read the first error of the output, not the last: later ones often follow from it', commands: [] },
  { description: 'Reduce it to the smallest command that still fails', commands: [] },
  { description: 'When it is solved, keep what helped with remediation_save', commands: [] },
]

export function warningsOf(candidate: LikelyCause, platform: Platform): string[] {
  const commands = candidate.steps.flatMap((step) => commandsFor(step, platform))
  return [...new Set(commands.flatMap((command) => findDanger(command) ?? []))]
}

export interface ShowOptions {
  readonly sessionId: string | undefined
  readonly actions: readonly Action[]
  /** Such as why the client's model was not asked. */
  readonly notes: readonly string[]
}

export function showDiagnosis(diagnosis: ErrorDiagnosis, { sessionId, actions, notes }: ShowOptions): string {
  const { candidates, confidence, confidenceScore } = diagnosis
  const [best, ...others] = candidates
  const head =
    best === undefined
      ? 'No known pattern fits this error.'
      : `${SURE[confidence]} (${confidence}, ${(Math.floor(100 * confidenceScore) / 100).toFixed(2)}): ${toLine(best.cause, MAX_CAUSE)}`
  const lines = actions.map(showAction)
  const [, ...odds] = probabilitiesOf(diagnosis)
  const rivals = others
    .slice(0, 2)
    .map(({ title }, at) => `${toLine(title, 60)} (${Math.round(100 * (odds[at] ?? 0))} %)`)
  const tail = [
    ...(rivals.length === 0 || confidence === 'high' ? [] : [`Else perhaps: ${rivals.join('; ')}.`]),
    ...notes,
    ...(sessionId === undefined || best?.pattern === undefined
      ? []
      : [`Afterwards: troubleshoot_feedback {"sessionId": "${sessionId}", "worked": true or false}.`]),
  ]
  return fit(head, lines, tail)
}

const SURE: Readonly<Record<Confidence, string>> = {
  high: 'Cause',
  medium: 'Probable cause',
  low: 'Perhaps, by its words only',
}

/** Steps go first where there is no room: the last ones. */
function fit(head: string, lines: readonly string[], tail: readonly string[]): string {
  for (let count = lines.length; count >= 0; count--) {
    const left = lines.length - count
    const more = left === 0 ? [] : [`${left} more steps are in the data.`]
    const text = [head, ...lines.slice(0, count), ...more, ...tail].join('\n')
    if (Buffer.byteLength(text) <= MAX_BYTES || count === 0) return text
  }
  return head
}

function showAction({ step, description, commands, safetyNotes }: Action): string {
  const run = commands.length === 0 ? '' : `: ${commands.map((command) => `\`${command}\``).join(' or ')}`
  const danger = safetyNotes.length === 0 ? '' : ` — DESTRUCTIVE: ${safetyNotes.join(', ')}`
  return `${step}. ${toLine(`${description}${run}`, MAX_STEP)}${danger}`
}

function toAction(step: Step, platform: Platform): Pick<Action, 'description' | 'commands'> {
  return { description: step.what, commands: [...commandsFor(step, platform)] }
}

function number(actions: readonly Pick<Action, 'description' | 'commands'>[]): Action[] {
  return actions.map(({ description, commands }, at) => {
    const safetyNotes = [...new Set(commands.flatMap((command) => findDanger(command) ?? []))]
    return {
      step: at + 1,
      description,
      commands: [...commands],
      expectedOutcome: commands.length === 0 ? '' : 'It ends without an error',
      destructive: safetyNotes.length > 0,
      safetyNotes,
    }
  })
}
