/**
 * Sets and removes one property in a JSONC text. The library's own `modify` moves a comment behind the last entry to
 * the new one and removes the comments of neighbours together with an entry, so the few edits needed are made here.
 * The text must have been parsed before: a path that leads through something that is no object is a bug.
 */
import { applyEdits, createScanner, type Edit, findNodeAtLocation, getNodeValue, type Node } from 'jsonc-parser'
import { parseSource } from '../source/json-source.ts'
import { formatJson } from './format-json.ts'

export type JsonReading =
  | { readonly value: unknown; readonly problem?: undefined }
  /** `line` counts from 1. */
  | { readonly problem: string; readonly line: number }

/** JSON as editors write it, with comments and trailing commas. */
export function readJsonText(text: string): JsonReading {
  const source = parseSource(text)
  if (source.root !== undefined) return { value: getNodeValue(source.tree) }
  const { offset, problem } = source.syntax
  return { problem, line: text.slice(0, offset).split('\n').length }
}

/** Whether there is a value at the path. */
export function hasProperty(text: string, path: readonly string[]): boolean {
  return findNodeAtLocation(parse(text), [...path]) !== undefined
}

/** The keys of the object at the path; none where there is no object. */
export function listKeys(text: string, path: readonly string[]): string[] {
  const node = findNodeAtLocation(parse(text), [...path])
  return node?.type === 'object' ? (node.children ?? []).map((child) => String(child.children?.[0]?.value)) : []
}

/** Sets the value at the path. All but the last part must exist, or are created as objects. */
export function setProperty(text: string, path: readonly string[], value: unknown): string {
  const tree = parse(text)
  const existing = findNodeAtLocation(tree, [...path])
  if (existing !== undefined) {
    const content = formatValue(value, findIndent(text, existing.offset), text)
    return applyEdits(text, [{ offset: existing.offset, length: existing.length, content }])
  }
  let depth = path.length - 1
  while (depth > 0 && findNodeAtLocation(tree, path.slice(0, depth)) === undefined) depth--
  const parent = findNodeAtLocation(tree, path.slice(0, depth))
  const [key, ...rest] = path.slice(depth)
  if (parent?.type !== 'object' || key === undefined) throw new Error(`No object at ${path.slice(0, depth).join('.')}`)
  return applyEdits(
    text,
    insertInto(
      parent,
      key,
      rest.reduceRight<unknown>((inner, part) => ({ [part]: inner }), value),
      text,
    ),
  )
}

/** The value at the path as it is written, comments included, as if it stood at the left margin. Undefined: there is none. */
export function readPropertyText(text: string, path: readonly string[]): string | undefined {
  const node = findNodeAtLocation(parse(text), [...path])
  if (node === undefined) return undefined
  const indent = findIndent(text, node.offset)
  const lines = text.slice(node.offset, node.offset + node.length).split(/\r?\n/)
  return lines
    .map((line, index) => (index > 0 && line.startsWith(indent) ? line.slice(indent.length) : line))
    .join('\n')
}

/** Puts such a text, which has been parsed before, in place of the value at the path. */
export function replacePropertyText(text: string, path: readonly string[], content: string): string {
  const node = findNodeAtLocation(parse(text), [...path])
  if (node === undefined) throw new Error(`Nothing at ${path.join('.')}`)
  const indent = findIndent(text, node.offset)
  const endOfLine = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = content.trim().split(/\r?\n/)
  const indented = lines.map((line, index) => (index > 0 && line !== '' ? indent + line : line)).join(endOfLine)
  return applyEdits(text, [{ offset: node.offset, length: node.length, content: indented }])
}

/** Removes the property and its comma; comments stay. */
export function removeProperty(text: string, path: readonly string[]): string {
  const property = findNodeAtLocation(parse(text), [...path])?.parent
  const siblings = property?.parent?.children
  if (property === undefined || siblings === undefined) throw new Error(`Nothing at ${path.join('.')}`)
  const end = property.offset + property.length
  const comma = findComma(text, end)
  const edits: Edit[] = [{ offset: property.offset, length: end - property.offset, content: '' }]
  if (comma !== undefined) {
    edits.push({ offset: comma, length: 1, content: '' })
  } else {
    const previous = siblings[siblings.indexOf(property) - 1]
    const previousComma = previous === undefined ? undefined : findComma(text, previous.offset + previous.length)
    if (previousComma !== undefined) edits.unshift({ offset: previousComma, length: 1, content: '' })
  }
  return removeEmptyLine(applyEdits(text, edits), property.offset - (edits[0]?.offset === property.offset ? 0 : 1))
}

/**
 * Puts other texts in place of texts, numbers and comments, for a screen; keys and layout stay. `path` has the keys down to it, and
 * indexes of lists; a comment has none.
 */
export function replaceTexts(
  text: string,
  replace: (value: string, path: readonly (string | number)[] | undefined) => string,
): string {
  const edits: Edit[] = []
  const pending: { node: Node; path: readonly (string | number)[] }[] = [{ node: parse(text), path: [] }]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next
    for (const [index, child] of (node.children ?? []).entries()) {
      const [key, value] = node.type === 'object' ? (child.children ?? []) : [undefined, child]
      if (value !== undefined)
        pending.push({ node: value, path: [...path, key === undefined ? index : String(key.value)] })
    }
    if (node.type !== 'string' && node.type !== 'number') continue
    const content = replace(String(node.value), path)
    if (content !== String(node.value))
      edits.push({ offset: node.offset, length: node.length, content: JSON.stringify(content) })
  }
  for (const { offset, length } of listComments(text)) {
    edits.push({ offset, length, content: replace(text.slice(offset, offset + length), undefined) })
  }
  // The library copies the whole text for every edit, and here there may be one for every line.
  let at = 0
  const parts = edits
    .sort((one, other) => one.offset - other.offset)
    .map(({ offset, length, content }) => {
      const before = text.slice(at, offset)
      at = offset + length
      return before + content
    })
  return parts.join('') + text.slice(at)
}

/** As the library numbers what its scanner finds; it has no values for these names. */
const END_OF_FILE = 17
const COMMENTS: ReadonlySet<number> = new Set([12, 13])

function listComments(text: string): { readonly offset: number; readonly length: number }[] {
  const comments: { offset: number; length: number }[] = []
  if (!text.includes('/')) return comments
  const scanner = createScanner(text, false)
  for (let kind: number = scanner.scan(); kind !== END_OF_FILE; kind = scanner.scan()) {
    if (COMMENTS.has(kind)) comments.push({ offset: scanner.getTokenOffset(), length: scanner.getTokenLength() })
  }
  return comments
}

function parse(text: string): Node {
  const source = parseSource(text)
  if (source.root === undefined) throw new Error('The text is not JSON')
  return source.tree
}

function insertInto(parent: Node, key: string, value: unknown, text: string): Edit[] {
  const last = parent.children?.at(-1)
  const closing = parent.offset + parent.length - 1
  const inside = text.slice(parent.offset, closing)
  const isOneLine = !/[\r\n]/.test(inside)
  const lastEnd = last === undefined ? undefined : last.offset + last.length
  const hasTrailingComma = lastEnd !== undefined && findComma(text, lastEnd) !== undefined
  const property = (indent: string): string => `${JSON.stringify(key)}: ${formatValue(value, indent, text)}`
  if (isOneLine && lastEnd !== undefined && (typeof value !== 'object' || value === null)) {
    return [{ offset: lastEnd, length: 0, content: `, ${property('')}` }]
  }
  const endOfLine = text.includes('\r\n') ? '\r\n' : '\n'
  const outer = findIndent(text, parent.offset)
  const indent = last === undefined || isOneLine ? outer + findIndentUnit(text) : findIndent(text, last.offset)
  // Behind everything that is there, comments included.
  const contentEnd = parent.offset + inside.trimEnd().length
  const edits: Edit[] = []
  if (lastEnd !== undefined && !hasTrailingComma) edits.push({ offset: lastEnd, length: 0, content: ',' })
  edits.push({
    offset: contentEnd,
    length: closing - contentEnd,
    content: `${endOfLine}${indent}${property(indent)}${hasTrailingComma ? ',' : ''}${endOfLine}${outer}`,
  })
  return edits
}

/** The offset of the comma that follows, over blanks and comments. */
function findComma(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const start = scanner.getTokenOffset()
  return text[start] === ',' ? start : undefined
}

/** The blanks at the start of the line that the offset is on. */
function findIndent(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const line = before.slice(Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

/** That of the first line that is indented at all. */
function findIndentUnit(text: string): string {
  return /[\r\n]([ \t]+)"/.exec(text)?.[1] ?? '  '
}

function formatValue(value: unknown, indent: string, text: string): string {
  const endOfLine = text.includes('\r\n') ? '\r\n' : '\n'
  return formatJson(value, { unit: findIndentUnit(text), indent }).replaceAll('\n', endOfLine)
}

function removeEmptyLine(text: string, offset: number): string {
  const before = text.slice(0, offset)
  const after = text.slice(offset)
  const [blanks = ''] = /(?<![ \t])[ \t]*$/.exec(before) ?? []
  const [rest] = /^[ \t]*(\r\n|\n|\r)/.exec(after) ?? []
  const start = before.length - blanks.length
  const isWholeLine = start === 0 || text[start - 1] === '\n' || text[start - 1] === '\r'
  return isWholeLine && rest !== undefined ? text.slice(0, start) + after.slice(rest.length) : text
}
