/** A YAML text as a value, and the place of everything in it. */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { formatKeyPath, type KeyPath, type MetaProblem } from './meta-problem.ts'

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
      problems.push(
        this.#createProblem(0, '', `is not YAML: ${error instanceof Error ? error.message : String(error)}`),
      )
    }
    this.syntaxProblems = problems
  }

  problem(path: KeyPath, message: string): MetaProblem {
    return this.#createProblem(this.#offsetOf(path), formatKeyPath(path), message)
  }

  #createProblem(offset: number, key: string, message: string): MetaProblem {
    // Before the first character is read there is no line yet.
    const { line, col } = this.#lines.linePos(offset)
    return { file: this.file, line: Math.max(line, 1) + this.#firstLine - 1, column: Math.max(col, 1), key, message }
  }

  /** Of the key where there is one; of the nearest thing around it otherwise. */
  #offsetOf(path: KeyPath): number {
    let here: unknown = this.#root
    let offset = startOf(here) ?? 0
    for (const step of path) {
      if (isMap(here)) {
        const pair = here.items.find(({ key }) => isScalar(key) && String(key.value) === String(step))
        if (pair === undefined) return offset
        offset = startOf(pair.key) ?? offset
        here = pair.value
      } else if (isSeq(here)) {
        here = here.items[Number(step)]
        offset = startOf(here) ?? offset
      } else return offset
    }
    return offset
  }
}

function startOf(node: unknown): number | undefined {
  // Everything that the parser put into the tree is a node.
  return (node as Node | null | undefined)?.range?.[0]
}
