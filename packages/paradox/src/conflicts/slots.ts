/** Rule P2: definitions of one on_action add up, but for the fields that are one slot each. */
import { parseScript } from '../script/parse-script.ts'
import { compareFields, normalizeScript, readDefinition } from './compare-definitions.ts'
import type { Conflict, PlaysetDefinition } from './conflict.ts'
import { intentionOf } from './intended.ts'
import type { JudgeContext, KeyToJudge } from './judge-key.ts'
import { type Policy, SLOT_FIELDS } from './policies.ts'

interface Filled {
  readonly definition: PlaysetDefinition
  readonly bytes: Uint8Array
}

export function findSlotConflicts(
  key: KeyToJudge,
  ordered: readonly PlaysetDefinition[],
  policy: Policy,
  context: JudgeContext,
): Conflict[] {
  if (ordered.length < 2) return []
  const bySlot = new Map<string, Filled[]>()
  for (const definition of ordered) {
    const bytes = readDefinition(definition, context)
    if (bytes === undefined) continue
    for (const [slot, part] of slotsOf(bytes)) {
      bySlot.set(slot, [...(bySlot.get(slot) ?? []), { definition, bytes: part }])
    }
  }
  return [...bySlot].flatMap(([slot, filled]): Conflict[] => {
    const winner = filled.at(-1)
    const strongest = filled.at(-2)
    if (winner === undefined || strongest === undefined) return []
    const losers = filled.slice(0, -1).reverse()
    const isSame = normalizeScript(winner.bytes) === normalizeScript(strongest.bytes)
    return [
      {
        class: 'slot',
        kind: key.kind,
        name: `${key.name}.${slot}`,
        effective: winner.definition,
        losers: losers.map(({ definition }) => definition),
        rule: `O1 ${policy.rule}`,
        why: `lists of an on_action add up, but it has one "${slot}": the last by file name, ${winner.definition.path}, counts (${policy.rule}, ${policy.confidence}: ${policy.source})`,
        confidence: policy.confidence,
        difference: isSame ? 'identical' : 'differs',
        ...(!isSame && { fields: compareFields(strongest.bytes, winner.bytes) }),
        ...intentionOf(
          winner.definition.layer,
          losers.map(({ definition }) => definition.layer),
          context.layers,
        ),
      },
    ]
  })
}

function slotsOf(bytes: Uint8Array): [string, Uint8Array][] {
  const { tree } = parseScript(bytes)
  const slots: [string, Uint8Array][] = []
  if (tree.size === 0 || !tree.isBlock(0)) return slots
  for (let child = tree.firstChild(0); child < tree.end(0); child = tree.next(child)) {
    const key = tree.key(child)
    if (SLOT_FIELDS.some((slot) => slot === key)) {
      slots.push([key, bytes.subarray(tree.start(child), tree.valueEnd(child))])
    }
  }
  return slots
}
