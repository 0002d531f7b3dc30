/**
 * What a language's grammar tells of names, by the words of that grammar. Tables, with a function only where a shape decides.
 */
import type { Node } from 'web-tree-sitter'

export interface CodeTable {
  /** By the type of a node: what it defines. */
  readonly definitions: Readonly<Record<string, DefinitionRule>>
  /** Types of the leaves that are names. */
  readonly names: readonly string[]
  /** Those of them that may be a local. */
  readonly plainNames: readonly string[]
  /** Those of them that can only be a type, and the kinds of symbols that are types. */
  readonly typeNames?: readonly string[]
  readonly typeKinds?: readonly string[]
  /** By the type of a node that calls: the fields of what it calls. */
  readonly calls: Readonly<Record<string, readonly string[]>>
  /** By the type of a node that is a path (`a.b`): the field of its last part, which is what is called, and never a local. */
  readonly paths: Readonly<Record<string, string>>
  /** Nodes in whose body variables are local. */
  readonly functions: readonly string[]
  /** Nodes in whose body they are not, though they may stand in a function. */
  readonly types: readonly string[]
  /** By the type of a node that makes local names: the fields that they stand in; empty: all of its children. */
  readonly binds: Readonly<Record<string, readonly string[]>>
  /** The same of those that make names of types: `<T>`. */
  readonly bindsTypes?: Readonly<Record<string, readonly string[]>>
  /** Nodes between those and the names: `[a, { b }]`. */
  readonly patterns: readonly string[]
  /** Names that stand alone are calls, unless they are local: `render` in Ruby. */
  readonly bareCalls?: boolean
  /** A text without its preprocessor's work cannot be judged: what is not understood may still be right. */
  readonly isPreprocessed?: boolean
}

export type DefinitionRule = string | ((node: Node, place: CodePlace) => Definition | readonly Definition[] | undefined)

export interface Definition {
  /** Where the name stands. */
  readonly at: Node
  /** What it is called, where that is not what stands there. */
  readonly name?: string
  readonly kind: string
  /** The whole of it, where that is not the node of the rule. */
  readonly whole?: Node
  /** What is inside of it does not belong to it. */
  readonly isLeaf?: boolean
  /** It belongs to what holds the symbol around it: a property that a constructor declares. */
  readonly isBeside?: boolean
}

/** Where a node stands. */
export interface CodePlace {
  /** In the body of a function. */
  readonly isLocal: boolean
  /** Of the nearest symbol around it. */
  readonly ownerKind: string | undefined
  /** Type of the node that holds it; 0: that one, 1: the one around that. */
  holder(distance: number): string | undefined
}

/** The name of a node as its grammar gives it. */
export function named(node: Node, kind: string): Definition | undefined {
  const at = node.childForFieldName('name')
  return at === null ? undefined : { at, kind }
}
