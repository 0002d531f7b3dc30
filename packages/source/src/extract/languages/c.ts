/** C and C++. */
import type { Node } from 'web-tree-sitter'
import type { CodePlace, CodeTable, Definition } from '../code-table.ts'

/** Down a declarator, which may be a pointer to a function of arrays. */
const MAX_DEPTH = 16

interface Declared {
  readonly at: Node
  readonly isFunction: boolean
}

/** What a declarator names; undefined: nothing. */
function declared(declarator: Node, mayBeBuiltIn = false): Declared | undefined {
  let at: Node | null = declarator
  let isFunction = false
  for (let depth = 0; at !== null && depth < MAX_DEPTH; depth++) {
    if (at.type === 'function_declarator') isFunction = true
    // `int (*run)(void)` is a variable.
    else if (at.type === 'pointer_declarator' || at.type === 'array_declarator') isFunction = false
    else if (at.type === 'operator_cast') return { at, isFunction: true }
    const next: Node | null =
      at.childForFieldName('declarator') ??
      at.childForFieldName('name') ??
      (/^(?:parenthesized|reference|attributed)_declarator$/.test(at.type) ? at.lastNamedChild : null)
    // `typedef unsigned char uint8_t`: the grammar knows such names.
    if (next === null && mayBeBuiltIn && at.type === 'primitive_type') return { at, isFunction }
    if (next === null && RESERVED.has(at.text)) return undefined
    if (next === null)
      return /identifier$|^operator_name$|^destructor_name$/.test(at.type) ? { at, isFunction } : undefined
    at = next
  }
  return undefined
}

/** Where the parser was lost it takes them for names. */
const RESERVED = new Set(
  `if else for while do switch case return sizeof int char void long short float double unsigned signed bool size_t struct union
  enum class public private protected friend static const extern typedef using __attribute__`.split(/\s+/),
)

/** With the blanks of `operator ==` as most people write it. */
const nameOf = ({ at }: Declared): { name?: string } => {
  if (at.type === 'operator_name') return { name: at.text.replace(/\s+/g, '') }
  if (at.type === 'operator_cast') return { name: castName(at) }
  return at.type === 'destructor_name' ? { name: at.text.replace(/\s+/g, '') } : {}
}

/** `operator const char *`: all that stands before the parameters. */
function castName(at: Node): string {
  const { text, startIndex } = at
  const type = at.childForFieldName('type')
  const end = text.indexOf('(', type === null ? 0 : type.endIndex - startIndex)
  return text
    .slice(0, end < 0 ? text.length : end)
    .replace(/\s+/g, ' ')
    .replace(/ ?([*&]) ?/g, '$1')
    .trim()
}

const isClass = (kind: string | undefined): boolean => kind === 'class' || kind === 'struct' || kind === 'union'

function functionDefinition(node: Node, place: CodePlace): Definition | undefined {
  const declarator = node.childForFieldName('declarator')
  const found = declarator === null ? undefined : declared(declarator)
  if (found === undefined) return undefined
  const isTyped = node.childForFieldName('type') !== null
  // In a function there are none: it is a macro with a block (`each(x) { … }`), or the parser was lost before.
  if (place.isLocal && !(found.isFunction && isTyped)) return undefined
  const test =
    isTyped || declarator === null || isClass(place.ownerKind) ? undefined : madeByMacro(declarator, found.at)
  return test ?? { at: found.at, kind: isClass(place.ownerKind) ? 'method' : 'function', ...nameOf(found) }
}

/** `TEST(Suite, Name) {` makes a function of that name: `Suite.Name`, as the frameworks of tests call it. */
function madeByMacro(declarator: Node, macro: Node): Definition | undefined {
  if (!/^[A-Z][A-Z0-9_]+$/.test(macro.text)) return undefined
  const given = declarator.childForFieldName('parameters')?.namedChildren ?? []
  // The last is its own name; one before it that of a group, which may be a class.
  const at = given.at(-1)
  const isNamed = given.every(({ text }) => /^\w+$/.test(text))
  return at !== undefined && isNamed
    ? { at, kind: 'function', name: given.map(({ text }) => text).join('.') }
    : undefined
}

function declaration(node: Node, place: CodePlace): readonly Definition[] | undefined {
  // A block outside of functions is one whose head the parser could not read.
  const around = place.holder(0)
  if (around === 'friend_declaration' || around === 'compound_statement') return undefined
  const inClass = around === 'field_declaration_list'
  const isExtern = node.namedChildren.some(({ type, text }) => type === 'storage_class_specifier' && text === 'extern')
  return node.childrenForFieldName('declarator').flatMap((declarator) => {
    const found = declared(declarator)
    if (found === undefined) return []
    if (place.isLocal) return []
    const variable = inClass ? 'field' : isExtern && declarator.type !== 'init_declarator' ? 'declaration' : 'variable'
    return [{ at: found.at, kind: found.isFunction ? 'prototype' : variable, isLeaf: true, ...nameOf(found) }]
  })
}

function typeDefinition(node: Node): readonly Definition[] {
  return node.childrenForFieldName('declarator').flatMap((declarator) => {
    const found = declared(declarator, true)
    return found === undefined ? [] : [{ at: found.at, kind: 'type', isLeaf: true }]
  })
}

/** Without a body it is used, not declared. */
const specifier =
  (kind: string) =>
  (node: Node): Definition | undefined => {
    const name = node.childForFieldName('name')
    if (name === null || node.childForFieldName('body') === null) return undefined
    let at = name
    for (let inner = at.childForFieldName('name'); inner !== null; inner = at.childForFieldName('name')) at = inner
    return { at, kind }
  }

/** Of `namespace a::b` it is b. */
function namespace(node: Node): Definition | undefined {
  let at = node.childForFieldName('name')
  while (at?.type === 'nested_namespace_specifier') at = at.lastNamedChild
  return at === null ? undefined : { at, kind: 'namespace' }
}

export const C: CodeTable = {
  definitions: {
    function_definition: functionDefinition,
    declaration,
    field_declaration: declaration,
    type_definition: typeDefinition,
    alias_declaration: 'type',
    struct_specifier: specifier('struct'),
    union_specifier: specifier('union'),
    enum_specifier: specifier('enum'),
    class_specifier: specifier('class'),
    enumerator: 'enumerator',
    namespace_definition: namespace,
    namespace_alias_definition: 'namespace',
    concept_definition: 'concept',
  },
  names: ['identifier', 'type_identifier', 'field_identifier', 'namespace_identifier'],
  plainNames: ['identifier'],
  typeNames: ['type_identifier'],
  typeKinds: ['struct', 'union', 'enum', 'class', 'type'],
  calls: { call_expression: ['function'], new_expression: ['type'] },
  paths: {
    field_expression: 'field',
    qualified_identifier: 'name',
    template_function: 'name',
    template_method: 'name',
    template_type: 'name',
    dependent_name: '',
  },
  functions: ['function_definition', 'lambda_expression'],
  types: ['template_declaration', 'field_declaration_list', 'enumerator_list'],
  binds: {
    parameter_declaration: ['declarator'],
    optional_parameter_declaration: ['declarator'],
    init_declarator: ['declarator'],
    declaration: ['declarator'],
    for_range_loop: ['declarator'],
    parameter_list: [],
    catch_clause: [],
    lambda_capture_specifier: [],
    namespace_definition: ['name'],
    destructor_name: [],
  },
  bindsTypes: {
    type_parameter_declaration: [''],
    optional_type_parameter_declaration: ['name'],
    variadic_type_parameter_declaration: [''],
  },
  patterns: [
    'pointer_declarator',
    'array_declarator',
    'reference_declarator',
    'parenthesized_declarator',
    'structured_binding_declarator',
    'init_declarator',
    'nested_namespace_specifier',
  ],
  isPreprocessed: true,
}
