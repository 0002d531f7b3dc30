/** Two definitions of one key, without what only people see: comments, blanks, the order of fields with different names. */
import { parseScript } from '../script/parse-script.ts'
import { eachToken, type ScriptTree, textOf } from '../script/tree.ts'
import type { FieldDifference, PlaysetDefinition, PlaysetFile } from './conflict.ts'

const MAX_SHOWN = 200

/** The tokens with one blank between them: equal texts mean the same to the game. */
export function normalizeScript(bytes: Uint8Array): string {
  const { tree } = parseScript(bytes)
  const tokens: string[] = []
  eachToken(tree, (start, end) => tokens.push(textOf(bytes, start, end)))
  return tokens.join(' ')
}

/** Field by field; `loser` and `effective` are the bytes of one definition each. */
export function compareFields(loser: Uint8Array, effective: Uint8Array): FieldDifference[] {
  const before = fieldsOf(loser)
  const after = fieldsOf(effective)
  const differences: FieldDifference[] = []
  for (const field of new Set([...before.keys(), ...after.keys()])) {
    const was = before.get(field)
    const is = after.get(field)
    if (was === is) continue
    differences.push({
      field,
      change: was === undefined ? 'added' : is === undefined ? 'removed' : 'changed',
      ...(was !== undefined && { loser: was.slice(0, MAX_SHOWN) }),
      ...(is !== undefined && { effective: is.slice(0, MAX_SHOWN) }),
    })
  }
  return differences
}

/** Key to value; what comes more than once under one key is one text in its order. A scalar has the field `value`. */
function fieldsOf(bytes: Uint8Array): Map<string, string> {
  const { tree } = parseScript(bytes)
  const fields = new Map<string, string>()
  if (tree.size === 0) return fields
  if (!tree.isBlock(0)) return fields.set('value', tree.value(0))
  for (let child = tree.firstChild(0); child < tree.end(0); child = tree.next(child)) {
    const key = tree.key(child) || 'elements'
    const text = itemText(tree, child)
    const known = fields.get(key)
    fields.set(key, known === undefined ? text : `${known} ${text}`)
  }
  return fields
}

function itemText(tree: ScriptTree, node: number): string {
  return normalizeScript(tree.bytes.subarray(tree.start(node), tree.valueEnd(node)))
}

/** Undefined: its file cannot be read now. */
export function readDefinition(
  definition: PlaysetDefinition,
  { readBytes }: { readonly readBytes: (file: PlaysetFile) => Uint8Array | undefined },
): Uint8Array | undefined {
  return readBytes(definition)?.subarray(definition.start, definition.end)
}
