/** JSON as editors write their own settings files: with comments and a trailing comma. Every node knows its offset. */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { findPosition, type KeyPath, type ProblemList } from '../problems.ts'
import type { SourceNode } from './source-node.ts'

export interface SyntaxProblem {
  readonly offset: number
  readonly problem: string
  readonly expected: string
}

export type ParsedSource =
  | { readonly root: SourceNode; readonly tree: Node }
  | { readonly root: undefined; readonly syntax: SyntaxProblem }

/** Comments and a trailing comma are allowed, as in the editors' own settings files; everything else is plain JSON. */
export function parseSource(text: string): ParsedSource {
  const errors: ParseError[] = []
  let tree: Node | undefined
  try {
    tree = parseTree(hideByteOrderMark(text), errors, { allowTrailingComma: true })
  } catch (error) {
    // The parser is recursive: thousands of open brackets exhaust the stack.
    if (!(error instanceof RangeError)) throw error
    return { root: undefined, syntax: { offset: 0, problem: 'is nested too deeply', expected: 'a JSON object' } }
  }
  // Only the first: what the parser makes of the text behind a syntax error is guesswork.
  const [first] = errors
  if (first !== undefined) {
    const known = SYNTAX_PROBLEMS[printParseErrorCode(first.error)] ?? OTHER_SYNTAX_PROBLEM
    return { root: undefined, syntax: { offset: first.offset, ...known } }
  }
  if (tree === undefined) return { root: undefined, syntax: { offset: 0, ...OTHER_SYNTAX_PROBLEM } }
  return { root: createNodeOfTree(tree), tree }
}

/** A blank in its place keeps all offsets. */
function hideByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? ` ${text.slice(1)}` : text
}

const OTHER_SYNTAX_PROBLEM = { problem: 'is not JSON', expected: 'a JSON object' }

const SYNTAX_PROBLEMS: Readonly<Partial<Record<string, { problem: string; expected: string }>>> = {
  InvalidSymbol: {
    problem: 'there is a word or sign that JSON does not know',
    expected: 'text in double quotes, a number, true, false, null, { or [',
  },
  InvalidNumberFormat: { problem: 'there is a malformed number', expected: 'a number such as 5 or 0.5' },
  PropertyNameExpected: { problem: 'a key is missing here', expected: 'a key in double quotes, or }' },
  ValueExpected: {
    problem: 'a value is missing here',
    expected: 'text in double quotes, a number, true, false, { or [',
  },
  ColonExpected: { problem: 'a colon is missing here', expected: 'a : between key and value' },
  CommaExpected: { problem: 'a comma is missing before this', expected: 'a , between two entries' },
  CloseBraceExpected: { problem: 'the text ends inside an object', expected: 'a closing }' },
  CloseBracketExpected: { problem: 'the text ends inside a list', expected: 'a closing ]' },
  EndOfFileExpected: { problem: 'there is text behind the end of the object', expected: 'the end of the file' },
  InvalidCommentToken: { problem: 'there is a malformed comment', expected: '// or /* */' },
  UnexpectedEndOfComment: { problem: 'a comment is not closed', expected: 'a closing */' },
  UnexpectedEndOfString: { problem: 'text is not closed on its line', expected: 'a closing "' },
  UnexpectedEndOfNumber: { problem: 'there is an unfinished number', expected: 'a number such as 5 or 0.5' },
  InvalidUnicode: { problem: 'there is a malformed \\u escape', expected: '\\u and four hex digits' },
  InvalidEscapeCharacter: {
    problem: 'there is an unknown escape',
    expected: 'one of \\" \\\\ \\/ \\b \\f \\n \\r \\t \\u (a backslash itself is written \\\\)',
  },
  InvalidCharacter: { problem: 'text holds a control character', expected: 'an escape such as \\t or \\n' },
}

function createNodeOfTree(node: Node): SourceNode {
  const children = node.children ?? []
  return {
    type: node.type === 'array' ? 'list' : node.type === 'property' ? 'other' : node.type,
    scalar: node.children === undefined ? node.value : undefined,
    offset: node.offset,
    entries: () =>
      children.flatMap(({ children: [key, value] = [] }) =>
        key === undefined || value === undefined
          ? []
          : [{ key: String(key.value), keyOffset: key.offset, node: createNodeOfTree(value) }],
      ),
    items: () => children.map(createNodeOfTree),
  }
}

/** JSON parsers take the last of two equal keys without a word; a person who wrote both meant both. */
export function reportDuplicateKeys(tree: Node, text: string, problems: ProblemList): void {
  const pending: { node: Node; path: KeyPath }[] = [{ node: tree, path: [] }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next
    const seen = new Map<string, number>()
    for (const [index, child] of (node.children ?? []).entries()) {
      if (node.type === 'array') {
        pending.push({ node: child, path: [...path, index] })
        continue
      }
      const [key, value] = child.children ?? []
      if (key === undefined || value === undefined) continue
      const childPath = [...path, String(key.value)]
      const first = seen.get(key.value)
      if (first === undefined) seen.set(key.value, key.offset)
      else {
        const problem = `is there twice, first on line ${findPosition(text, first).line}`
        problems.report({ path: childPath, offset: key.offset, problem, expected: 'every key once' })
      }
      pending.push({ node: value, path: childPath })
    }
  }
}
