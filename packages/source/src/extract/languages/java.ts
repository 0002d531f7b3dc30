import type { Node } from 'web-tree-sitter'
import type { CodePlace, CodeTable, Definition, DefinitionRule } from '../code-table.ts'

const fields: DefinitionRule = (node) =>
  node.childrenForFieldName('declarator').flatMap((declarator) => {
    const at = declarator.childForFieldName('name')
    return at === null ? [] : [{ at, kind: 'field', isLeaf: true }]
  })

/** What a record is made of are its fields. */
function parameter(node: Node, place: CodePlace): Definition | undefined {
  if (place.holder(1) !== 'record_declaration') return undefined
  const at = node.childForFieldName('name')
  return at === null ? undefined : { at, kind: 'field' }
}

function packageName(node: Node): Definition | undefined {
  const at = node.namedChildren.find(({ type }) => type === 'scoped_identifier' || type === 'identifier')
  return at === undefined ? undefined : { at, kind: 'package', isLeaf: true }
}

export const JAVA: CodeTable = {
  definitions: {
    package_declaration: packageName,
    class_declaration: 'class',
    interface_declaration: 'interface',
    enum_declaration: 'enum',
    enum_constant: 'enumerator',
    record_declaration: 'record',
    annotation_type_declaration: 'annotation',
    annotation_type_element_declaration: 'method',
    method_declaration: 'method',
    constructor_declaration: 'constructor',
    compact_constructor_declaration: 'constructor',
    field_declaration: fields,
    constant_declaration: fields,
    formal_parameter: parameter,
  },
  names: ['identifier', 'type_identifier'],
  plainNames: ['identifier'],
  typeNames: ['type_identifier'],
  typeKinds: ['class', 'interface', 'enum', 'record', 'annotation'],
  calls: { method_invocation: ['name'], object_creation_expression: ['type'] },
  paths: {
    method_invocation: 'name',
    field_access: 'field',
    scoped_identifier: 'name',
    element_value_pair: 'key',
    annotation: 'name',
    marker_annotation: 'name',
  },
  functions: [
    'method_declaration',
    'constructor_declaration',
    'compact_constructor_declaration',
    'lambda_expression',
    'static_initializer',
    'block',
  ],
  types: [
    'class_declaration',
    'interface_declaration',
    'enum_declaration',
    'record_declaration',
    'annotation_type_declaration',
    // Of a class without a name.
    'class_body',
  ],
  binds: {
    formal_parameter: ['name'],
    variable_declarator: ['name'],
    catch_formal_parameter: ['name'],
    enhanced_for_statement: ['name'],
    resource: ['name'],
    inferred_parameters: [],
    lambda_expression: ['parameters'],
    package_declaration: [],
    instanceof_expression: ['name'],
  },
  bindsTypes: { type_parameter: [''] },
  patterns: ['scoped_identifier'],
}
