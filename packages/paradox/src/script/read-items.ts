/** The one loop that reads script: no recursion, so that no depth of blocks is too deep. */
import {
  AT,
  BLANK,
  BRACKET,
  BRACKET_END,
  CLASS,
  CLOSE,
  EXCLAMATION,
  MARK,
  NEWLINE,
  OPEN,
  OPERATOR,
  QUOTE,
  SQUARE,
  SQUARE_END,
} from './bytes.ts'
import { isPrefix, isTag } from './head-words.ts'
import type { Items } from './items.ts'
import type { ScriptProblem } from './problem.ts'
import { Problems } from './problems.ts'
import { endOfString, endOfWord, holdsNewline, lineIndentation, operatorLength, skipTrivia } from './scan.ts'
import {
  BRACE,
  ELEMENT,
  FIELD,
  KEY_END,
  KEY_START,
  NEXT,
  operatorCode,
  PARAMETER,
  SHAPE,
  START,
  STRAY,
  STRIDE,
  shapeOf,
  UNCLOSED,
  VALUE_END,
  VALUE_START,
} from './tree.ts'

export interface ReadOutcome {
  readonly problems: readonly ScriptProblem[]
  /** Blocks that were open at the end. */
  readonly unclosed: number
  /** Closing braces that closed nothing. */
  readonly stray: number
  /** The outermost definitions in which a brace is missing or too many: places from and to, one pair after the other. */
  readonly torn: readonly number[]
  /** How often a key at the margin closed what was open. */
  readonly closings: number
}

/** How a file is read. */
export interface ReadingMode {
  /** A key at the margin that opens a block closes whatever is open. */
  readonly isSynced: boolean
  /** Where the indentation is believed: places from and to, one pair after the other, in order. */
  readonly indented: readonly number[]
}

export function readItems(
  bytes: Uint8Array,
  from: number,
  end: number,
  items: Items,
  { isSynced, indented }: ReadingMode,
): ReadOutcome {
  const problems = new Problems(bytes, end)
  let nodes = items.nodes
  let open = items.open
  let size = 0
  let depth = 0
  let parameters = 0
  let stray = 0
  let closings = 0
  /** The place after the last token: where a block ends that is not closed. */
  let last = from
  let at = from
  let region = 0
  const torn: number[] = []
  /** The place of the last item at the top. */
  let top = from

  /** How far the line is indented that the block was opened on; -1: it does not begin the line. */
  const indentationOf = (node: number): number => lineIndentation(bytes, nodes[node * STRIDE + START] ?? 0)
  const isIndentedHere = (): boolean => {
    while (region < indented.length && at >= (indented[region + 1] ?? 0)) region += 2
    return region < indented.length && at >= (indented[region] ?? 0)
  }

  const scalarEnd = (start: number): number => {
    const kind = CLASS[bytes[start] ?? 0] ?? 0
    if (kind === QUOTE) {
      const stop = endOfString(bytes, start, end)
      if (stop > 0) return stop
      problems.unclosedString(start, -stop)
      return -stop
    }
    const stop = endOfWord(bytes, start, end, parameters > 0)
    if (bytes[start] === AT && bytes[start + 1] === SQUARE && bytes[stop - 1] !== SQUARE_END) {
      problems.unclosedCalculation(start, stop)
    }
    return stop
  }

  /** Closes what is open until so many are left. */
  const closeUntil = (left: number): void => {
    problems.unclosedBlocks(nodes, open, left, depth, at, last)
    torn.push(nodes[(open[0] ?? 0) * STRIDE + START] ?? 0, last)
    while (depth > left) {
      const base = (open[--depth] ?? 0) * STRIDE
      nodes[base + SHAPE] = (nodes[base + SHAPE] ?? 0) | UNCLOSED
      nodes[base + VALUE_END] = last
      nodes[base + NEXT] = size
      if (((nodes[base + SHAPE] ?? 0) & 15) === PARAMETER) parameters--
    }
  }

  /** Of the blocks that are open, those that a key on a line of its own can stand in. */
  const countOuter = (key: number): number => {
    const indentation = lineIndentation(bytes, key)
    let left = depth
    while (indentation >= 0 && left > 0 && indentationOf(open[left - 1] ?? 0) >= indentation) left--
    return left
  }
  /** A closing brace on a line of its own, further in than what it would close. */
  const isDeeper = (brace: number, node: number): boolean => {
    const outer = indentationOf(node)
    return outer >= 0 && lineIndentation(bytes, brace) > outer
  }

  while (true) {
    at = skipTrivia(bytes, at, end)
    if (at >= end) break
    if ((size + 1) * STRIDE > nodes.length) nodes = items.growNodes()
    if (depth + 1 >= open.length) open = items.growOpen()
    const kind = CLASS[bytes[at] ?? 0] ?? 0
    const base = size * STRIDE

    if (kind === CLOSE || (kind === BRACKET_END && parameters > 0)) {
      const inner = depth === 0 ? -1 : (open[depth - 1] ?? 0) * STRIDE
      const isParameter = inner >= 0 && ((nodes[inner + SHAPE] ?? 0) & 15) === PARAMETER
      const isOfAnother = indented.length > 0 && depth > 0 && isIndentedHere() && isDeeper(at, open[depth - 1] ?? 0)
      if (inner < 0 || isParameter !== (kind === BRACKET_END) || isOfAnother) {
        stray++
        torn.push(top, at + 1)
        problems.strayClosing(at, depth)
        writeStray(nodes, base, at, at + 1, size)
        size++
      } else {
        depth--
        if (isParameter) parameters--
        nodes[inner + VALUE_END] = at + 1
        nodes[inner + NEXT] = size
      }
      last = ++at
      continue
    }

    if (kind === OPEN) {
      writeNode(nodes, base, shapeOf(ELEMENT, 0), at, at, at, at)
      nodes[base + BRACE] = at
      open[depth++] = size++
      last = ++at
      continue
    }

    const strayOperator = kind === OPERATOR || kind === MARK ? operatorLength(bytes, at, end) : 0
    if (strayOperator > 0) {
      problems.strayOperator(at, at + strayOperator, last)
      writeStray(nodes, base, at, at + strayOperator, size)
      size++
      at += strayOperator
      last = at
      continue
    }

    if (kind === BRACKET && bytes[at + 1] === SQUARE) {
      const close = endOfParameterHead(bytes, at, end)
      if (close > 0) {
        const name = bytes[at + 2] === EXCLAMATION ? at + 3 : at + 2
        writeNode(nodes, base, shapeOf(PARAMETER, 0), at, name, close - 1, close - 1)
        nodes[base + BRACE] = close - 1
        open[depth++] = size++
        parameters++
        at = close
        last = close
        continue
      }
    }

    // A scalar: the head of a field, or an element.
    const isAtMargin = isSynced && depth > 0 && bytes[at - 1] === NEWLINE
    const start = at
    let keyStart = at
    let keyEnd = scalarEnd(at)
    let after = skipTrivia(bytes, keyEnd, end)
    if (after < end && kind !== QUOTE && isScalarStart(bytes, after) && isPrefix(bytes, start, keyEnd)) {
      const secondEnd = scalarEnd(after)
      const afterSecond = skipTrivia(bytes, secondEnd, end)
      if (operatorLength(bytes, afterSecond, end) > 0 || isOpen(bytes, afterSecond, end)) {
        keyStart = after
        keyEnd = secondEnd
        after = afterSecond
      }
    }
    const length = operatorLength(bytes, after, end)
    if (length === 0 && !isOpen(bytes, after, end)) {
      writeNode(nodes, base, shapeOf(ELEMENT, 0), start, start, start, start)
      nodes[base + VALUE_END] = keyEnd
      nodes[base + NEXT] = ++size
      last = keyEnd
      at = after
      continue
    }

    const operatorEnd = after + length
    let value = length === 0 ? after : skipTrivia(bytes, operatorEnd, end)
    if (isAtMargin && isOpen(bytes, value, end)) {
      closings++
      closeUntil(0)
    } else if (indented.length > 0 && depth > 0 && isOpen(bytes, value, end) && isIndentedHere()) {
      const left = countOuter(start)
      if (left < depth) closeUntil(left)
    }
    if (depth === 0) top = start
    const shape = shapeOf(FIELD, length === 0 ? 0 : operatorCode(bytes, after, length))
    writeNode(nodes, base, shape, start, keyStart, keyEnd, value)
    size++
    if (value < end && isScalarStart(bytes, value)) {
      const valueEnd = scalarEnd(value)
      const behind = skipTrivia(bytes, valueEnd, end)
      if (isOpen(bytes, behind, end) && (start < keyStart || isTag(bytes, value, valueEnd))) {
        nodes[base + BRACE] = behind
        open[depth++] = size - 1
        at = behind + 1
        last = at
      } else if (operatorLength(bytes, behind, end) > 0 && holdsNewline(bytes, operatorEnd, value)) {
        // `a =` and on the next line `b = c`: the value of a is missing, b is a key.
        problems.missingValue(keyStart, keyEnd, after, operatorEnd)
        nodes[base + VALUE_START] = operatorEnd
        nodes[base + VALUE_END] = operatorEnd
        nodes[base + NEXT] = size
        last = operatorEnd
        at = value
      } else {
        nodes[base + VALUE_END] = valueEnd
        nodes[base + NEXT] = size
        last = valueEnd
        at = behind
      }
      continue
    }
    if (isOpen(bytes, value, end)) {
      nodes[base + BRACE] = value
      open[depth++] = size - 1
      at = value + 1
      last = at
      continue
    }
    // An operator as value is what a macro is given: `OPERATOR = >=`.
    const asValue = operatorLength(bytes, value, end)
    if (asValue === 0) {
      problems.missingValue(keyStart, keyEnd, after, operatorEnd)
      value = operatorEnd
      nodes[base + VALUE_START] = value
    }
    nodes[base + VALUE_END] = value + asValue
    nodes[base + NEXT] = size
    last = value + asValue
    at = last
  }

  const unclosed = depth
  at = end
  if (depth > 0) closeUntil(0)
  items.size = size
  return { problems: problems.list, unclosed, stray, closings, torn }
}

function writeNode(
  nodes: Int32Array,
  base: number,
  shape: number,
  start: number,
  keyStart: number,
  keyEnd: number,
  value: number,
): void {
  nodes[base + SHAPE] = shape
  nodes[base + START] = start
  nodes[base + KEY_START] = keyStart
  nodes[base + KEY_END] = keyEnd
  nodes[base + VALUE_START] = value
  nodes[base + VALUE_END] = value
  nodes[base + BRACE] = -1
}

function writeStray(nodes: Int32Array, base: number, start: number, end: number, node: number): void {
  writeNode(nodes, base, shapeOf(STRAY, 0), start, start, start, start)
  nodes[base + VALUE_END] = end
  nodes[base + NEXT] = node + 1
}

function isOpen(bytes: Uint8Array, at: number, end: number): boolean {
  return at < end && CLASS[bytes[at] ?? 0] === OPEN
}

function isScalarStart(bytes: Uint8Array, at: number): boolean {
  const kind = CLASS[bytes[at] ?? 0] ?? 0
  if (kind === MARK) return operatorLength(bytes, at, bytes.length) === 0
  return kind !== OPEN && kind !== CLOSE && kind !== OPERATOR && kind !== BLANK
}

/** The place after `[[NAME]`; 0 where it is no such head. */
function endOfParameterHead(bytes: Uint8Array, from: number, end: number): number {
  const start = bytes[from + 2] === EXCLAMATION ? from + 3 : from + 2
  let at = start
  while (at < end) {
    const byte = bytes[at] ?? 0
    if (byte === SQUARE_END) return at > start ? at + 1 : 0
    const isName = byte === 0x5f || (byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7a)
    if (!isName) return 0
    at++
  }
  return 0
}
