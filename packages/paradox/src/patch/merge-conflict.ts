/** Both sides of a conflict in one text, where that means something. */
import type { PlaysetDefinition } from '../conflicts/conflict.ts'
import type { PlaysetIndex } from '../conflicts/playset-index.ts'
import { parseScript } from '../script/parse-script.ts'
import { textOf } from '../script/tree.ts'
import { mergeFields } from './merge-fields.ts'
import { definitionText, describe } from './patch-text.ts'

/** Slots that are lists of statements: one after the other they mean both. */
const SEQUENCES = new Set(['effect', 'trigger'])

export interface MergedDefinition {
  readonly text: string
  readonly notes: readonly string[]
  /** Whose variables it may need too. */
  readonly carried: readonly PlaysetDefinition[]
}

/**
 * Two sides, and the game's own as what both started from, where it has one. Undefined: they changed the same fields, or there
 * are more than two sides.
 */
export function mergeDefinitions(
  wanted: PlaysetDefinition,
  others: readonly PlaysetDefinition[],
  index: PlaysetIndex,
): MergedDefinition | undefined {
  const isOfMod = ({ layer }: PlaysetDefinition): boolean => index.layers[layer]?.kind === 'mod'
  const start = others.find((other) => !isOfMod(other))
  const sides = others.filter(isOfMod)
  const [other] = sides
  if (other === undefined || sides.length > 1 || !isOfMod(wanted)) return undefined
  const bytesOf = (one: PlaysetDefinition) => new TextEncoder().encode(definitionText(one, index))
  const merged = mergeFields(start === undefined ? undefined : bytesOf(start), bytesOf(wanted), bytesOf(other))
  if (merged === undefined || merged.disputed.length > 0) return undefined
  const notes =
    start === undefined
      ? ['what both mods started from is not known: a field that one of them left out on purpose is back']
      : []
  return { text: merged.text, notes, carried: [other] }
}

export interface MergedSlot {
  readonly text: string
  readonly isMerged: boolean
  readonly beside: readonly string[]
  readonly notes: readonly string[]
}

export function mergeSlot(
  claims: readonly PlaysetDefinition[],
  slot: string,
  index: PlaysetIndex,
): MergedSlot | undefined {
  const parts = claims.flatMap((claim) => {
    const part = partOf(definitionText(claim, index), slot)
    return part === undefined ? [] : [{ from: describe(claim, index), ...part }]
  })
  const [first] = parts
  if (first === undefined) return undefined
  if (!SEQUENCES.has(slot)) {
    return {
      text: `\t${first.whole}`,
      isMerged: false,
      beside: parts.slice(1).map(({ from, whole }) => `\n${from}\n${whole}`),
      notes: [`two of "${slot}" cannot be put together: the one in effect stands`],
    }
  }
  // In the order in which they were read, which is that of the lists too.
  const bodies = [...parts].reverse().map(({ from, inside }) => `\t\t# ${from}\n\t\t${inside}`)
  const notes =
    slot === 'trigger'
      ? ['all triggers must hold now: the on_action happens less often than each mod alone wants it']
      : []
  return { text: `\t${slot} = {\n${bodies.join('\n')}\n\t}`, isMerged: true, beside: [], notes }
}

function partOf(text: string, slot: string): { whole: string; inside: string } | undefined {
  const bytes = new TextEncoder().encode(text)
  const { tree } = parseScript(bytes)
  if (tree.size === 0) return undefined
  for (let child = tree.firstChild(0); child < tree.end(0); child = tree.next(child)) {
    if (tree.key(child) !== slot) continue
    const whole = textOf(bytes, tree.start(child), tree.valueEnd(child))
    const inside = tree.isBlock(child) ? textOf(bytes, tree.brace(child) + 1, tree.valueEnd(child) - 1).trim() : whole
    return { whole, inside }
  }
  return undefined
}
