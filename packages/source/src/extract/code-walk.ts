/**
 * One walk over a tree: what it defines, what it refers to, what it could not read.
 *
 * 1. Every node is seen once, by a cursor and by the number of its type; an object is made only of those that define something.
 * 2. A name is a definition, a local of a function, or a reference; never two of them.
 * 3. It ends: with the tree, at the time limit, or with the most that is taken of one file.
 */
import type { Node, Tree, TreeCursor } from 'web-tree-sitter'
import type { DecodedSource } from '../read/decoded-source.ts'
import type { CodePlace, Definition } from './code-table.ts'
import { ACTS, type CompiledTable } from './compiled-table.ts'
import { describeDefinition, describeText } from './describe-definition.ts'
import type { ExtractedReference, ExtractedSymbol } from './extraction.ts'
import type { DefinedMacro } from './preprocessed/read-around-macros.ts'
import { SyntaxProblems } from './syntax-problems.ts'

/** Of one file. More are those of generated tables. */
const MAX_SYMBOLS = 20_000
const MAX_REFERENCES = 100_000
/** A longer one is no name. */
const MAX_NAME = 200
const NODES_BETWEEN_LOOKS = 8_192

const CALLED = 1
const BOUND = 2
/** Of a path: what stands there is no local, whatever it is called. */
const PART = 4
const BOUND_TYPE = 8

interface Scope {
  readonly depth: number
  /** Else of a type: its variables are not local, but the names of its own types are. */
  readonly isFunction: boolean
  /** Names of variables, and of types with `<` before them. */
  readonly locals: Set<string>
  readonly firstReference: number
}

export interface CodeLimits {
  /** Of `performance.now()`. */
  readonly end: number
  isStopped(): boolean
}

export class CodeWalk implements CodePlace {
  readonly symbols: ExtractedSymbol[] = []
  readonly references: ExtractedReference[] = []
  readonly problems: SyntaxProblems
  isCut = false
  readonly #source: DecodedSource
  readonly #table: CompiledTable
  readonly #limits: CodeLimits
  /** By depth: type, flags, and the symbol that it belongs to, or -1. */
  readonly #types: number[] = []
  readonly #flags: number[] = []
  readonly #owners: number[] = []
  readonly #scopes: Scope[] = []
  /** Where names stand that are those of symbols. */
  readonly #defined = new Set<number>()
  /** Parallel to references: the local that it may mean; empty: none. */
  readonly #plain: string[] = []
  #depth = 0

  /** Those that the tree does not have come between its own, where they stand. */
  readonly #macros: readonly DefinedMacro[]
  #nextMacro = 0

  constructor(
    source: DecodedSource,
    table: CompiledTable,
    limits: CodeLimits,
    { macros, isAmbient }: { readonly macros: readonly DefinedMacro[]; readonly isAmbient: boolean },
  ) {
    this.#source = source
    this.#table = table
    this.#limits = limits
    this.#macros = macros
    this.problems = new SyntaxProblems(source, { isPreprocessed: table.isPreprocessed, isAmbient })
  }

  run(tree: Tree): void {
    const cursor = tree.walk()
    try {
      this.#walk(cursor, tree.rootNode.hasError)
    } finally {
      cursor.delete()
    }
    while (this.#scopes.length > 0) this.#leaveScope()
    this.#addDefined(Number.POSITIVE_INFINITY)
  }

  /** One that the tree does not have, because no grammar can read it. */
  addMacro(name: string, at: number, isCall: boolean): void {
    if (this.references.length >= MAX_REFERENCES) return
    const line = this.#source.lineAt(at)
    const place = { start: this.#source.byteAt(at), line: line + 1, column: this.#source.columnAt(at, line) + 1 }
    this.references.push({ name, ...place, ...(isCall ? { isCall } : {}) })
  }

  /** Those before a place. A macro belongs to no function, wherever it stands. */
  #addDefined(before: number): void {
    const source = this.#source
    for (;;) {
      const macro = this.#macros[this.#nextMacro]
      if (macro === undefined || macro.start > before || this.isCut) return
      this.#nextMacro++
      if (macro.name.length > MAX_NAME) continue
      if (this.symbols.length >= MAX_SYMBOLS) {
        this.isCut = true
        return
      }
      const { name, at, start, end } = macro
      const line = source.lineAt(at)
      this.symbols.push({
        ...{ name, kind: 'macro', start: source.byteAt(start), end: source.byteAt(end) },
        ...{ line: line + 1, column: source.columnAt(at, line) + 1, endLine: source.lineAt(end) + 1 },
        detail: describeText(source.text.slice(start, end)),
      })
    }
  }

  get isLocal(): boolean {
    return this.#scopes.at(-1)?.isFunction === true
  }

  get ownerKind(): string | undefined {
    const owner = this.#owners[this.#depth - 1] ?? -1
    return this.symbols[owner]?.kind
  }

  holder(distance: number): string | undefined {
    const type = this.#types[this.#depth - 1 - distance]
    return type === undefined ? undefined : this.#table.typeNames[type]
  }

  #walk(cursor: TreeCursor, hasError: boolean): void {
    for (let seen = 1; ; seen++) {
      if (seen % NODES_BETWEEN_LOOKS === 0 && this.#mustEnd()) return
      const type = cursor.nodeTypeId
      this.#enter(cursor, type)
      if (hasError) this.problems.look(cursor, type, this.#table)
      if (this.isCut) return
      if (cursor.gotoFirstChild()) {
        this.#depth++
        continue
      }
      for (;;) {
        if (this.#scopes.at(-1)?.depth === this.#depth) this.#leaveScope()
        if (cursor.gotoNextSibling()) break
        if (!cursor.gotoParent()) return
        this.#depth--
      }
    }
  }

  #enter(cursor: TreeCursor, type: number): void {
    const { acts } = this.#table
    const depth = this.#depth
    const act = acts[type] ?? 0
    const above = depth - 1
    const flags = depth === 0 ? 0 : this.#flagsOf(cursor, this.#types[above] ?? 0, this.#flags[above] ?? 0)
    let owner = depth === 0 ? -1 : (this.#owners[above] ?? -1)
    this.#types[depth] = type
    this.#flags[depth] = flags
    if (act !== 0) {
      if ((act & ACTS.define) !== 0) owner = this.#define(cursor.currentNode, type, owner)
      if ((act & (ACTS.function | ACTS.type)) !== 0) this.#enterScope(depth, (act & ACTS.function) !== 0)
      if ((act & ACTS.name) !== 0) this.#refer(cursor, type, flags, owner)
    }
    this.#owners[depth] = owner
  }

  /** What the node around it makes of this one. */
  #flagsOf(cursor: TreeCursor, parent: number, parentFlags: number): number {
    const { fields } = this.#table
    const known = fields[parent]
    if (known === undefined) return 0
    const field = cursor.currentFieldId
    let flags = 0
    if (known.calls.includes(field)) flags |= CALLED
    if (known.path === field && (parentFlags & CALLED) !== 0) flags |= CALLED
    if (known.bindsAll || known.binds.includes(field)) flags |= BOUND
    if (known.isPattern && (parentFlags & BOUND) !== 0) flags |= BOUND
    if (known.path === field) flags |= PART
    if (known.bindsType.includes(field)) flags |= BOUND_TYPE
    return flags
  }

  #define(node: Node, type: number, owner: number): number {
    const rule = this.#table.rules[type]
    const found = rule?.(node, this)
    if (found === undefined) return owner
    const list: readonly Definition[] = Array.isArray(found) ? found : [found as Definition]
    let last = owner
    for (const definition of list) last = this.#add(node, definition, owner) ?? last
    return list.length === 1 && list[0]?.isLeaf !== true ? last : owner
  }

  #add(node: Node, definition: Definition, around: number): number | undefined {
    const { at, name: given, kind, whole = node, isBeside = false } = definition
    const source = this.#source
    this.#addDefined(whole.startIndex)
    const owner = isBeside ? (this.symbols[around]?.parent ?? -1) : around
    const name = given ?? source.text.slice(at.startIndex, at.endIndex)
    if (name === '' || name.length > MAX_NAME || at.isMissing) return undefined
    if (this.symbols.length >= MAX_SYMBOLS) {
      this.isCut = true
      return undefined
    }
    this.#defined.add(at.startIndex)
    const line = source.lineAt(at.startIndex)
    const column = source.columnAt(at.startIndex, line)
    const start = source.byteAt(whole.startIndex)
    const end = source.byteAt(whole.endIndex)
    const endLine = whole.endPosition.row + (whole.endPosition.column === 0 && end > start ? 0 : 1)
    const detail = describeDefinition(source.text, whole)
    const parent = owner < 0 ? {} : { parent: owner }
    this.symbols.push({ name, kind, start, end, line: line + 1, column: column + 1, endLine, ...parent, detail })
    return this.symbols.length - 1
  }

  #refer(cursor: TreeCursor, type: number, flags: number, owner: number): void {
    const from = cursor.startIndex
    if (this.#defined.has(from)) return
    const to = cursor.endIndex
    if (to === from || to - from > MAX_NAME) return
    const name = this.#source.text.slice(from, to)
    if ((flags & (BOUND | BOUND_TYPE)) !== 0) {
      this.#bind(name, flags)
      return
    }
    if (this.references.length >= MAX_REFERENCES) {
      this.isCut = true
      return
    }
    const source = this.#source
    const line = source.lineAt(from)
    const { acts, bareCalls, typeKinds } = this.#table
    const act = acts[type] ?? 0
    const isPlain = (act & ACTS.plainName) !== 0 && (flags & PART) === 0
    const isCall = (flags & CALLED) !== 0 || (bareCalls && isPlain)
    this.references.push({
      name,
      start: source.byteAt(from),
      line: line + 1,
      column: source.columnAt(from, line) + 1,
      ...((act & ACTS.typeName) !== 0 ? { kinds: typeKinds } : {}),
      ...(owner < 0 ? {} : { within: owner }),
      ...(isCall ? { isCall } : {}),
    })
    this.#plain.push(isPlain ? name : (act & ACTS.typeName) !== 0 ? `<${name}` : '')
  }

  /** Outside of functions it is a definition, or nobody's: no reference in either case. */
  #bind(name: string, flags: number): void {
    const scope = this.#scopes.at(-1)
    if ((flags & BOUND_TYPE) !== 0) scope?.locals.add(`<${name}`)
    else if (scope?.isFunction === true) scope.locals.add(name)
  }

  #enterScope(depth: number, isFunction: boolean): void {
    this.#scopes.push({ depth, isFunction, locals: new Set(), firstReference: this.references.length })
  }

  /** What meant a local of it is no reference. */
  #leaveScope(): void {
    const scope = this.#scopes.pop()
    if (scope === undefined || scope.locals.size === 0) return
    const { references } = this
    const plain = this.#plain
    let kept = scope.firstReference
    for (let at = kept; at < references.length; at++) {
      const reference = references[at]
      const local = plain[at] ?? ''
      if (reference === undefined || (local !== '' && scope.locals.has(local))) continue
      references[kept] = reference
      plain[kept] = local
      kept++
    }
    references.length = kept
    plain.length = kept
  }

  #mustEnd(): boolean {
    this.isCut ||= performance.now() > this.#limits.end || this.#limits.isStopped()
    return this.isCut
  }
}
