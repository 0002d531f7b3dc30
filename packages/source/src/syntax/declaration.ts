/** What one node of a tree declares. */
import type { Node } from 'web-tree-sitter'
import type { GrammarTable } from './grammars.ts'

export interface Declaration {
  /** In a word: `function`, `class`. */
  readonly kind: string
  readonly names: readonly string[]
  /** What holds its parts; undefined: it has none. */
  readonly body: Node | undefined
}

/** Down a declarator of C, which may be a pointer to a function of arrays. */
const MAX_DECLARATOR = 12
/** A longer one is no name. */
const MAX_NAME = 200
/** Declarations inside of these are names of their own. */
const CONTAINERS = new Set([
  'class',
  'interface',
  'namespace',
  'module',
  'trait',
  'impl',
  'struct',
  'union',
  'record',
  'enum',
])
const MAX_DEPTH = 4
const MAX_NAMES = 100

export function declarationOf(node: Node, table: GrammarTable): Declaration | undefined {
  const inner = unwrap(node, table)
  const kind = table.declarations[inner.type]
  if (kind === undefined || isImport(inner, table)) return undefined
  const names = namesOf(inner, table)
  return names.length === 0 ? undefined : { kind: kindOf(inner, kind), names, body: bodyOf(inner) }
}

/** `const a = require('a')` takes in what is declared elsewhere, as `import` does. */
export function isImport(node: Node, { imports }: GrammarTable): boolean {
  if (imports.includes(node.type)) return true
  if (node.type !== 'lexical_declaration' && node.type !== 'variable_declaration') return false
  const value = node.firstNamedChild?.childForFieldName('value')
  const called = value?.type === 'member_expression' ? value.childForFieldName('object') : value
  return called?.type === 'call_expression' && called.childForFieldName('function')?.text === 'require'
}

/** Its own names, and those of all that is declared in it where it is a class or the like. */
export function namesWithin(declaration: Declaration, table: GrammarTable): string[] {
  const names = [...declaration.names]
  const collect = ({ kind, body }: Declaration, depth: number): void => {
    if (body === undefined || depth > MAX_DEPTH || !CONTAINERS.has(kind)) return
    for (const child of body.namedChildren) {
      if (names.length >= MAX_NAMES) return
      const inside = declarationOf(child, table)
      if (inside === undefined) continue
      names.push(...inside.names)
      collect(inside, depth + 1)
    }
  }
  collect(declaration, 0)
  return [...new Set(names)].slice(0, MAX_NAMES)
}

/** Without what only stands around it: `export`, decorators, templates. */
function unwrap(node: Node, { wrappers = {} }: GrammarTable): Node {
  let inner = node
  for (let depth = 0; depth < 3; depth++) {
    const field = wrappers[inner.type]
    if (field === undefined) return inner
    const next = field === '' ? inner.lastNamedChild : inner.childForFieldName(field)
    if (next === null) return inner
    inner = next
  }
  return inner
}

function namesOf(node: Node, { lists = {} }: GrammarTable): string[] {
  const listed = lists[node.type]
  if (listed !== undefined) return [...listedNames(node, listed, 0)]
  // A struct without a body is used, not declared.
  if (node.type.endsWith('_specifier') && node.childForFieldName('body') === null) return []
  const name = nameOf(node)
  return name === undefined ? [] : [name]
}

/** Go writes several of them in brackets, which are a node of their own in some versions of its grammar. */
function* listedNames(node: Node, types: readonly string[], depth: number): Generator<string> {
  for (const child of node.namedChildren) {
    if (types.includes(child.type)) {
      const name = nameOf(child)
      if (name !== undefined) yield name
    } else if (depth === 0 && child.type.endsWith('_list')) yield* listedNames(child, types, 1)
  }
}

function nameOf(node: Node): string | undefined {
  const direct = node.childForFieldName('name') ?? node.childForFieldName('property')
  const found = direct ?? findDeclarator(node) ?? node.childForFieldName('type') ?? node.childForFieldName('left')
  if (found === null || found.endIndex - found.startIndex > MAX_NAME) return undefined
  // `impl<T> Reader<T>` is about Reader; `{ a, b } = …` has no one name.
  const text = (found.childForFieldName('type') ?? found).text
  return /^[~#@$\p{L}_][\p{L}\p{N}_$:.~?!=<>+*/%-]*$/u.test(text) ? text : undefined
}

function findDeclarator(node: Node): Node | null {
  let found = node.childForFieldName('declarator')
  for (let depth = 0; found !== null && depth < MAX_DECLARATOR; depth++) {
    const next: Node | null = found.childForFieldName('declarator') ?? found.childForFieldName('name')
    if (next !== null) found = next
    else if (/(?:parenthesized|pointer|reference)_declarator$/.test(found.type)) found = found.lastNamedChild
    else return found
  }
  return found
}

/** `const f = () => …` is a function, whatever it is written as. */
function kindOf(node: Node, kind: string): string {
  if (kind !== 'variable') return kind
  const value = node.lastNamedChild?.childForFieldName('value')?.type ?? ''
  return /^(?:arrow_function|function_expression|function|generator_function)$/.test(value) ? 'function' : kind
}

function bodyOf(node: Node): Node | undefined {
  return node.childForFieldName('body') ?? undefined
}
