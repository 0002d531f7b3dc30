/** A definition in one short line: what stands before its body. */
import type { Node } from 'web-tree-sitter'

const MAX_DETAIL = 160
/** No head is longer; what follows is cut off before it is looked at. */
const MAX_HEAD = 1_000

export function describeDefinition(text: string, whole: Node): string {
  const body = whole.childForFieldName('body')
  const end = Math.min(body?.startIndex ?? whole.endIndex, whole.startIndex + MAX_HEAD)
  return describeText(text.slice(whole.startIndex, end))
}

export function describeText(head: string): string {
  const words = head.slice(0, MAX_HEAD).split(/\s+/)
  while (words.length > 1 && OPENERS.has(words.at(-1) ?? '')) words.pop()
  const line = words.join(' ')
  const told = line.endsWith(':') || line.endsWith('{') ? line.slice(0, -1) : line
  return told.length <= MAX_DETAIL ? told : `${told.slice(0, MAX_DETAIL - 1)}…`
}

/** What opens a body and is no part of the head. */
const OPENERS = new Set(['', '{', ':', '='])
