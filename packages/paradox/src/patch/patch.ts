import type { RuleConfidence } from '../conflicts/policies.ts'

/** A file for a mod that comes after all others, which would resolve a conflict. Nothing is written by proposing it. */
export interface Patch {
  /** Inside the mod. */
  readonly path: string
  /** The whole file, with its mark. */
  readonly content: string
  /**
   * `merged`: both sides are in it. `chosen`: the one in effect stands, the others beside it as comments. `restored`: what was
   * lost is there again. `removed`: a file of the same path without what is defined twice.
   */
  readonly kind: 'merged' | 'chosen' | 'restored' | 'removed'
  readonly explanation: string
  /** How sure it is that this file wins. */
  readonly confidence: RuleConfidence
  /** What a person has to look at. */
  readonly notes: readonly string[]
}
