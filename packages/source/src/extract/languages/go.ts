import type { Node } from 'web-tree-sitter'
import { type CodePlace, type CodeTable, type Definition, type DefinitionRule, named } from '../code-table.ts'

/** Go writes several names before one type; the commas between them are in the same field. `_` is nobody's name. */
const namesOf = (node: Node): Node[] =>
  node.childrenForFieldName('name').filter((name) => name.isNamed && name.text !== '_')

const eachName =
  (kind: string): DefinitionRule =>
  (node, place) =>
    place.isLocal ? undefined : namesOf(node).map((at) => ({ at, kind, isLeaf: true }))

function typeSpec(node: Node): Definition | undefined {
  const type = node.childForFieldName('type')?.type
  return named(node, type === 'struct_type' ? 'struct' : type === 'interface_type' ? 'interface' : 'type')
}

/** A struct that stands in another without a name has that of its type. */
function field(node: Node, place: CodePlace): readonly Definition[] | undefined {
  // One without a name, in the midst of an expression.
  if (place.ownerKind !== 'struct' && place.ownerKind !== 'field') return undefined
  const names = namesOf(node)
  if (names.length > 0) return names.map((at) => ({ at, kind: 'field', isLeaf: names.length > 1 }))
  const type = node.childForFieldName('type')
  const inner = type?.type === 'generic_type' ? type.childForFieldName('type') : type
  const at = inner?.type === 'qualified_type' ? inner.childForFieldName('name') : inner
  return at === null || at === undefined ? undefined : [{ at, kind: 'embedded', isLeaf: true }]
}

const interfaceMethod: DefinitionRule = (node, place) =>
  place.ownerKind === 'interface' ? named(node, 'method') : undefined

function packageClause(node: Node): Definition | undefined {
  const at = node.firstNamedChild
  return at === null ? undefined : { at, kind: 'package', isLeaf: true }
}

export const GO: CodeTable = {
  definitions: {
    package_clause: packageClause,
    function_declaration: 'function',
    method_declaration: 'method',
    type_spec: typeSpec,
    type_alias: 'type',
    field_declaration: field,
    method_elem: interfaceMethod,
    method_spec: interfaceMethod,
    const_spec: eachName('constant'),
    var_spec: eachName('variable'),
  },
  names: ['identifier', 'type_identifier', 'field_identifier'],
  plainNames: ['identifier'],
  typeNames: ['type_identifier'],
  typeKinds: ['struct', 'interface', 'type'],
  calls: { call_expression: ['function'] },
  paths: { selector_expression: 'field', qualified_type: 'name', generic_type: 'type' },
  functions: [
    'function_declaration',
    'method_declaration',
    'func_literal',
    'function_type',
    'method_elem',
    'method_spec',
  ],
  types: ['type_spec', 'struct_type', 'interface_type'],
  binds: {
    parameter_declaration: ['name'],
    variadic_parameter_declaration: ['name'],
    short_var_declaration: ['left'],
    var_spec: ['name'],
    const_spec: ['name'],
    range_clause: ['left'],
    type_switch_statement: ['alias'],
    receive_statement: ['left'],
  },
  bindsTypes: { type_parameter_declaration: ['name'] },
  patterns: ['expression_list'],
}
