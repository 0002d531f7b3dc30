/** Whether an item defines something, and what it is called: by the shape of its folder. */
import type { ScriptTree } from '../script/tree.ts'
import type { Outer } from './extract-script.ts'
import type { FolderRule } from './folders.ts'

export interface ScriptDefinition {
  readonly name: string
  readonly kind: string
  readonly detail?: string
}

/** Scripts of one file, which no other file sees (rules P8 and P9). */
const LOCAL_KINDS: Readonly<Record<string, string>> = {
  scripted_trigger: 'local_scripted_trigger',
  scripted_effect: 'local_scripted_effect',
  local_template: 'local_gui_template',
}
const TITLE = /^[hekdcbx]_[\w'-]+$/
/** Blocks beside the members of a group that are no members. */
const GROUP_FIELDS = new Set(
  'name desc is_available_on_create visible ai_will_do parameters character_modifier can_keep can_have can_pass flag_rules'.split(
    ' ',
  ),
)
const RULE_FIELDS = new Set(['categories', 'default', 'hidden'])
/** Holds groups of genes, where others hold genes. */
const SPECIAL_GENES = 'special_genes'
const WINDOW_NAME = 'name'
const MAX_DETAIL = 80

/** Rule P10, of Victoria 3 and Europa Universalis V: what a definition does with the one that is there already. */
const DIRECTIVE = /^(?:TRY_)?(?:INJECT|REPLACE)(?:_OR_CREATE)?:/

/** The name without its directive, which becomes the detail. */
export function definitionOf(
  tree: ScriptTree,
  node: number,
  key: string,
  outers: readonly Outer[],
  rule: FolderRule,
): ScriptDefinition | undefined {
  const directive = outers.length === 0 && key.includes(':') ? DIRECTIVE.exec(key)?.[0] : undefined
  if (directive === undefined) return definitionByShape(tree, node, key, outers, rule)
  const definition = definitionByShape(tree, node, key.slice(directive.length), outers, rule)
  return definition === undefined ? undefined : { ...definition, detail: directive }
}

function definitionByShape(
  tree: ScriptTree,
  node: number,
  key: string,
  outers: readonly Outer[],
  rule: FolderRule,
): ScriptDefinition | undefined {
  if (key.startsWith('@')) return variableOf(tree, node, key)
  const depth = outers.length
  const isBlock = tree.isBlock(node)
  const prefix = tree.prefix(node)
  const local = prefix === '' ? undefined : LOCAL_KINDS[prefix]
  if (local !== undefined) return { name: key, kind: local }
  switch (rule.shape) {
    case 'blocks':
      return depth === 0 && isBlock ? { name: key, kind: rule.kind } : undefined
    case 'named': {
      const name = depth === 0 && isBlock ? fieldOf(tree, node, 'id') || fieldOf(tree, node, 'name') : ''
      return name === '' ? undefined : { name, kind: rule.kind }
    }
    case 'arms':
      if (depth === 0)
        return key === 'template' ? undefined : { name: key, kind: rule.kind, ...scalarDetail(tree, node) }
      if (!isBlock || depth > 1) return undefined
      return outers[0]?.key === 'template' ? { name: key, kind: `${rule.kind}_template` } : undefined
    case 'fields':
      return depth === 0 ? { name: key, kind: rule.kind, ...scalarDetail(tree, node) } : undefined
    case 'containers':
      return depth === 1 ? { name: key, kind: rule.kind, ...scalarDetail(tree, node) } : undefined
    case 'groups':
      if (!isBlock || depth > 1) return undefined
      if (depth === 0) return { name: key, kind: `${rule.kind}_group` }
      return GROUP_FIELDS.has(key) ? undefined : { name: key, kind: rule.kind }
    case 'rules':
      if (!isBlock || depth > 1) return undefined
      if (depth === 0) return { name: key, kind: rule.kind }
      return RULE_FIELDS.has(key) ? undefined : { name: key, kind: `${rule.kind}_setting` }
    case 'genes': {
      const own = outers[0]?.key === SPECIAL_GENES ? 2 : 1
      return isBlock && depth === own ? { name: key, kind: rule.kind } : undefined
    }
    case 'defines':
      return depth === 1
        ? { name: `${outers[0]?.key ?? ''}|${key}`, kind: rule.kind, ...scalarDetail(tree, node) }
        : undefined
    case 'titles':
      return isBlock && TITLE.test(key) && (depth === 0 || outers.at(-1)?.isSymbol === true)
        ? { name: key, kind: rule.kind }
        : undefined
    case 'religions':
      if (!isBlock) return undefined
      if (depth === 0) return { name: key, kind: rule.kind }
      return depth === 2 && outers[1]?.key === 'faiths' ? { name: key, kind: 'faith' } : undefined
    case 'events':
      return eventOf(tree, node, key, depth)
    case 'gui':
      return guiOf(tree, node, key, depth)
    default:
      return undefined
  }
}

function variableOf(tree: ScriptTree, node: number, key: string): ScriptDefinition | undefined {
  const isName = key[1] !== '[' && key[1] !== ':' && tree.operator(node) === '='
  return isName ? { name: key, kind: 'variable', ...scalarDetail(tree, node) } : undefined
}

function eventOf(tree: ScriptTree, node: number, key: string, depth: number): ScriptDefinition | undefined {
  if (depth > 0) return undefined
  if (key === 'namespace' && !tree.isBlock(node)) return { name: tree.value(node), kind: 'event_namespace' }
  if (!tree.isBlock(node) || !key.includes('.')) return undefined
  const type = fieldOf(tree, node, 'type')
  return { name: key, kind: 'event', ...(type !== '' && { detail: type }) }
}

function guiOf(tree: ScriptTree, node: number, key: string, depth: number): ScriptDefinition | undefined {
  if (!tree.isBlock(node)) return undefined
  switch (tree.prefix(node)) {
    case 'type':
      return { name: key, kind: 'gui_type', detail: tree.value(node) }
    case 'template':
      return { name: key, kind: 'gui_template' }
    case 'types':
      return undefined
  }
  if (depth > 0) return undefined
  const name = fieldOf(tree, node, key === 'texticon' ? 'icon' : WINDOW_NAME)
  if (name === '') return undefined
  return { name, kind: key === 'texticon' ? 'gui_text_icon' : 'gui_window', detail: key }
}

/** The scalar that a block has under the key; empty: none. */
function fieldOf(tree: ScriptTree, node: number, wanted: string): string {
  for (let child = tree.firstChild(node); child < tree.end(node); child = tree.next(child)) {
    if (!tree.isBlock(child) && tree.key(child) === wanted) return tree.value(child)
  }
  return ''
}

function scalarDetail(tree: ScriptTree, node: number): { detail?: string } {
  return tree.isBlock(node) ? {} : { detail: tree.value(node).slice(0, MAX_DETAIL) }
}
