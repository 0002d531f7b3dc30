/**
 * Adapters print what a logpoint says among the program's output, each in a way of its own. A mark at the beginning of
 * the message tells whose it is, and lets us take it out again with all the decoration.
 */
import type { OutputCategory } from '../session/debug-session.ts'

const MARK = /\[\[bp:([^\]\s]{1,64})\]\]/

export function markLogMessage(id: string, message: string): string {
  return `[[bp:${encodeURIComponent(id)}]]${message}`
}

export interface OutputPart {
  readonly category: OutputCategory
  readonly text: string
  readonly breakpointId?: string
}

/** Cuts output into what the program said and what logpoints said. Quick when there is no mark. */
export function splitMarkedOutput(category: OutputCategory, text: string): OutputPart[] {
  if (!text.includes('[[bp:')) return [{ category, text }]
  const parts: OutputPart[] = []
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const mark = MARK.exec(line)
    if (mark === null) parts.push({ category, text: line })
    else {
      const message = line.slice(mark.index + mark[0].length)
      parts.push({
        category: 'console',
        text: message.endsWith('\n') ? message : `${message}\n`,
        breakpointId: decode(mark[1] ?? ''),
      })
    }
  }
  return parts
}

/** A program may print something that looks like a mark. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The pieces of a log message: text, and the expressions in braces. A backslash takes a brace literally. */
export function parseLogMessage(message: string): readonly (string | { readonly expression: string })[] {
  const pieces: (string | { expression: string })[] = []
  let text = ''
  for (let index = 0; index < message.length; index++) {
    const character = message.charAt(index)
    const next = message.charAt(index + 1)
    if (character === '\\' && (next === '{' || next === '}')) {
      text += next
      index++
      continue
    }
    const end = character === '{' ? findClosingBrace(message, index) : -1
    if (end === -1) {
      text += character
      continue
    }
    if (text !== '') pieces.push(text)
    text = ''
    pieces.push({ expression: message.slice(index + 1, end).trim() })
    index = end
  }
  if (text !== '') pieces.push(text)
  return pieces
}

function findClosingBrace(message: string, start: number): number {
  let depth = 0
  for (let index = start; index < message.length; index++) {
    if (message.charAt(index) === '{') depth++
    else if (message.charAt(index) === '}' && --depth === 0) return index
  }
  return -1
}
