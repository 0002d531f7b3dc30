/**
 * What the checker walks: one shape for a JSONC text (every node knows its offset) and for a plain object that a
 * library user passed (no offsets). Children are made on demand, so only what the field table asks for is visited.
 */
import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'

export type SourceType = 'object' | 'list' | 'string' | 'number' | 'boolean' | 'null' | 'other'

export interface SourceNode {
  readonly type: SourceType
  /** Of a scalar; undefined for objects, lists and what JSON cannot hold. */
  readonly scalar: string | number | boolean | null | undefined
  readonly offset: number | undefined
  entries(): readonly SourceEntry[]
  items(): readonly SourceNode[]
}

export interface SourceEntry {
  readonly key: string
  readonly keyOffset: number | undefined
  readonly node: SourceNode
}

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

/** A key whose value is undefined counts as absent, as it does for JSON. */
export function createNodeOfValue(value: unknown): SourceNode {
  const type = typeOf(value)
  return {
    type,
    scalar: isScalar(value) ? value : undefined,
    offset: undefined,
    entries: () =>
      type !== 'object' || typeof value !== 'object' || value === null
        ? []
        : Object.entries(value)
            .filter(([, child]) => child !== undefined)
            .map(([key, child]) => ({ key, keyOffset: undefined, node: createNodeOfValue(child) })),
    items: () => (Array.isArray(value) ? value.map(createNodeOfValue) : []),
  }
}

function isScalar(value: unknown): value is string | number | boolean | null {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value)
}

function typeOf(value: unknown): SourceType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  const type = typeof value
  if (type === 'string' || type === 'number' || type === 'boolean') return type
  // A Map or a Date would otherwise pass for an object without keys.
  return Object.prototype.toString.call(value) === '[object Object]' ? 'object' : 'other'
}
