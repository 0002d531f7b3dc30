/**
 * What a person or agent might ask to find an item, made of the item itself, and what is left of it to be found. Words that stand in
 * both would decide everything, so the question is taken out of the item; but for remediations, which are asked for by the
 * error that they hold.
 */
import type { StoredItem } from '@switchboard/store'
import type { EncodedSpace } from '../../encoders/encoder-config.ts'

export interface Question {
  readonly text: string
  /** What is to be found. */
  readonly rest: string
}

/** Shorter ones ask for nothing, or leave nothing to be found. */
const MIN_QUESTION = 15
const MIN_REST = 40
const MAX_QUESTION = 300

/** Undefined: it is no more than one among those that are not looked for. */
export function makeQuestion(space: EncodedSpace, { text, data }: StoredItem): Question | undefined {
  const question = split(space, text, data)
  if (question === undefined) return undefined
  const { rest } = question
  const asked = question.text.replace(/\s+/g, ' ').trim().slice(0, MAX_QUESTION)
  return asked.length < MIN_QUESTION || rest.trim().length < MIN_REST ? undefined : { text: asked, rest }
}

function split(space: EncodedSpace, text: string, data: StoredItem['data']): Question | undefined {
  if (space === 'code') return takeComment(text)
  if (space === 'remediations')
    return { text: typeof data.errorMessage === 'string' ? firstLine(data.errorMessage) : text, rest: text }
  return takeFirstSentence(text)
}

/** The first sentence, or line, whichever ends earlier. */
function takeFirstSentence(text: string): Question {
  const line = firstLine(text)
  const end = line.search(/[.!?;:](?:\s|$)/)
  const length = end < MIN_QUESTION ? line.length : end + 1
  return { text: line.slice(0, length), rest: text.slice(length) }
}

const SIGNS = ['//', '#', '--', '*', '/*']

/** What a line of a comment says; undefined: it is none. */
function readComment(line: string | undefined): string | undefined {
  const trimmed = line?.trim()
  if (trimmed === undefined || trimmed.startsWith('#!') || !SIGNS.some((sign) => trimmed.startsWith(sign)))
    return undefined
  return trimmed
    .replace(/^[/#*-]+/, '')
    .replace('*/', '')
    .trim()
}

/** What a piece of code says about itself, in the lines of its first comment. */
function takeComment(text: string): Question | undefined {
  const lines = text.split('\n')
  const first = lines.findIndex((line) => readComment(line) !== undefined)
  if (first === -1) return undefined
  let end = first
  while (readComment(lines[end]) !== undefined) end++
  const words = lines.slice(first, end).map((line) => readComment(line) ?? '')
  return { text: words.join(' '), rest: [...lines.slice(0, first), ...lines.slice(end)].join('\n') }
}

function firstLine(text: string): string {
  const trimmed = text.trimStart()
  const end = trimmed.indexOf('\n')
  return end === -1 ? trimmed : trimmed.slice(0, end)
}
