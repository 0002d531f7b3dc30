/** The symbols, references and problems of one script or interface file, by the tables beside this. One pass over its tree. */
import type { Extraction } from '@switchboard/source'
import { isWide } from '../script/encoding.ts'
import { parseShared } from '../script/parse-script.ts'
import { ELEMENT, FIELD, type ScriptTree, STRAY } from '../script/tree.ts'
import { definitionOf } from './definitions.ts'
import { ExtractionBuilder } from './extraction-builder.ts'
import { type FolderRule, folderRuleOf, gamePathOf } from './folders.ts'
import { addReferences } from './references.ts'

/** What an item stands in, from the outermost. */
export interface Outer {
  readonly key: string
  /** The index of the item after it. */
  readonly end: number
  /** Of the nearest symbol around what it holds; -1: none. */
  readonly symbol: number
  /** It is that symbol itself. */
  readonly isSymbol: boolean
}

const OTHER: FolderRule = { folder: '', kind: 'entry', shape: 'none' }
const MARGIN_SHARE = 0.9

export function extractScript(bytes: Uint8Array, relativePath: string): Extraction {
  const { tree, problems } = parseShared(bytes)
  const builder = new ExtractionBuilder(bytes)
  const path = gamePathOf(relativePath)
  const rule = /\.gui$/i.test(path) ? (folderRuleOf('gui/x') ?? OTHER) : (folderRuleOf(path) ?? OTHER)
  for (const problem of problems) builder.addProblem(problem)
  if (problems.some(isWide)) return builder.build('paradox')
  // After a brace too many, what was inside stands outside: real definitions are told by the margin, where the file keeps to it.
  const isAtMarginOnly = problems.some(({ code }) => code === 'syntax.stray-closing') && keepsToMargin(tree)

  const outers: Outer[] = []
  for (let node = 0; node < tree.size; node++) {
    while ((outers.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= node) outers.pop()
    const outer = outers.at(-1)
    let symbol = outer?.symbol ?? -1
    const around = symbol
    const kind = tree.kind(node)
    const isField = kind === FIELD
    const key = isField ? tree.key(node) : ''
    if (isField && !(isAtMarginOnly && outers.length === 0 && !isAtMargin(tree, node))) {
      const definition = definitionOf(tree, node, key, outers, rule)
      if (definition !== undefined) {
        symbol = builder.addSymbol({
          ...definition,
          start: tree.start(node),
          end: tree.valueEnd(node),
          nameStart: tree.keyStart(node),
          parent: symbol,
        })
      }
    }
    if (isField || kind === ELEMENT) addReferences(builder, tree, node, key, outers, rule, symbol)
    if (tree.isBlock(node)) outers.push({ key, end: tree.end(node), symbol, isSymbol: symbol !== around })
  }
  if (rule.shape === 'events') addNamespaceProblems(builder)
  return builder.build('paradox')
}

/** The game knows an event only by a namespace that its own file declares. */
function addNamespaceProblems(builder: ExtractionBuilder): void {
  const declared = new Set<string>()
  for (const { kind, name } of builder.symbols) if (kind === 'event_namespace') declared.add(name)
  for (const { kind, name, start, end } of builder.symbols) {
    const namespace = name.slice(0, Math.max(0, name.lastIndexOf('.')))
    if (kind !== 'event' || declared.has(namespace)) continue
    builder.addProblem({
      code: 'script.undeclared-namespace',
      severity: 'warning',
      start,
      // What is no UTF-8 is longer in the name than it is in the file.
      end: Math.min(end, start + Buffer.byteLength(name)),
      message: `the file does not declare the namespace of the event "${name}"`,
      expected: `namespace = ${namespace}`,
      hint: 'write it at the top of the file, or correct the id',
    })
  }
}

function isAtMargin(tree: ScriptTree, node: number): boolean {
  const start = tree.start(node)
  const before = tree.bytes[start - 1]
  return start === 0 || before === 0x0a || before === 0xbf
}

/** What stands between the last block at the margin and a brace too many is what leaked out, and does not count. */
function keepsToMargin(tree: ScriptTree): boolean {
  let indented = 0
  let margin = 0
  let pending = 0
  for (let node = 0; node < tree.size; node = tree.next(node)) {
    if (tree.kind(node) === STRAY) pending = 0
    else if (!tree.isBlock(node)) continue
    else if (isAtMargin(tree, node)) {
      margin++
      indented += pending
      pending = 0
    } else pending++
  }
  return margin >= (margin + indented + pending) * MARGIN_SHARE
}
