/**
 * What a file of TypeScript or JavaScript defines, by the compiler of TypeScript itself. Ctags misses half of its methods: it is no
 * measure there. Version 5, from npm: later ones have no library for programs in JavaScript.
 */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Tag } from './ctags.ts'
import { obtain } from './repositories.ts'

export const COMPILER = 'typescript@5.9.3'

/** Of its tree what is needed here. */
interface TreeNode {
  readonly kind: number
  readonly name?: TreeNode
  readonly text?: string
  readonly flags: number
  readonly parent?: TreeNode
  readonly body?: TreeNode
  readonly initializer?: TreeNode
  readonly modifiers?: readonly TreeNode[]
  getStart(): number
}

interface Compiler {
  readonly SyntaxKind: Readonly<Record<string, number | string>>
  readonly ScriptTarget: { readonly Latest: number }
  createSourceFile(path: string, text: string, target: number, setsParents: boolean): TreeNode & LineMap
  forEachChild(node: TreeNode, visit: (child: TreeNode) => void): void
}

interface LineMap {
  getLineAndCharacterOfPosition(position: number): { readonly line: number }
}

export async function* listScriptTags(files: readonly string[]): AsyncGenerator<Tag> {
  const folder = await obtain({ name: 'typescript', language: 'javascript', from: 'npm', package: COMPILER }, () => {})
  // Had a moment ago, at the version that is named above.
  const compiler = createRequire(import.meta.url)(join(folder, 'package', 'lib', 'typescript.js')) as Compiler
  for (const path of files) {
    const text = await readFile(path, 'utf8')
    const source = compiler.createSourceFile(path, text, compiler.ScriptTarget.Latest, true)
    const tags: Tag[] = []
    const reader = new ScriptReader(compiler, ({ name, kind, at }) => {
      const line = source.getLineAndCharacterOfPosition(at.getStart()).line + 1
      tags.push({ path, name, kind, line, language: 'TypeScript' })
    })
    reader.read(source)
    yield* tags
  }
}

interface Found {
  readonly name: string
  readonly kind: string
  readonly at: TreeNode
}

/** Declarations with a name; of the variables of functions those alone that are functions. */
class ScriptReader {
  readonly #compiler: Compiler
  readonly #found: (found: Found) => void

  constructor(compiler: Compiler, found: (found: Found) => void) {
    this.#compiler = compiler
    this.#found = found
  }

  read(source: TreeNode): void {
    this.#visit(source, false)
  }

  #visit(node: TreeNode, isLocal: boolean): void {
    const kind = this.#kindOf(node, isLocal)
    if (kind !== undefined) this.#tell(node.name, kind, node)
    const isInside = isLocal || FUNCTIONS.has(this.#word(node))
    this.#compiler.forEachChild(node, (child) => this.#visit(child, isInside))
  }

  #kindOf(node: TreeNode, isLocal: boolean): string | undefined {
    const word = this.#word(node)
    if (word === 'Parameter') return this.#isProperty(node) ? 'property' : undefined
    if (word === 'VariableDeclaration')
      return this.#isLoopOwn(node) || (isLocal && !this.#isFunction(node)) ? undefined : 'variable'
    if (word === 'BindingElement') return !isLocal && this.#isBound(node) ? 'variable' : undefined
    if (word === 'PropertySignature' || word === 'MethodSignature') {
      return this.#isMember(node) ? KINDS[word] : undefined
    }
    // Of an object that a function makes.
    if (/Accessor$|^MethodDeclaration$/.test(word)) return isLocal && this.#isInObject(node) ? undefined : 'method'
    return KINDS[word]
  }

  #tell(name: TreeNode | undefined, kind: string, node: TreeNode): void {
    if (this.#word(node) === 'Constructor') this.#found({ name: 'constructor', kind, at: this.#keyword(node) })
    else if (name?.text !== undefined && !/Pattern$|^Computed/.test(this.#word(name))) {
      this.#found({ name: name.text, kind, at: name })
    }
  }

  /** Behind the modifiers. */
  #keyword(node: TreeNode): TreeNode {
    const after = node.modifiers?.at(-1)
    return after ?? node
  }

  #isProperty({ modifiers = [], parent }: TreeNode): boolean {
    const isConstructor = parent !== undefined && this.#word(parent) === 'Constructor'
    return (
      isConstructor &&
      modifiers.some((one) => /^(?:Public|Private|Protected|Readonly|Override)Keyword$/.test(this.#word(one)))
    )
  }

  /** Of an interface, or of the type that an alias names. */
  #isMember({ parent }: TreeNode): boolean {
    if (parent === undefined) return false
    if (this.#word(parent) === 'InterfaceDeclaration') return true
    let above = parent.parent
    while (above !== undefined && /^(?:Intersection|Union|Parenthesized)Type$/.test(this.#word(above)))
      above = above.parent
    return above !== undefined && this.#word(above) === 'TypeAliasDeclaration'
  }

  #isLoopOwn({ parent }: TreeNode): boolean {
    const list = parent?.parent
    return (
      parent === undefined ||
      this.#word(parent) === 'CatchClause' ||
      (list !== undefined && /^For/.test(this.#word(list)))
    )
  }

  #isBound(node: TreeNode): boolean {
    let above = node.parent
    while (above !== undefined && /Pattern$|^BindingElement$/.test(this.#word(above))) above = above.parent
    return above !== undefined && this.#word(above) === 'VariableDeclaration' && !this.#isLoopOwn(above)
  }

  #isFunction({ initializer }: TreeNode): boolean {
    return initializer !== undefined && FUNCTIONS.has(this.#word(initializer))
  }

  #isInObject({ parent }: TreeNode): boolean {
    return parent !== undefined && this.#word(parent) === 'ObjectLiteralExpression'
  }

  #word(node: TreeNode): string {
    return String(this.#compiler.SyntaxKind[node.kind])
  }
}

const KINDS: Readonly<Record<string, string>> = {
  ClassDeclaration: 'class',
  ClassExpression: 'class',
  InterfaceDeclaration: 'interface',
  EnumDeclaration: 'enum',
  EnumMember: 'enumerator',
  TypeAliasDeclaration: 'alias',
  ModuleDeclaration: 'namespace',
  FunctionDeclaration: 'function',
  MethodDeclaration: 'method',
  Constructor: 'method',
  PropertyDeclaration: 'property',
  PropertySignature: 'property',
  MethodSignature: 'method',
}

const FUNCTIONS = new Set(
  'FunctionDeclaration FunctionExpression ArrowFunction MethodDeclaration Constructor GetAccessor SetAccessor ClassStaticBlockDeclaration'.split(
    ' ',
  ),
)
