/**
 * What error.log and game.log say, counted and put in order: first the causes, with what they brought about below them. An error
 * follows from a cause if it names the same file, or something that only that file defines.
 */
import { categoryOf } from './log-categories.ts'
import { type GameLogEntry, type LogPlace, parseGameLog } from './log-entries.ts'

export interface GameLogOptions {
  /** The name of the mod whose file the game sees at a path; undefined: not known. */
  readonly modOf?: (path: string) => string | undefined
  /** The names that a file defines, for errors that name what a broken file should have defined. */
  readonly namesOf?: (path: string) => readonly string[]
}

export interface LogGroup {
  readonly category: string
  readonly priority: number
  /** The first of them, whole. */
  readonly message: string
  readonly source: string
  readonly count: number
  /** Of the first one, in the log. */
  readonly line: number
  readonly places: readonly LogPlace[]
  readonly mod?: string
  /** The index in `groups` of what it probably follows from. */
  readonly cause?: number
  /** How many messages follow from this one. */
  readonly cascade: number
}

export interface GameLogAnalysis {
  readonly entries: number
  readonly categories: readonly { readonly category: string; readonly priority: number; readonly count: number }[]
  readonly mods: readonly { readonly mod: string; readonly count: number }[]
  /** Causes first, by what they bring about; then by priority and number. */
  readonly groups: readonly LogGroup[]
}

interface Draft extends Omit<LogGroup, 'cascade' | 'cause' | 'count' | 'places'> {
  count: number
  cascade: number
  causedBy: Draft | undefined
  readonly isCause: boolean
  readonly places: LogPlace[]
}

const MAX_PLACES = 5

export function analyzeGameLog(text: string, options: GameLogOptions = {}): GameLogAnalysis {
  const entries = parseGameLog(text).filter(({ level }) => level === 'E' || level === 'W' || level === 'I')
  const drafts = groupEntries(entries, options)
  linkCascades(drafts, options)
  const ordered = [...drafts].sort(
    (a, b) =>
      Number(a.causedBy !== undefined) - Number(b.causedBy !== undefined) ||
      b.cascade - a.cascade ||
      a.priority - b.priority ||
      b.count - a.count,
  )
  return {
    entries: entries.length,
    categories: countBy(drafts, ({ category }) => category).map(({ key, count, first }) => ({
      category: key,
      priority: first.priority,
      count,
    })),
    mods: countBy(drafts, ({ mod }) => mod ?? '').flatMap(({ key, count }) =>
      key === '' ? [] : [{ mod: key, count }],
    ),
    groups: ordered.map(({ causedBy, isCause: _, ...group }) => ({
      ...group,
      ...(causedBy !== undefined && { cause: ordered.indexOf(causedBy) }),
    })),
  }
}

/** One group for messages that differ in numbers only and speak of the same file. */
function groupEntries(entries: readonly GameLogEntry[], { modOf }: GameLogOptions): Draft[] {
  const drafts = new Map<string, Draft>()
  for (const { source, message, places, line } of entries) {
    const path = places[0]?.path ?? ''
    const key = `${source}\n${path}\n${message.replace(/\d+/g, '#')}`
    const known = drafts.get(key)
    if (known !== undefined) {
      known.count++
      if (known.places.length < MAX_PLACES) known.places.push(...places.slice(0, MAX_PLACES - known.places.length))
      continue
    }
    const { name, priority, isCause = false } = categoryOf(message)
    const mod = path === '' ? undefined : modOf?.(path)
    drafts.set(key, {
      category: name,
      priority,
      message,
      source,
      count: 1,
      line,
      places: places.slice(0, MAX_PLACES),
      ...(mod !== undefined && { mod }),
      cascade: 0,
      causedBy: undefined,
      isCause,
    })
  }
  return [...drafts.values()]
}

function linkCascades(drafts: readonly Draft[], { namesOf }: GameLogOptions): void {
  const byPath = new Map<string, Draft>()
  const byName = new Map<string, Draft>()
  for (const draft of drafts) {
    const path = draft.places[0]?.path
    if (!draft.isCause || path === undefined || byPath.has(path)) continue
    byPath.set(path, draft)
    for (const name of namesOf?.(path) ?? []) byName.set(name, draft)
  }
  for (const draft of drafts) {
    if (draft.isCause) continue
    const named = draft.category === 'missing_reference' ? wordsOf(draft.message).map((word) => byName.get(word)) : []
    const cause = byPath.get(draft.places[0]?.path ?? '') ?? named.find((one) => one !== undefined)
    if (cause === undefined) continue
    draft.causedBy = cause
    cause.cascade += draft.count
  }
}

function wordsOf(message: string): string[] {
  return message.match(/[\w.-]{3,}/g) ?? []
}

function countBy(
  drafts: readonly Draft[],
  keyOf: (draft: Draft) => string,
): { key: string; count: number; first: Draft }[] {
  const counts = new Map<string, { key: string; count: number; first: Draft }>()
  for (const draft of drafts) {
    const key = keyOf(draft)
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { key, count: draft.count, first: draft })
    else known.count += draft.count
  }
  return [...counts.values()].sort((a, b) => b.count - a.count)
}
