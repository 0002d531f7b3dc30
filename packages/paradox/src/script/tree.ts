/**
 * A file as a flat array: one record of integers per item, in the order of the text, each before what it holds. Nothing is
 * copied from the file; positions are bytes. `next` leads past what an item holds, so children are walked as
 *
 *     for (let child = tree.firstChild(node); child < tree.end(node); child = tree.next(child))
 */
import { EQUALS, QUOTATION } from './bytes.ts'
import { endOfWord, operatorLength, skipTrivia } from './scan.ts'

/** Integers per record. */
export const STRIDE = 8
/** Kind of the item, and from bit 4 on its operator. */
export const SHAPE = 0
/** Of the whole item: of its prefix, where it has one. */
export const START = 1
export const KEY_START = 2
export const KEY_END = 3
/** Of its tag, where it has one (`rgb { … }`). */
export const VALUE_START = 4
export const VALUE_END = 5
/** The place of `{`, or -1. */
export const BRACE = 6
export const NEXT = 7

/** `key = value`, `key { … }`. */
export const FIELD = 1
/** An element of a list: a scalar, or a block without a name. */
export const ELEMENT = 2
/** `[[NAME] … ]`: what is there only if a parameter is given. Its key is the name. */
export const PARAMETER = 3
/** An operator or a closing brace where none may stand: kept, so that printing gives the file back. */
export const STRAY = 4

const OPERATORS: readonly Operator[] = ['', '=', '==', '!=', '<>', '<', '<=', '>', '>=', '?=']
export type Operator = '' | '=' | '==' | '!=' | '<>' | '<' | '<=' | '>' | '>=' | '?='
const OPERATOR_SHIFT = 4
const FOUR_BITS = 15
/** In SHAPE: its closing brace is missing. */
export const UNCLOSED = 1 << 8

export function operatorCode(bytes: Uint8Array, at: number, length: number): number {
  // Nearly all of them are this one.
  if (length === 1 && bytes[at] === EQUALS) return 1
  const text = textOf(bytes, at, at + length)
  return (OPERATORS as readonly string[]).indexOf(text)
}

export function shapeOf(kind: number, operator: number): number {
  return kind | (operator << OPERATOR_SHIFT)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const LONGEST_KEPT = 40
/** Words that were read lately, by their hash: the same few thousand come again and again, and a string kept is found at once. */
const kept: string[] = new Array(1 << 14).fill('')

export function textOf(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start
  if (length === 0) return ''
  if (length > LONGEST_KEPT) return decode(bytes, start, end)
  let hash = length
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte > 0x7f) return decode(bytes, start, end)
    hash = (Math.imul(hash, 31) + byte) | 0
  }
  const slot = (hash ^ (hash >>> 15)) & (kept.length - 1)
  const known = kept[slot] ?? ''
  if (isText(known, bytes, start, length)) return known
  const text = decode(bytes, start, end)
  kept[slot] = text
  return text
}

/** Plain bytes of a file are a Buffer, which is quicker to ask. */
function decode(bytes: Uint8Array, start: number, end: number): string {
  return bytes instanceof Buffer ? bytes.toString('utf8', start, end) : decoder.decode(bytes.subarray(start, end))
}

function isText(text: string, bytes: Uint8Array, start: number, length: number): boolean {
  if (text.length !== length) return false
  for (let at = 0; at < length; at++) if (text.charCodeAt(at) !== bytes[start + at]) return false
  return true
}

export class ScriptTree {
  readonly bytes: Uint8Array
  /** How many items there are. */
  readonly size: number
  /** Where the text ends for the game. */
  readonly textEnd: number
  readonly #nodes: Int32Array

  constructor(bytes: Uint8Array, nodes: Int32Array, size: number, textEnd: number) {
    this.bytes = bytes
    this.#nodes = nodes
    this.size = size
    this.textEnd = textEnd
  }

  kind(node: number): number {
    return this.#read(node, SHAPE) & FOUR_BITS
  }

  operator(node: number): Operator {
    return OPERATORS[(this.#read(node, SHAPE) >> OPERATOR_SHIFT) & FOUR_BITS] ?? ''
  }

  start(node: number): number {
    return this.#read(node, START)
  }

  keyStart(node: number): number {
    return this.#read(node, KEY_START)
  }

  keyEnd(node: number): number {
    return this.#read(node, KEY_END)
  }

  valueStart(node: number): number {
    return this.#read(node, VALUE_START)
  }

  valueEnd(node: number): number {
    return this.#read(node, VALUE_END)
  }

  /** Where its block opens; -1 where its value is none. */
  brace(node: number): number {
    return this.#read(node, BRACE)
  }

  isBlock(node: number): boolean {
    return this.#read(node, BRACE) >= 0
  }

  /** A block whose closing brace the file has. */
  isClosed(node: number): boolean {
    return (this.#read(node, SHAPE) & UNCLOSED) === 0
  }

  firstChild(node: number): number {
    return node + 1
  }

  /** The item after everything that this one holds; `size` after the last. */
  next(node: number): number {
    return this.#read(node, NEXT)
  }

  end(node: number): number {
    return this.#read(node, NEXT)
  }

  /** Without its quotes; empty for what has no key. */
  key(node: number): string {
    return this.#unquoted(this.#read(node, KEY_START), this.#read(node, KEY_END))
  }

  /** The scalar without its quotes; for a block its tag, or nothing. */
  value(node: number): string {
    const start = this.#read(node, VALUE_START)
    const brace = this.#read(node, BRACE)
    if (brace < 0) return this.#unquoted(start, this.#read(node, VALUE_END))
    return brace === start ? '' : textOf(this.bytes, start, endOfWord(this.bytes, start, brace, false))
  }

  /** `type`, `template`, `scripted_trigger` …: the word before the key; empty where there is none. */
  prefix(node: number): string {
    const start = this.#read(node, START)
    const key = this.#read(node, KEY_START)
    if (this.kind(node) !== FIELD || start === key) return ''
    return textOf(this.bytes, start, endOfWord(this.bytes, start, key, false))
  }

  isQuoted(node: number): boolean {
    return this.bytes[this.#read(node, VALUE_START)] === QUOTATION
  }

  #unquoted(start: number, end: number): string {
    if (this.bytes[start] !== QUOTATION) return textOf(this.bytes, start, end)
    const isClosed = end - start > 1 && this.bytes[end - 1] === QUOTATION
    return textOf(this.bytes, start + 1, isClosed ? end - 1 : end)
  }

  #read(node: number, field: number): number {
    return this.#nodes[node * STRIDE + field] ?? 0
  }
}

/** Calls back with every token of the tree, in the order of the text. Between them stand blanks and comments only. */
export function eachToken(tree: ScriptTree, onToken: (start: number, end: number) => void): void {
  const { bytes } = tree
  const open: number[] = []
  const closeUntil = (node: number): void => {
    for (let last = open.at(-1); last !== undefined && tree.end(last) <= node; last = open.at(-1)) {
      open.pop()
      const end = tree.valueEnd(last)
      if (tree.isClosed(last)) onToken(end - 1, end)
    }
  }
  for (let node = 0; node < tree.size; node++) {
    closeUntil(node)
    const kind = tree.kind(node)
    const brace = tree.brace(node)
    const valueStart = tree.valueStart(node)
    if (kind === FIELD) {
      const start = tree.start(node)
      const keyStart = tree.keyStart(node)
      if (start < keyStart) onToken(start, endOfWord(bytes, start, keyStart, false))
      onToken(keyStart, tree.keyEnd(node))
      if (tree.operator(node) !== '') {
        const at = skipTrivia(bytes, tree.keyEnd(node), tree.textEnd)
        onToken(at, at + operatorLength(bytes, at, tree.textEnd))
      }
      if (brace > valueStart) onToken(valueStart, endOfWord(bytes, valueStart, brace, false))
    }
    if (kind === PARAMETER) onToken(tree.start(node), brace + 1)
    else if (brace >= 0) onToken(brace, brace + 1)
    else if (tree.valueEnd(node) > valueStart) onToken(valueStart, tree.valueEnd(node))
    if (brace >= 0) open.push(node)
  }
  closeUntil(tree.size)
}

/** The file again, byte for byte: the tokens of the tree, and between them what the file has there. */
export function printTree(tree: ScriptTree): Uint8Array {
  const printed = new Uint8Array(tree.bytes.length)
  let at = 0
  let written = 0
  const copy = (end: number): void => {
    printed.set(tree.bytes.subarray(at, end), written)
    written += end - at
    at = end
  }
  eachToken(tree, (start, end) => {
    copy(start)
    copy(end)
  })
  copy(tree.bytes.length)
  return printed.subarray(0, written)
}
