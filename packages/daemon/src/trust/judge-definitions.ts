/**
 * What becomes of each definition of a server: pure, from what was accepted and what is seen now.
 *
 * | it is …                                  | pin, strict           | warn          |
 * | ---------------------------------------- | --------------------- | ------------- |
 * | as it was accepted                       | shown                 | shown         |
 * | the first that is seen of it             | shown, and accepted   | the same      |
 * | the first, and suspicious                | held back             | shown, told   |
 * | the first, of a server that is known     | strict: held back     | shown         |
 * | another than the accepted one            | held back             | shown, told   |
 * | of a server that a person took back      | held back             | held back     |
 */
import type { OfferedDefinition } from './definition.ts'
import { fingerprint, keyOf } from './definition.ts'
import { nameDifferences } from './describe-definition.ts'
import type { TrustEntry, TrustRecord } from './trust-record.ts'

const NEW = 'it is new'
export const TAKEN_BACK = 'its server was taken back'

export type DefinitionPolicy = 'pin' | 'strict' | 'warn' | 'off'

export interface DefinitionRules {
  readonly policy: DefinitionPolicy
  /** Why a definition is suspicious, as half sentences. Not asked of what was accepted. */
  suspect(definition: OfferedDefinition): readonly string[]
  readonly now: string
}

export interface DefinitionVerdict {
  readonly definition: OfferedDefinition
  /** As it is to be remembered; the same object where nothing is new. */
  readonly entry: TrustEntry
  /** Why nobody gets it; undefined: it is shown. */
  readonly held: string | undefined
}

export function judgeDefinitions(
  record: TrustRecord,
  definitions: readonly OfferedDefinition[],
  options: DefinitionRules,
): DefinitionVerdict[] {
  // A server whose tools were never accepted is new, whatever else is kept of it.
  const isKnown = [...record.entries.values()].some(({ accepted }) => accepted !== undefined)
  return definitions.map((definition) => {
    const known = record.entries.get(keyOf(definition))
    const entry = judge(definition, known, { ...options, isKnown, isRevoked: record.isRevoked })
    const isHeld = entry.waiting !== undefined && (options.policy !== 'warn' || record.isRevoked)
    return { definition, entry, held: isHeld ? entry.waiting?.reasons.join(' and ') : undefined }
  })
}

interface Situation extends DefinitionRules {
  readonly isKnown: boolean
  readonly isRevoked: boolean
}

function judge(definition: OfferedDefinition, known: TrustEntry | undefined, situation: Situation): TrustEntry {
  const { kind, name, content } = definition
  const { now, policy, isKnown, isRevoked } = situation
  const hash = fingerprint(content)
  const accepted = known?.accepted
  // It was judged before. What is only new may be let in by now.
  const isJudged = known?.waiting?.hash === hash && known.waiting.reasons[0] !== NEW
  if (known !== undefined && accepted !== undefined && (accepted.hash === hash || accepted.before.includes(hash))) {
    return known.waiting === undefined ? known : { kind, name, accepted }
  }
  if (known !== undefined && isJudged) return known
  if (accepted !== undefined) {
    const what = nameDifferences(accepted.content, content)
    return wait(definition, hash, known, [`its ${what} changed`, ...situation.suspect(definition)], now)
  }
  const suspicions = situation.suspect(definition)
  if (isRevoked) return wait(definition, hash, known, [TAKEN_BACK, ...suspicions], now)
  if (suspicions.length > 0) return wait(definition, hash, known, suspicions, now)
  if (policy === 'strict' && isKnown) return wait(definition, hash, known, [NEW], now)
  return { kind, name, accepted: { hash, at: now, by: 'first-use', content, before: [] } }
}

function wait(
  { kind, name, content }: OfferedDefinition,
  hash: string,
  known: TrustEntry | undefined,
  reasons: readonly string[],
  now: string,
): TrustEntry {
  const { waiting } = known ?? {}
  if (known !== undefined && waiting?.hash === hash && waiting.reasons.join() === reasons.join()) return known
  return { kind, name, accepted: known?.accepted, waiting: { hash, since: now, reasons, content } }
}
