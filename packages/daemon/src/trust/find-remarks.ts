/**
 * What only shows when servers are looked at side by side: a tool that is named like another server's, and one whose text
 * speaks of another server's tools. There are good reasons for both, so it is told and nothing is held back.
 *
 * Each text is taken apart once, into the words that could be names: the time is linear in the texts.
 */
import type { OfferedDefinition } from './definition.ts'
import { collectTexts } from './definition-texts.ts'
import { toSkeleton } from './plain-letters.ts'

export interface Remark {
  /** The same remark on the same definitions has the same one. */
  readonly id: string
  /** Whose definition it is about. */
  readonly server: string
  /** As the server calls it; empty: of the server itself. */
  readonly name: string
  readonly text: string
}

export interface SeenServer {
  readonly server: string
  readonly definitions: readonly SeenDefinition[]
}

export interface SeenDefinition extends OfferedDefinition {
  readonly hash: string
}

interface Named {
  readonly server: string
  readonly name: string
  readonly hash: string
}

/** Of one server; more say no more. */
const MOST_REMARKS = 20
const MOST_NAMED = 3

/** In the order in which they were first seen. */
export function findRemarks(servers: readonly SeenServer[]): Remark[] {
  const tools = servers.map(({ server, definitions }) => ({
    server,
    named: definitions.flatMap(({ kind, name, hash }) => (kind === 'tool' ? [{ server, name, hash }] : [])),
  }))
  const bySkeleton = Map.groupBy(
    tools.flatMap(({ named }) => named),
    ({ name }) => toSkeleton(name),
  )
  const byName = Map.groupBy(
    tools
      .flatMap(({ named }) => named)
      .flatMap((tool) =>
        [tool.name, `${tool.server}_${tool.name}`].filter(isDistinctive).map((word) => ({ ...tool, word })),
      ),
    ({ word }) => word.toLowerCase(),
  )
  const sets = new Map(tools.map(({ server, named }) => [server, setOf(named)]))
  return servers.flatMap(({ server, definitions }, at) => {
    const isEarlier = (other: string): boolean => servers.findIndex((one) => one.server === other) < at
    const isOther = (other: Named): boolean => other.server !== server && sets.get(other.server) !== sets.get(server)
    const findAlike = (name: string): Named[] => bySkeleton.get(toSkeleton(name))?.filter(isOther) ?? []
    return [
      ...remarkLookAlikes(server, definitions, findAlike, isEarlier),
      ...definitions
        .slice(0, MOST_LOOKED_AT)
        .flatMap((definition) => remarkReferences(server, definition, byName, isOther)),
    ].slice(0, MOST_REMARKS)
  })
}

/** Of two servers it is the one that came later. What is spelled differently and looks the same is told of each tool. */
function remarkLookAlikes(
  server: string,
  definitions: readonly SeenDefinition[],
  findAlike: (name: string) => readonly Named[],
  isEarlier: (server: string) => boolean,
): Remark[] {
  const same = new Map<string, string[]>()
  const remarks: Remark[] = []
  for (const { kind, name, hash } of definitions) {
    if (kind !== 'tool') continue
    const others = findAlike(name).filter((other) => other.hash !== hash && isEarlier(other.server))
    const like = others.find((other) => other.name !== name)
    if (like !== undefined) {
      const text = `it looks like ${like.name} of ${like.server}`
      remarks.push({ id: `look_alike:${name}:${like.server}`, server, name, text })
    }
    for (const other of others) {
      if (other.name === name) same.set(other.server, [...(same.get(other.server) ?? []), name])
    }
  }
  for (const [other, names] of same) {
    const text = `${listNames(names)} ${names.length === 1 ? 'is a tool' : 'are tools'} of ${other} too`
    remarks.push({ id: `same_name:${other}:${names.join()}`, server, name: '', text })
  }
  return remarks
}

function remarkReferences(
  server: string,
  definition: SeenDefinition,
  byName: ReadonlyMap<string, readonly Named[]>,
  isOther: (named: Named) => boolean,
): Remark[] {
  const others = new Map<string, Named>()
  for (const word of listWords(definition)) {
    const named = byName.get(word) ?? []
    // What the server has itself is what it means.
    if (named.some((other) => other.server === server)) continue
    const other = named.find(isOther)
    if (other !== undefined) others.set(word, other)
  }
  if (others.size === 0) return []
  const list = listNames([...others.values()].map((other) => `${other.name} of ${other.server}`).sort())
  const { kind, name } = definition
  const subject = kind === 'instructions' ? 'what it says of itself' : 'its text'
  return [{ id: `reference:${kind}:${name}:${list}`, server, name, text: `${subject} speaks of ${list}` }]
}

/** Two entries that run one program have the same tools, and each speaks of its own. */
function setOf(named: readonly Named[]): string {
  return named
    .map(({ name }) => name)
    .sort()
    .join('\n')
}

function listNames(names: readonly string[]): string {
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : ''
  return `${names.slice(0, MOST_NAMED).join(', ')}${more}`
}

/** `search` is a word of every text; `create_issue` is a name. */
function isDistinctive(name: string): boolean {
  return name.length >= 6 && (/[_.-]/.test(name) || /[a-z][A-Z]/.test(name))
}

const words = new WeakMap<object, ReadonlySet<string>>()

function listWords({ name, content }: SeenDefinition): ReadonlySet<string> {
  const known = words.get(content)
  if (known !== undefined) return known
  const found = new Set<string>()
  for (const word of collectTexts(name, content)
    .slice(0, MAX_CHARACTERS)
    .split(/[^\w.-]+/)) {
    const trimmed = word.replace(/(?<![.-])[.-]+$/, '')
    if (trimmed.length <= MAX_NAME && isDistinctive(trimmed)) found.add(trimmed.toLowerCase())
  }
  words.set(content, found)
  return found
}

const MAX_NAME = 128
/** Of one definition; a longer one is held back for that. */
const MAX_CHARACTERS = 64 * 1024
/** Of one server. */
const MOST_LOOKED_AT = 1_000
