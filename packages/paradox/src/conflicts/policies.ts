/**
 * What the game does with a key that is defined more than once, by folder: a table, so that a correction is one line. Each line
 * says who told us and how sure that is; no game was here to ask. The first line that fits a kind or a folder counts.
 */
import { FOLDER_RULES } from '../extract/folders.ts'

export type RuleConfidence = 'high' | 'medium' | 'low'

export type PolicyName =
  /** The last definition replaces the others as a whole. */
  | 'last'
  /** The first one stays. */
  | 'first'
  /** Lists append; some fields are one slot, which the last one fills. */
  | 'merge'
  /** One value; the last one counts. */
  | 'slot'
  /** A second definition is a mistake, and the first one stays. */
  | 'forbidden'
  /** A second definition makes a second thing. */
  | 'both'
  /** Entries add up: no conflict. */
  | 'append'
  /** Only whole files are replaced; a key defined twice is a mistake. */
  | 'whole-file'
  /** First wins, except in folders named `replace`. */
  | 'localization'
  /** Seen by its own file only: no conflict. */
  | 'local'

export interface Policy {
  readonly rule: string
  readonly policy: PolicyName
  readonly kinds: readonly string[]
  readonly confidence: RuleConfidence
  readonly source: string
}

export const POLICIES: readonly Policy[] = [
  {
    rule: 'P2',
    policy: 'merge',
    kinds: ['on_action'],
    confidence: 'high',
    source: "the game's _on_actions.info; CK3 wiki, Modding",
  },
  { rule: 'P3', policy: 'slot', kinds: ['define'], confidence: 'high', source: 'CK3 wiki, Modding; ck3-tiger' },
  {
    rule: 'P4',
    policy: 'first',
    kinds: ['gui_type', 'gui_template'],
    confidence: 'high',
    source: 'CK3 wiki, Interface modding; ck3-tiger issue 236',
  },
  {
    rule: 'P4',
    policy: 'whole-file',
    kinds: ['gui_window', 'gui_text_icon'],
    confidence: 'medium',
    source: 'CK3 wiki, Interface modding',
  },
  {
    rule: 'P5',
    policy: 'localization',
    kinds: ['localization'],
    confidence: 'medium',
    source: 'ck3-tiger localization.rs; CK3 wiki; ck3-tiger issue 236',
  },
  {
    rule: 'P6',
    policy: 'forbidden',
    kinds: ['event'],
    confidence: 'medium',
    source: 'CK3 wiki, Event modding; ck3-tiger; Paradox Language Support',
  },
  { rule: 'P7', policy: 'both', kinds: ['character'], confidence: 'high', source: 'CK3 wiki; ck3-tiger issue 236' },
  {
    rule: 'P7',
    policy: 'append',
    kinds: ['title_history', 'province_history', 'event_namespace', 'language'],
    confidence: 'high',
    source: 'CK3 wiki, History modding',
  },
  {
    rule: 'P7',
    policy: 'whole-file',
    kinds: ['faith', 'holding', 'gene'],
    confidence: 'medium',
    source: 'CK3 wiki; ck3-tiger issue 236',
  },
  {
    rule: 'P8',
    policy: 'local',
    kinds: ['local_scripted_trigger', 'local_scripted_effect', 'local_gui_template'],
    confidence: 'high',
    source: 'ck3-tiger events.rs',
  },
  { rule: 'P9', policy: 'local', kinds: ['variable'], confidence: 'high', source: 'ck3-tiger memory.rs' },
]

const DEFAULT: Policy = {
  rule: 'P1',
  policy: 'last',
  kinds: [],
  confidence: 'high',
  source: 'CK3 wiki, Modding; ck3-tiger; Paradox Language Support',
}
/** A folder that no table knows may be read in some way of its own. */
const UNKNOWN: Policy = { ...DEFAULT, confidence: 'medium' }

const byKind = new Map(POLICIES.flatMap((policy) => policy.kinds.map((kind) => [kind, policy] as const)))
const known = new Set(
  FOLDER_RULES.flatMap(({ kind }) => [kind, `${kind}_group`, `${kind}_setting`, `${kind}_template`]),
)

export function policyOf(kind: string): Policy {
  return byKind.get(kind) ?? (known.has(kind) ? DEFAULT : UNKNOWN)
}

/** Of a folder of the table. */
export function isKnownKind(kind: string): boolean {
  return byKind.has(kind) || known.has(kind)
}

/**
 * P2: the fields of an on_action that are one slot each. The others add up: events, random_events, first_valid, on_actions,
 * random_on_actions, first_valid_on_action.
 */
export const SLOT_FIELDS = ['effect', 'trigger', 'weight_multiplier', 'fallback'] as const
