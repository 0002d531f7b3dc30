/** TypeScript, TSX and JavaScript. */
import type { Node } from 'web-tree-sitter'
import { type CodePlace, type CodeTable, type Definition, type DefinitionRule, named } from '../code-table.ts'
import { namesInPattern } from './names-in-pattern.ts'

const PATTERN = {
  names: ['identifier', 'shorthand_property_identifier_pattern'],
  through: [
    'object_pattern',
    'array_pattern',
    'pair_pattern',
    'rest_pattern',
    'assignment_pattern',
    'object_assignment_pattern',
  ],
  /** What stands in these is a value or a key. */
  without: ['right', 'key'],
}

const FUNCTIONS = ['arrow_function', 'function_expression', 'generator_function']
const TYPES = ['class', 'interface', 'enum', 'type', 'namespace']
const NAMES = [
  'identifier',
  'type_identifier',
  'property_identifier',
  'private_property_identifier',
  'shorthand_property_identifier',
  'shorthand_property_identifier_pattern',
]

/** A name that is written out: `#size`, `'key'`, and no `[computed]`. */
function keyed(node: Node, kind: string): Definition | undefined {
  const at = node.childForFieldName('name')
  if (at === null || at.type === 'computed_property_name') return undefined
  return at.type === 'string' ? { at, kind, name: at.text.slice(1, -1) } : { at, kind }
}

const member =
  (kind: string): DefinitionRule =>
  (node, place) => {
    const found = isMember(place) ? keyed(node, kind) : undefined
    const isConstructor = kind === 'method' && place.holder(0) === 'class_body' && found?.at.text === 'constructor'
    return isConstructor && found !== undefined ? { ...found, kind: 'constructor' } : found
  }

/** Of a type that has a name, and not of one that is written where it is used. */
function isMember(place: CodePlace): boolean {
  const around = place.holder(1)
  return (
    around === 'interface_declaration' ||
    around === 'type_alias_declaration' ||
    place.holder(0) === 'class_body' ||
    // An alias of several types in one.
    (place.ownerKind === 'type' && (around === 'intersection_type' || around === 'union_type'))
  )
}

function method(node: Node, place: CodePlace): Definition | undefined {
  const found = keyed(node, 'method')
  if (found === undefined) return undefined
  if (place.holder(0) !== 'class_body') return place.isLocal ? undefined : found
  if ((found.name ?? found.at.text) === 'constructor') return { ...found, kind: 'constructor' }
  for (const child of node.children) {
    if (child.type === 'get') return { ...found, kind: 'getter' }
    if (child.type === 'set') return { ...found, kind: 'setter' }
    if (child.isNamed && child.type !== 'accessibility_modifier' && child.type !== 'override_modifier') break
  }
  return found
}

function field(node: Node): Definition | undefined {
  const at = node.childForFieldName('name') ?? node.childForFieldName('property')
  if (at === null || at.type === 'computed_property_name') return undefined
  const kind = isFunction(node.childForFieldName('value')) ? 'method' : 'property'
  return at.type === 'string' ? { at, kind, name: at.text.slice(1, -1) } : { at, kind }
}

const isFunction = (node: Node | null): boolean => node !== null && FUNCTIONS.includes(node.type)

function variable(node: Node, place: CodePlace): Definition | readonly Definition[] | undefined {
  const at = node.childForFieldName('name')
  const value = node.childForFieldName('value')
  if (at === null) return undefined
  if (place.isLocal) return at.type === 'identifier' && isFunction(value) ? { at, kind: 'function' } : undefined
  // A loop's own.
  if (place.holder(1) === 'for_statement') return undefined
  const kind = kindOfValue(value, node.parent?.childForFieldName('kind')?.type === 'const' ? 'constant' : 'variable')
  if (at.type === 'identifier') return { at, kind }
  return namesInPattern(at, PATTERN).map((name) => ({ at: name, kind, whole: node, isLeaf: true }))
}

function kindOfValue(value: Node | null, otherwise: string): string {
  if (isFunction(value)) return 'function'
  return value?.type === 'class' ? 'class' : otherwise
}

/** `exports.run = …`, `Box.prototype.open = …`: where there are no other words for it. */
function assigned(node: Node, place: CodePlace): Definition | undefined {
  const left = node.childForFieldName('left')
  const right = node.childForFieldName('right')
  if (place.isLocal || left?.type !== 'member_expression' || right === null) return undefined
  const at = left.childForFieldName('property')
  const object = left.childForFieldName('object')
  if (at === null || object === null) return undefined
  if (object.type === 'member_expression' && object.childForFieldName('property')?.text === 'prototype') {
    return { at, kind: isFunction(right) ? 'method' : 'property' }
  }
  const isExport = /^(?:module\.)?exports$/.test(object.text)
  if (object.text === 'module' && at.text === 'exports') return undefined
  if (isFunction(right) || right.type === 'class') return { at, kind: kindOfValue(right, 'function') }
  return isExport && right.type !== 'identifier' ? { at, kind: 'property' } : undefined
}

/** `constructor(private size: number)` declares a property. */
function parameter(node: Node, place: CodePlace): Definition | undefined {
  const at = node.childForFieldName('pattern')
  if (at?.type !== 'identifier' || place.ownerKind !== 'constructor') return undefined
  const isProperty = node.children.some(({ type }) =>
    /^(?:accessibility_modifier|override_modifier|readonly)$/.test(type),
  )
  return isProperty ? { at, kind: 'property', isLeaf: true, isBeside: true } : undefined
}

function enumBody(node: Node): readonly Definition[] {
  return node.namedChildren.flatMap((whole) => {
    const at = whole.type === 'enum_assignment' ? whole.childForFieldName('name') : whole
    if (at?.type === 'string') return [{ at, kind: 'enumerator', whole, isLeaf: true, name: at.text.slice(1, -1) }]
    return at?.type === 'property_identifier' ? [{ at, kind: 'enumerator', whole, isLeaf: true }] : []
  })
}

function namespace(node: Node): Definition | undefined {
  const found = named(node, 'namespace')
  return found?.at.type === 'string' ? { ...found, name: found.at.text.slice(1, -1) } : found
}

/** `declare global {` */
function globalScope(node: Node): Definition | undefined {
  const at = node.children.find(({ type }) => type === 'global')
  return at === undefined ? undefined : { at, kind: 'namespace' }
}

/** `export default class {}` has none. */
const classExpression: DefinitionRule = (node, place) => (place.isLocal ? undefined : named(node, 'class'))

export const SCRIPT: CodeTable = {
  definitions: {
    function_declaration: 'function',
    generator_function_declaration: 'function',
    function_signature: 'function',
    class_declaration: 'class',
    abstract_class_declaration: 'class',
    class: classExpression,
    interface_declaration: 'interface',
    type_alias_declaration: 'type',
    enum_declaration: 'enum',
    enum_body: enumBody,
    internal_module: namespace,
    module: namespace,
    ambient_declaration: globalScope,
    method_definition: method,
    method_signature: member('method'),
    abstract_method_signature: member('method'),
    property_signature: member('property'),
    public_field_definition: field,
    field_definition: field,
    required_parameter: parameter,
    optional_parameter: parameter,
    variable_declarator: variable,
    assignment_expression: assigned,
  },
  names: NAMES,
  plainNames: ['identifier', 'shorthand_property_identifier'],
  typeNames: ['type_identifier'],
  typeKinds: TYPES,
  calls: { call_expression: ['function'], new_expression: ['constructor'] },
  paths: { member_expression: 'property', nested_type_identifier: 'name', pair: 'key' },
  functions: [
    'function_declaration',
    'generator_function_declaration',
    'function_expression',
    'generator_function',
    'arrow_function',
    'method_definition',
    'class_static_block',
    // Their parameters are theirs, though they have no body.
    'function_signature',
    'method_signature',
    'abstract_method_signature',
    'function_type',
    'call_signature',
    'construct_signature',
    'constructor_type',
  ],
  types: [
    'class_declaration',
    'abstract_class_declaration',
    'class',
    'interface_declaration',
    'type_alias_declaration',
  ],
  binds: {
    variable_declarator: ['name'],
    required_parameter: ['pattern'],
    optional_parameter: ['pattern'],
    formal_parameters: [],
    arrow_function: ['parameter'],
    catch_clause: ['parameter'],
    for_in_statement: ['left'],
    function_expression: ['name'],
    index_signature: ['name'],
    internal_module: ['name'],
  },
  bindsTypes: { type_parameter: ['name'], infer_type: [''], mapped_type_clause: ['name'] },
  patterns: [
    'object_pattern',
    'array_pattern',
    'rest_pattern',
    'pair_pattern',
    'assignment_pattern',
    'nested_identifier',
  ],
}
