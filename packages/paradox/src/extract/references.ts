/** What an item names: by its key, by what it stands in, by the prefix of a scalar, and by its shape. */
import type { ScriptTree } from '../script/tree.ts'
import type { Outer } from './extract-script.ts'
import type { ExtractionBuilder } from './extraction-builder.ts'
import type { FolderRule } from './folders.ts'
import {
  CALLED,
  CALLED_OR_ENGINE,
  KINDS_BY_DEFINITION,
  KINDS_BY_FOLDER,
  KINDS_BY_KEY,
  KINDS_BY_OUTER_KEY,
  KINDS_BY_PREFIX,
  KINDS_OF_LISTS,
  NUMBER_KEYS,
  NUMBER_OR_ENGINE,
  RELATION_KEY,
} from './reference-keys.ts'

/** A name as it is defined: no parameter of a macro in it, no scope, no text for people. */
const NAME = /^[\p{L}\d_.'-]+$/u
const NUMBER = /^-?[\d.]+$/
const CALL = /^[a-z]\w+$/i
const PARAMETER_NAME = /^[A-Z][A-Z0-9_]*$/
const TYPE_OR_ENGINE = ['gui_type', 'engine'] as const
const VARIABLE = ['variable'] as const

export function addReferences(
  builder: ExtractionBuilder,
  tree: ScriptTree,
  node: number,
  key: string,
  outers: readonly Outer[],
  rule: FolderRule,
  within: number,
): void {
  const outer = outers.at(-1)?.key ?? ''
  const keyStart = tree.keyStart(node)
  if (key !== '' && key.includes(':')) addPrefixed(builder, key, keyStart, within)
  if (tree.isBlock(node)) {
    addOfBlock(builder, tree, node, key, rule, within, outers.length === 0)
    return
  }
  const start = tree.valueStart(node) + (tree.isQuoted(node) ? 1 : 0)
  const value = tree.value(node)
  if (value === 'yes' || value === 'no') {
    if (rule.shape === 'gui' || outers.length === 0 || !CALL.test(key)) return
    builder.addReference(key, CALLED_OR_ENGINE, keyStart, within, true)
    return
  }
  if (value.startsWith('@')) {
    if (value[1] !== '[' && value[1] !== ':') builder.addReference(value, VARIABLE, start, within)
    return
  }
  if (value.includes(':')) {
    addPrefixed(builder, value, start, within)
    return
  }
  if (key === '' || NUMBER.test(key)) {
    const kinds = KINDS_OF_LISTS.get(rule.kind)?.get(outer)
    if (kinds !== undefined && NAME.test(value) && value !== '0') builder.addReference(value, kinds, start, within)
    return
  }
  const relation = key.includes('_relation_') ? RELATION_KEY.exec(key) : null
  if (relation?.[1] !== undefined) {
    builder.addReference(relation[1], ['scripted_relation', 'engine'], keyStart + key.indexOf(relation[1]), within)
  }
  const kinds =
    KINDS_BY_KEY.get(key) ??
    KINDS_BY_OUTER_KEY.get(outer)?.get(key) ??
    KINDS_BY_FOLDER.get(rule.kind)?.get(key) ??
    (outers.length === 1 ? KINDS_BY_DEFINITION.get(rule.kind)?.get(key) : undefined)
  if (kinds !== undefined) {
    if (NAME.test(value) && value !== '0') builder.addReference(value, kinds, start, within)
    return
  }
  const isNumber = tree.operator(node) !== '=' || NUMBER_KEYS.has(key)
  if (isNumber && CALL.test(value)) builder.addReference(value, NUMBER_OR_ENGINE, start, within)
}

function addOfBlock(
  builder: ExtractionBuilder,
  tree: ScriptTree,
  node: number,
  key: string,
  rule: FolderRule,
  within: number,
  isTop: boolean,
): void {
  if (rule.shape === 'gui') {
    const base = tree.prefix(node) === 'type' ? tree.value(node) : ''
    if (base !== '') builder.addReference(base, TYPE_OR_ENGINE, tree.valueStart(node), within)
    else if (tree.prefix(node) === '' && key.includes('_')) {
      builder.addReference(key, TYPE_OR_ENGINE, tree.keyStart(node), within)
    }
    return
  }
  // At the top stands what is defined, and a define looks like an argument.
  if (isTop || rule.shape === 'defines') return
  if (CALL.test(key) && holdsArguments(tree, node)) builder.addReference(key, CALLED, tree.keyStart(node), within, true)
}

/** `name = { TARGET = x AMOUNT = 5 }`: only macros are called like that. `limit = { NOT = { … } }` is none. */
function holdsArguments(tree: ScriptTree, node: number): boolean {
  const end = tree.end(node)
  let child = tree.firstChild(node)
  if (child >= end) return false
  for (; child < end; child = tree.next(child)) {
    if (tree.isBlock(child)) return false
    const start = tree.keyStart(child)
    const first = tree.bytes[start] ?? 0
    if (first < 0x41 || first > 0x5a || !PARAMETER_NAME.test(tree.key(child))) return false
  }
  return true
}

/** `title:k_france.holder`, `culture:norse`: each part between dots that has a prefix of the table. */
function addPrefixed(builder: ExtractionBuilder, text: string, start: number, within: number): void {
  let offset = 0
  for (const part of text.split('.')) {
    const colon = part.indexOf(':')
    const kinds = colon > 0 ? KINDS_BY_PREFIX.get(part.slice(0, colon)) : undefined
    const name = part.slice(colon + 1)
    if (kinds !== undefined && NAME.test(name.replaceAll('|', '_'))) {
      builder.addReference(name, kinds, start + offset + colon + 1, within)
    }
    offset += part.length + 1
  }
}
