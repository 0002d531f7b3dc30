/** A checkpoint as it is kept, and as it is shown. */
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { StoredItem } from '@switchboard/store'
import { toLine } from '../answers/format-hits.ts'

export const CHECKPOINT = 'checkpoint'

/** What Switchboard added by itself. */
export interface KnownFacts {
  readonly branch?: string
  readonly commit?: string
  readonly changed?: readonly string[]
  readonly moreChanged?: number
  readonly mode?: string
  /** Of other packs: a program that stood at a breakpoint. */
  readonly standing?: readonly string[]
}

export interface Checkpoint {
  readonly id: string
  readonly summary: string
  readonly description: string
  readonly context: Readonly<Record<string, string>>
  readonly facts: KnownFacts
  readonly root: string
  readonly tags: readonly string[]
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
}

export function readCheckpoint({ id, data, tags, createdAt, updatedAt }: StoredItem): Checkpoint {
  const { summary, description, context, facts, root } = data
  return {
    id,
    summary: readText(summary),
    description: readText(description),
    context: isJsonObject(context) ? readTexts(context) : {},
    // Written by us, as it is declared above.
    facts: (isJsonObject(facts) ? facts : {}) as KnownFacts,
    root: readText(root),
    tags,
    createdAt,
    updatedAt,
  }
}

/** By what it is found. */
export function textOfCheckpoint({
  summary,
  description,
  context,
  facts,
}: Pick<Checkpoint, 'summary' | 'description' | 'context' | 'facts'>): string {
  const pairs = Object.entries(context).map(([name, value]) => `${name}: ${value}`)
  return [summary, description, ...pairs, facts.branch ?? ''].filter((part) => part !== '').join('\n')
}

/** `on main at 1a2b3c4, 2 changed files: a.ts, b.ts`; undefined: nothing is known. */
export function describeFacts(
  { branch, commit, changed = [], moreChanged = 0, mode, standing = [] }: KnownFacts,
  limit: number,
): string | undefined {
  const place = [
    ...(branch === undefined ? [] : [`on ${branch}`]),
    ...(commit === undefined ? [] : [`at ${commit.slice(0, 9)}`]),
  ].join(' ')
  const count = changed.length + moreChanged
  const files =
    count === 0 ? [] : [`${count} changed ${count === 1 ? 'file' : 'files'}: ${listNames(changed, count, limit)}`]
  const parts = [place, ...files, ...(mode === undefined ? [] : [`mode ${mode}`]), ...standing].filter(
    (part) => part !== '',
  )
  return parts.length === 0 ? undefined : parts.join('; ')
}

/** As many names as there is room for, and how many are left. */
function listNames(names: readonly string[], count: number, limit: number): string {
  const shown: string[] = []
  let length = 0
  for (const name of names) {
    if (length + name.length > limit) break
    shown.push(toLine(name, 200))
    length += name.length + 2
  }
  const rest = count - shown.length
  return rest === 0 ? shown.join(', ') : [...shown, `and ${rest} more`].join(', ')
}

function readTexts(value: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, readText(text)]))
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
