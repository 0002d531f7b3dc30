/** A YAML text as a node that the shape language reads, and the place of everything in it. */
import { errorMessage } from '@switchboard/base'
import { createNodeOfValue, formatKeyPath, type SourceNode } from '@switchboard/config'
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import type { KeyPath, MetaProblem } from './meta-problem.ts'

export class YamlSource {
  readonly file: string
  readonly value: unknown
  /** What the YAML reader itself found. */
  readonly syntaxProblems: readonly MetaProblem[]
  readonly #lines = new LineCounter()
  readonly #root: unknown
  readonly #firstLine: number

  /** `firstLine`: where in its file the text begins, for front matter. */
  constructor(file: string, text: string, firstLine = 1) {
    this.file = file
    this.#firstLine = firstLine
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false })
    this.#root = document.contents
    const problems = [...document.errors, ...document.warnings].map(({ pos, message }) =>
      this.#createProblem(pos[0], '', `is not YAML: ${message}`),
    )
    try {
      this.value = problems.length === 0 ? document.toJS({ maxAliasCount: 100 }) : undefined
    } catch (error) {
      // An alias without its anchor, or too many of them: the parser finds that only now, and tells no place.
      problems.push(this.#createProblem(0, '', `is not YAML: ${errorMessage(error)}`))
    }
    this.syntaxProblems = problems
  }

  get root(): SourceNode {
    return createNodeOfValue(this.value, (path) => this.#locate(path))
  }

  /** Placed at the key. */
  problem(path: KeyPath, message: string): MetaProblem {
    return this.problemAt(this.#locate(path).keyOffset, path, message)
  }

  problemAt(offset: number, path: KeyPath, message: string): MetaProblem {
    return this.#createProblem(offset, formatKeyPath(path), message)
  }

  #createProblem(offset: number, key: string, message: string): MetaProblem {
    // Before the first character is read there is no line yet.
    const { line, col } = this.#lines.linePos(offset)
    return { file: this.file, line: Math.max(line, 1) + this.#firstLine - 1, column: Math.max(col, 1), key, message }
  }

  /** Of the nearest thing around it where there is none. */
  #locate(path: KeyPath): { offset: number; keyOffset: number } {
    let here: unknown = this.#root
    let offset = startOf(here) ?? 0
    let keyOffset = offset
    for (const step of path) {
      if (isMap(here)) {
        const pair = here.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
        if (pair === undefined) break
        keyOffset = startOf(pair.key) ?? offset
        offset = startOf(pair.value) ?? keyOffset
        here = pair.value
      } else if (isSeq(here)) {
        here = here.items[Number(step)]
        offset = startOf(here) ?? offset
        keyOffset = offset
      } else break
    }
    return { offset, keyOffset }
  }
}

function startOf(node: unknown): number | undefined {
  // Everything that the parser put into the tree is a node.
  return (node as Node | null | undefined)?.range?.[0]
}
