/**
 * A program in pieces, by its tree: declarations stay whole where they fit, with the comments above them; a larger one is divided
 * between its parts and then between its statements; imports stay together.
 */
import type { Node } from 'web-tree-sitter'
import { type Declaration, declarationOf, isImport, namesWithin } from '../syntax/declaration.ts'
import type { GrammarTable } from '../syntax/grammars.ts'
import { type Chunk, Lines, MAX_CHUNK, packSegments, type Segment } from './chunk.ts'

/** Deeper than this nobody divides by hand either. */
const MAX_DEPTH = 60
/** Nodes that are looked at. What is left of a file after that is cut between its lines. */
const MAX_NODES = 100_000

export function chunkTree(text: string, root: Node, table: GrammarTable): Chunk[] {
  const lines = new Lines(text)
  const segments: Segment[] = []
  new Divider(lines, table, segments).divide(root, '', 0)
  return packSegments(lines, segments)
}

class Divider {
  readonly #lines: Lines
  readonly #table: GrammarTable
  readonly #segments: Segment[]
  #looked = 0

  constructor(lines: Lines, table: GrammarTable, segments: Segment[]) {
    this.#lines = lines
    this.#table = table
    this.#segments = segments
  }

  /** Between the children of a node. */
  divide(node: Node, container: string, depth: number): void {
    let comments: { first: number; last: number } | undefined
    for (const child of node.namedChildren) {
      this.#looked++
      const first = child.startPosition.row
      const last = lastRow(child)
      if (this.#table.leading.includes(child.type)) {
        // One behind code on the same line is no beginning of anything.
        if (comments !== undefined && first - comments.last > 1) this.#addComments(comments, container)
        comments =
          comments !== undefined && first - comments.last <= 1 ? { first: comments.first, last } : { first, last }
        continue
      }
      const isLeading = comments !== undefined && first - comments.last <= 1
      if (comments !== undefined && !isLeading) this.#addComments(comments, container)
      this.#add(child, isLeading ? (comments?.first ?? first) : first, last, container, depth)
      comments = undefined
    }
    if (comments !== undefined) this.#addComments(comments, container)
  }

  #addComments({ first, last }: { first: number; last: number }, container: string): void {
    this.#segments.push({ first, last, role: 'part', container, names: [] })
  }

  #add(node: Node, first: number, last: number, container: string, depth: number): void {
    const declaration = declarationOf(node, this.#table)
    const symbol = declaration === undefined ? undefined : symbolOf(container, declaration)
    // Inside of one line there is nothing to divide.
    const isLarge = last > first && this.#lines.size(first, last) > MAX_CHUNK
    if (isLarge && depth < MAX_DEPTH && this.#looked < MAX_NODES && node.namedChildCount > 0) {
      this.#divideLarge(node, first, declaration, symbol, container, depth)
      return
    }
    const names = declaration === undefined ? [] : namesWithin(declaration, this.#table)
    const role = isImport(node, this.#table) ? 'imports' : declaration === undefined ? 'part' : 'declaration'
    this.#segments.push({ first, last, role, container, symbol, kind: declaration?.kind, names })
  }

  #divideLarge(
    node: Node,
    first: number,
    declaration: Declaration | undefined,
    symbol: string | undefined,
    container: string,
    depth: number,
  ): void {
    const inside = declaration?.body ?? node
    const begin = inside.firstNamedChild?.startPosition.row ?? first
    if (declaration !== undefined) {
      // Its head: what comes before its first part.
      const last = Math.max(first, begin - 1)
      const { kind, names } = declaration
      this.#segments.push({ first, last, role: 'part', container: symbol ?? container, symbol, kind, names })
    }
    this.divide(inside, symbol ?? container, depth + 1)
  }
}

function symbolOf(container: string, { names }: Declaration): string {
  const own = names.slice(0, 3).join(', ')
  return container === '' ? own : `${container}.${own}`
}

/** A node that ends with its line ends at the beginning of the next one. */
function lastRow({ startPosition, endPosition }: Node): number {
  return endPosition.column === 0 && endPosition.row > startPosition.row ? endPosition.row - 1 : endPosition.row
}
