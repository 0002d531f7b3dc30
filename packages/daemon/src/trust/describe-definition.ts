/** A definition as a person compares it with another: its texts sentence by sentence, its schemas line by line. */
import { type DiffLine, diffLines, showHidden } from '@switchboard/base'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { isSameMeaning } from './definition.ts'

const TITLES: Readonly<Record<string, string>> = {
  title: 'title',
  description: 'description',
  inputSchema: 'input schema',
  outputSchema: 'output schema',
  annotations: 'annotations',
  arguments: 'arguments',
  text: 'text',
}
/** Of one definition that is shown; beyond it nobody reads line by line. */
const MAX_LINES = 400
/** Of one text or schema. */
const MAX_CHARACTERS = 16_000
/** The daemon has others to serve. */
const MOST_EDITS = 100

/** `accepted` undefined: there is nothing to compare with, and all of it is new. */
export function diffDefinitions(accepted: JsonObject | undefined, seen: JsonObject): readonly DiffLine[] {
  const lines =
    accepted === undefined
      ? describe(seen)
          .split('\n')
          .map((text): DiffLine => ({ kind: 'added', text }))
      : diffLines(describe(accepted), describe(seen), { mostEdits: MOST_EDITS })
  if (lines.length === 0) return [{ kind: 'gap', text: 'what differs is further on than is shown' }]
  const left = lines.length - MAX_LINES
  return left <= 0 ? lines : [...lines.slice(0, MAX_LINES), { kind: 'gap', text: `${left} more lines` }]
}

/** What differs, in the words that a person knows: "description and input schema". */
export function nameDifferences(accepted: JsonObject, seen: JsonObject): string {
  const members = Object.keys(TITLES).filter((member) => !isSameMeaning(accepted[member], seen[member]))
  const names = members.map((member) => TITLES[member] ?? member)
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function describe(content: JsonObject): string {
  return Object.keys(TITLES)
    .flatMap((member) => {
      const value = content[member]
      if (value === undefined) return []
      const lines = typeof value === 'string' ? toSentences(cut(value)) : cut(toSortedJson(value)).split('\n')
      const title = TITLES[member] ?? member
      return lines.length === 1 ? [`${title}: ${lines[0]}`] : [`${title}:`, ...lines.map((line) => `  ${line}`)]
    })
    .map(showHidden)
    .join('\n')
}

function cut(text: string): string {
  const left = text.length - MAX_CHARACTERS
  return left <= 0 ? text : `${text.slice(0, MAX_CHARACTERS)} … (${left} more characters)`
}

function toSortedJson(value: unknown): string {
  return JSON.stringify(sort(value), null, 2)
}

/** A long paragraph that differs in one sentence is shown as that. */
function toSentences(text: string): string[] {
  return text.split('\n').flatMap((line) => line.replace(/([.!?]) (?=\S)/g, '$1\n').split('\n'))
}

function sort(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sort)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sort(value[key])]),
  )
}
