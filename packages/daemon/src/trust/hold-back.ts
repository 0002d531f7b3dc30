import { withoutHeld } from '@switchboard/pool'
import type { Catalog } from '@switchboard/protocol'
import { type DefinitionKind, keyOf } from './definition.ts'
import type { DefinitionVerdict } from './judge-definitions.ts'
import type { TrustRecord } from './trust-record.ts'

/** What of a catalog may be shown; the same object where nothing is held back. */
export function holdBack(read: Catalog, record: TrustRecord, verdicts: readonly DefinitionVerdict[]): Catalog {
  const held = verdicts.filter((verdict) => verdict.held !== undefined)
  if (held.length === 0) return read
  const namesOf = (kind: DefinitionKind): ReadonlyMap<string, string> => {
    const own = held.filter(({ definition }) => definition.kind === kind)
    return new Map(own.map(({ definition, held: why = '' }) => [definition.name, why]))
  }
  const [tools, prompts] = [namesOf('tool'), namesOf('prompt')]
  const isTextHeld = held.some(({ definition }) => definition.kind === 'instructions')
  return {
    ...withoutHeld(read, { tools, prompts }),
    // What a server says of itself runs nothing: the words that were accepted are as good as ever.
    instructions: isTextHeld ? acceptedText(record) : read.instructions,
  }
}

function acceptedText({ entries }: TrustRecord): string {
  const text = entries.get(keyOf({ kind: 'instructions', name: '' }))?.accepted?.content.text
  return typeof text === 'string' ? text : ''
}
