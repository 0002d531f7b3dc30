import type { Node } from 'web-tree-sitter'
import { type CodePlace, type CodeTable, type Definition, named } from '../code-table.ts'

function functionOrMethod(node: Node, place: CodePlace): Definition | undefined {
  const isMethod = !place.isLocal && (place.ownerKind === 'impl' || place.ownerKind === 'trait')
  return named(node, isMethod ? 'method' : 'function')
}

/** `impl<T> Read for Reader<T>` is about Reader. */
function implementation(node: Node): Definition | undefined {
  let at = node.childForFieldName('type')
  for (let depth = 0; at !== null && depth < 4; depth++) {
    const inner: Node | null = at.childForFieldName('type') ?? at.childForFieldName('name')
    if (inner === null) break
    at = inner
  }
  return at === null ? undefined : { at, kind: 'impl' }
}

export const RUST: CodeTable = {
  definitions: {
    function_item: functionOrMethod,
    function_signature_item: functionOrMethod,
    struct_item: 'struct',
    union_item: 'union',
    enum_item: 'enum',
    enum_variant: 'enumerator',
    field_declaration: 'field',
    trait_item: 'trait',
    impl_item: implementation,
    mod_item: 'module',
    type_item: 'type',
    associated_type: 'type',
    const_item: (node, place) => (place.isLocal ? undefined : named(node, 'constant')),
    static_item: (node, place) => (place.isLocal ? undefined : named(node, 'variable')),
    macro_definition: 'macro',
  },
  names: ['identifier', 'type_identifier', 'field_identifier', 'shorthand_field_identifier'],
  plainNames: ['identifier'],
  typeNames: ['type_identifier'],
  typeKinds: ['struct', 'enum', 'union', 'trait', 'type'],
  calls: { call_expression: ['function'], macro_invocation: ['macro'] },
  paths: {
    field_expression: 'field',
    scoped_identifier: 'name',
    scoped_type_identifier: 'name',
    generic_function: 'function',
  },
  functions: ['function_item', 'function_signature_item', 'closure_expression'],
  types: ['struct_item', 'enum_item', 'union_item', 'trait_item', 'impl_item', 'mod_item', 'type_item'],
  binds: {
    parameter: ['pattern'],
    closure_parameters: [],
    let_declaration: ['pattern'],
    let_condition: ['pattern'],
    for_expression: ['pattern'],
    match_pattern: [],
    const_item: ['name'],
    static_item: ['name'],
    lifetime: [],
    label: [],
  },
  bindsTypes: { type_parameter: ['name'] },
  patterns: [
    'tuple_pattern',
    'mut_pattern',
    'ref_pattern',
    'reference_pattern',
    'captured_pattern',
    'slice_pattern',
    'or_pattern',
  ],
}
