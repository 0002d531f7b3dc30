/**
 * The conflicts of one key, from all of its definitions: whoever changes one file judges again only the keys of that file. What
 * the first pass hides takes no part, except that a key hidden everywhere and still named somewhere is told as dangling.
 */
import { folderRuleOf } from '../extract/folders.ts'
import { languageOfPath } from '../localization/language-of-path.ts'
import { compareLoadOrder, type OrderRule } from '../order/load-order.ts'
import type { Layer } from '../playset/layer.ts'
import { compareFields, normalizeScript, readDefinition } from './compare-definitions.ts'
import type { Conflict, ConflictClass, PlaysetDefinition, PlaysetFile, PlaysetReference } from './conflict.ts'
import type { EngineVerdicts } from './engine-verdicts.ts'
import { intentionOf } from './intended.ts'
import { isKnownKind, type Policy, policyOf, type RuleConfidence } from './policies.ts'
import { findSlotConflicts } from './slots.ts'
import { rankTexts } from './text-order.ts'

export interface JudgeContext {
  readonly layers: readonly Layer[]
  /** Rule O2 as a switch; files first unless told otherwise. */
  readonly order?: OrderRule
  /** What the game itself said, when its log was given. */
  readonly engine?: EngineVerdicts
  /** Undefined: the file cannot be read now. Then nothing is said about what differs. */
  readonly readBytes: (file: PlaysetFile) => Uint8Array | undefined
}

export interface KeyToJudge {
  readonly kind: string
  readonly name: string
  /** In files that the game sees. */
  readonly definitions: readonly PlaysetDefinition[]
  /** In files that the first pass hides. */
  readonly hidden: readonly PlaysetDefinition[]
  /** Who names it, in files that the game sees; needed only where all definitions are hidden. */
  readonly references: readonly PlaysetReference[]
}

const CLASS_OF: Readonly<Partial<Record<Policy['policy'], ConflictClass>>> = {
  last: 'key_override',
  first: 'gui_first_wins',
  slot: 'slot',
  forbidden: 'duplicate_forbidden',
  both: 'duplicate_forbidden',
  'whole-file': 'duplicate_forbidden',
  localization: 'loc_key',
}
/** Oftener in one file, a key is a word of its folder that we do not know as one, and no name. */
const MAX_IN_ONE_FILE = 3
/** In a folder that we do not know. */
const MAX_IN_UNKNOWN = 1
const MAX_NAMED = 3
const WORST: readonly RuleConfidence[] = ['low', 'medium', 'high']

export function judgeKey(key: KeyToJudge, context: JudgeContext): Conflict[] {
  const policy = policyOf(key.kind)
  if (policy.policy === 'local' || policy.policy === 'append') return []
  if (key.definitions.length === 0) return danglingOf(key)
  if (policy.policy === 'localization') {
    const byLanguage = Map.groupBy(key.definitions, ({ path }) => languageOfPath(path) ?? '')
    return [...byLanguage].flatMap(([language, definitions]) => judge(key, definitions, policy, context, language))
  }
  // P10: what is injected adds up with what is there.
  const rivals = rivalsOf(key.definitions.filter(({ detail }) => !/^(?:TRY_)?INJECT/.test(detail ?? '')))
  if (policy.policy === 'merge') return findSlotConflicts(key, inOrder(rivals, context), policy, context)
  return judge(key, rivals, policy, context)
}

/** Nested ones of the same outer key are not rivals of each other: their outer ones are. */
function rivalsOf(definitions: readonly PlaysetDefinition[]): readonly PlaysetDefinition[] {
  const nested = definitions.filter(({ outermost }) => outermost !== undefined)
  const isOneOuter =
    nested.length === definitions.length && new Set(nested.map(({ outermost }) => outermost)).size === 1
  return isOneOuter ? definitions.slice(0, 1) : definitions
}

function inOrder(definitions: readonly PlaysetDefinition[], context: JudgeContext, other = false): PlaysetDefinition[] {
  const rule = context.order ?? 'files-first'
  const used = other ? (rule === 'files-first' ? 'plain-path' : 'files-first') : rule
  return [...definitions].sort((a, b) => compareLoadOrder(a.path, b.path, used) || a.start - b.start)
}

function judge(
  key: KeyToJudge,
  definitions: readonly PlaysetDefinition[],
  policy: Policy,
  context: JudgeContext,
  language?: string,
): Conflict[] {
  if (definitions.length < 2) return []
  const isText = policy.policy === 'localization'
  const ordered = isText ? rankTexts(definitions) : inOrder(definitions, context)
  const byOtherRule = isText ? ordered : inOrder(definitions, context, true)
  const takesFirst = policy.policy !== 'last' && policy.policy !== 'slot'
  const pick = (list: readonly PlaysetDefinition[]) => (takesFirst ? list[0] : list.at(-1))
  const effective = pick(ordered)
  if (effective === undefined) return []
  const losers = ordered.filter((definition) => definition !== effective)
  if (!takesFirst) losers.reverse()

  const uncertainty = isText ? uncertainText(ordered) : pick(byOtherRule) === effective ? '' : 'O2'
  const engineWinner = context.engine?.winnerOf(folderOfKind(effective), key.name)
  const sameFile = sameFileClass(ordered, policy)
  const most = isKnownKind(key.kind) ? MAX_IN_ONE_FILE : MAX_IN_UNKNOWN
  if (policy.policy === 'last' && mostInOneFile(ordered) > most) return []
  const base = sameFile ?? CLASS_OF[policy.policy] ?? 'key_override'
  const said = engineWinner === undefined ? undefined : definitions.find((one) => isAt(one, engineWinner))
  const isEngineOther = engineWinner !== undefined && said !== effective && !isAt(effective, engineWinner)
  const winner = isEngineOther && said !== undefined ? said : effective
  const rest = winner === effective ? losers : definitions.filter((definition) => definition !== winner)
  const unsure = uncertainty !== '' && engineWinner === undefined
  const type: ConflictClass = isEngineOther ? 'engine_differs' : unsure ? 'order_uncertain' : base
  return [
    {
      class: type,
      ...(type !== base && { base }),
      kind: key.kind,
      name: key.name,
      ...(language !== undefined && language !== '' && { language }),
      ...(policy.policy !== 'both' && { effective: winner }),
      losers: policy.policy === 'both' ? definitions : rest,
      rule: [isText ? '' : 'O1', unsure && uncertainty === 'O2' ? 'O2' : '', policy.rule].filter(Boolean).join(' '),
      why: why(policy, winner, rest, context.layers, isEngineOther ? engineWinner : undefined, uncertainty),
      confidence: engineWinner !== undefined ? 'high' : confidenceOf(definitions, policy, unsure),
      ...differenceOf(winner, rest[0], isText, context),
      ...(type === 'duplicate_forbidden' || base === 'duplicate_forbidden'
        ? { intended: false }
        : isDeclared(winner, rest)
          ? { intended: true, intendedBy: 'declared' }
          : intentionOf(
              winner.layer,
              rest.map(({ layer }) => layer),
              context.layers,
            )),
    },
  ]
}

/** P10: it says that it replaces, and is the only one that does. */
function isDeclared({ detail }: PlaysetDefinition, rest: readonly PlaysetDefinition[]): boolean {
  const replaces = (text = ''): boolean => /^(?:TRY_)?REPLACE/.test(text)
  return replaces(detail) && !rest.some((other) => replaces(other.detail))
}

/** The same key twice in one file is nobody's wish. */
function sameFileClass(ordered: readonly PlaysetDefinition[], policy: Policy): ConflictClass | undefined {
  const [first] = ordered
  const isOneFile = ordered.every(({ layer, path }) => layer === first?.layer && path === first.path)
  return isOneFile && policy.policy === 'last' ? 'duplicate_forbidden' : undefined
}

function mostInOneFile(definitions: readonly PlaysetDefinition[]): number {
  const files = Map.groupBy(definitions, ({ layer, path }) => `${layer} ${path}`)
  return Math.max(...[...files.values()].map(({ length }) => length))
}

function uncertainText(ordered: readonly PlaysetDefinition[]): string {
  const [first, second] = ordered
  if (first === undefined || second === undefined) return ''
  const folder = (path: string): string => path.slice(0, path.lastIndexOf('/'))
  const isReplaced = (path: string): boolean => path.toLowerCase().split('/').slice(0, -1).includes('replace')
  // Between folders the order is not known; a folder `replace` wins over all that are none.
  const isClear = folder(first.path) === folder(second.path) || isReplaced(first.path) !== isReplaced(second.path)
  return isClear ? '' : 'P5'
}

/** What the game's log calls the database: the folder as its table has it. */
function folderOfKind({ path }: PlaysetDefinition): string {
  return folderRuleOf(path)?.folder ?? path.slice(0, path.lastIndexOf('/'))
}

function isAt(definition: PlaysetDefinition, place: { readonly path: string; readonly line: number }): boolean {
  return definition.path === place.path && definition.line === place.line
}

/** Of something inside of another here and outside there, nobody has told what the game does. */
function confidenceOf(definitions: readonly PlaysetDefinition[], policy: Policy, unsure: boolean): RuleConfidence {
  if (new Set(definitions.map(({ outermost }) => outermost)).size > 1) return 'low'
  return unsure ? weaker(policy.confidence, 'medium') : policy.confidence
}

function weaker(a: RuleConfidence, b: RuleConfidence): RuleConfidence {
  return WORST.indexOf(a) < WORST.indexOf(b) ? a : b
}

function why(
  { policy, rule, confidence, source }: Policy,
  winner: PlaysetDefinition,
  losers: readonly PlaysetDefinition[],
  layers: readonly Layer[],
  engine: { readonly path: string; readonly line: number } | undefined,
  uncertainty: string,
): string {
  const name = (file: PlaysetFile): string => `${layers[file.layer]?.name ?? '?'}: ${file.path}`
  const more = losers.length > MAX_NAMED ? ` and ${losers.length - MAX_NAMED} more` : ''
  const others = losers.slice(0, MAX_NAMED).map(name).join(', ') + more
  if (engine !== undefined)
    return `the game's own log names ${engine.path} line ${engine.line}; by rule ${rule} it would not win`
  const doubt =
    uncertainty === 'O2'
      ? '; with sub-folders sorted among the files another one would win (O2 is measured once only)'
      : uncertainty === 'P5'
        ? '; the order of texts in different folders is not known'
        : ''
  const told = `(${rule}, ${confidence}: ${source})${doubt}`
  const isOneFile = losers.every(({ layer, path }) => layer === winner.layer && path === winner.path)
  if (isOneFile && policy !== 'both' && policy !== 'whole-file') {
    const lines = losers.map(({ line }) => line).slice(0, MAX_NAMED)
    return `${name(winner)} defines it more than once, also in line ${lines.join(', ')}; that of line ${winner.line} counts ${told}`
  }
  switch (policy) {
    case 'last':
    case 'slot':
      return `${name(winner)} is read last by file name and replaces ${others} ${told}`
    case 'first':
      return `${name(winner)} is read first by file name and stays; ${others} has no effect ${told}`
    case 'forbidden':
      return `a second definition is an error; the first by file name, ${name(winner)}, stays ${told}`
    case 'both':
      return `each definition makes one of its own: ${[name(winner), others].join(', ')} ${told}`
    case 'whole-file':
      return `only whole files can be replaced, and ${[name(winner), others].join(', ')} all stay ${told}`
    default:
      return `${name(winner)} ${winner.path.includes('replace/') ? 'is in a folder "replace" and overwrites' : 'is read first and stays before'} ${others} ${told}`
  }
}

function differenceOf(
  winner: PlaysetDefinition,
  loser: PlaysetDefinition | undefined,
  isText: boolean,
  context: JudgeContext,
): Pick<Conflict, 'difference' | 'fields'> {
  const ours = readDefinition(winner, context)
  const theirs = loser === undefined ? undefined : readDefinition(loser, context)
  if (ours === undefined || theirs === undefined) return {}
  if (isText) return { difference: Buffer.compare(ours, theirs) === 0 ? 'identical' : 'differs' }
  if (normalizeScript(ours) === normalizeScript(theirs)) return { difference: 'identical' }
  return { difference: 'differs', fields: compareFields(theirs, ours) }
}

function danglingOf(key: KeyToJudge): Conflict[] {
  const [first] = key.hidden
  if (first === undefined || key.references.length === 0) return []
  return [
    {
      class: 'dangling',
      kind: key.kind,
      name: key.name,
      losers: key.hidden,
      rule: 'F1',
      why: `${first.path} line ${first.line} defines it, but another file stands in that place, and ${key.references.length} still name it`,
      confidence: 'high',
      intended: false,
      references: key.references,
    },
  ]
}
