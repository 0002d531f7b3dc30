import type { Node } from 'web-tree-sitter'
import { type CodePlace, type CodeTable, type Definition, named } from '../code-table.ts'
import { namesInPattern } from './names-in-pattern.ts'

const PATTERN = {
  names: ['identifier'],
  through: ['pattern_list', 'tuple_pattern', 'list_pattern', 'list_splat_pattern', 'expression_list', 'tuple'],
}

function functionOrMethod(node: Node, place: CodePlace): Definition | undefined {
  return named(node, place.ownerKind === 'class' && !place.isLocal ? 'method' : 'function')
}

function assignment(node: Node, place: CodePlace): readonly Definition[] | undefined {
  const left = node.childForFieldName('left')
  if (place.isLocal || left === null) return undefined
  return namesInPattern(left, PATTERN).map((at) => ({ at, kind: 'variable', isLeaf: true }))
}

function typeAlias(node: Node): Definition | undefined {
  const left = node.childForFieldName('left')?.firstNamedChild
  const at = left?.type === 'generic_type' ? left.firstNamedChild : left
  return at === null || at === undefined ? undefined : { at, kind: 'type' }
}

export const PYTHON: CodeTable = {
  definitions: {
    class_definition: 'class',
    function_definition: functionOrMethod,
    assignment,
    type_alias_statement: typeAlias,
  },
  names: ['identifier'],
  plainNames: ['identifier'],
  calls: { call: ['function'] },
  paths: { attribute: 'attribute', keyword_argument: 'name' },
  functions: [
    'function_definition',
    'lambda',
    'list_comprehension',
    'set_comprehension',
    'dictionary_comprehension',
    'generator_expression',
  ],
  types: ['class_definition'],
  binds: {
    parameters: [],
    lambda_parameters: [],
    default_parameter: ['name'],
    typed_default_parameter: ['name'],
    typed_parameter: [''],
    assignment: ['left'],
    augmented_assignment: ['left'],
    named_expression: ['name'],
    for_statement: ['left'],
    for_in_clause: ['left'],
    as_pattern_target: [],
  },
  patterns: [
    'pattern_list',
    'tuple_pattern',
    'list_pattern',
    'list_splat_pattern',
    'dictionary_splat_pattern',
    'tuple',
    'as_pattern_target',
  ],
}
