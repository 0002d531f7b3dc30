import type { Node } from 'web-tree-sitter'
import type { CodePlace, CodeTable, Definition, DefinitionRule } from '../code-table.ts'

/** Of `module A::B` it is B. */
const scoped =
  (kind: string): DefinitionRule =>
  (node) => {
    const name = node.childForFieldName('name')
    const at = name?.type === 'scope_resolution' ? name.childForFieldName('name') : name
    return at === null || at === undefined ? undefined : { at, kind }
  }

function assignment(node: Node): readonly Definition[] | undefined {
  const left = node.childForFieldName('left')
  if (left === null) return undefined
  const names = left.type === 'left_assignment_list' ? left.namedChildren : [left]
  return names.flatMap((name) => {
    const at = name.type === 'scope_resolution' ? name.childForFieldName('name') : name
    return at?.type === 'constant' ? [{ at, kind: 'constant' }] : []
  })
}

function alias(node: Node): Definition | undefined {
  const at = node.childForFieldName('name')
  if (at === null) return undefined
  return symbolName(at, 'alias')[0] ?? { at, kind: 'alias' }
}

/** What they make of each of their arguments: a method to read with, one to write with, or both. */
const ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  attr: [''],
  attr_reader: [''],
  attr_writer: ['='],
  attr_accessor: ['', '='],
  cattr_accessor: ['', '='],
  mattr_accessor: ['', '='],
}
/** Methods that make methods, named by their first argument. */
const MAKERS: Readonly<Record<string, string>> = { define_method: 'method', alias_method: 'alias' }

/** What is declared by a call of a class's own methods. */
function declaringCall(node: Node, place: CodePlace): readonly Definition[] | undefined {
  if (node.childForFieldName('receiver') !== null) return undefined
  const called = node.childForFieldName('method')?.text ?? ''
  const given = node.childForFieldName('arguments')?.namedChildren ?? []
  const endings = Object.hasOwn(ATTRIBUTES, called) && !place.isLocal ? (ATTRIBUTES[called] ?? []) : []
  if (endings.length > 0) {
    return given.flatMap((argument) =>
      symbolName(argument, 'accessor').flatMap((found) =>
        endings.map((ending) => ({ ...found, name: `${found.name}${ending}`, isLeaf: true })),
      ),
    )
  }
  const kind = Object.hasOwn(MAKERS, called) ? MAKERS[called] : undefined
  const first = given[0]
  if (kind === undefined || first === undefined) return undefined
  return symbolName(first, kind).map((found) => ({ ...found, isLeaf: kind === 'alias' }))
}

function symbolName(at: Node, kind: string): Definition[] {
  if (at.type === 'simple_symbol') return [{ at, kind, name: at.text.slice(1) }]
  if (at.type !== 'string' && at.type !== 'delimited_symbol') return []
  const content = at.namedChildCount === 1 ? at.firstNamedChild : null
  return content?.type === 'string_content' ? [{ at, kind, name: content.text }] : []
}

export const RUBY: CodeTable = {
  definitions: {
    class: scoped('class'),
    module: scoped('module'),
    method: 'method',
    singleton_method: 'method',
    alias,
    assignment,
    call: declaringCall,
  },
  names: ['identifier', 'constant'],
  plainNames: ['identifier'],
  calls: { call: ['method'] },
  paths: { call: 'method', scope_resolution: 'name' },
  functions: ['method', 'singleton_method', 'block', 'do_block', 'lambda'],
  types: ['class', 'module', 'singleton_class'],
  binds: {
    assignment: ['left'],
    operator_assignment: ['left'],
    left_assignment_list: [],
    method_parameters: [],
    block_parameters: [],
    lambda_parameters: [],
    destructured_parameter: [],
    optional_parameter: ['name'],
    splat_parameter: ['name'],
    keyword_parameter: ['name'],
    hash_splat_parameter: ['name'],
    block_parameter: ['name'],
    exception_variable: [],
    for: ['pattern'],
  },
  patterns: ['left_assignment_list', 'destructured_left_assignment', 'rest_assignment'],
  bareCalls: true,
}
