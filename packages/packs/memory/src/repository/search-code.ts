/**
 * Pieces of a project's files, the best first: what declares a name that was asked for by that name, then what the store finds.
 * Only what is returned is held against the disk: a file that has changed since is told, one that is gone is left out.
 */
import type { BigIntStats } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { readForeignBytes } from '@switchboard/base'
import { hashOf, stampOf } from '@switchboard/source'
import type { Hit, Matched, Space } from '@switchboard/store'
import type { Project } from '../projects/projects.ts'
import type { Finder } from '../search/finder.ts'
import { CHUNK_KIND, type CodePiece, fileId, folderTag, nameTag, toKnownFile, toPiece } from './code-items.ts'

export interface CodeQuery {
  readonly text: string
  readonly project: Project
  /** From the root of the project; empty: all of it. */
  readonly folder: string
  readonly limit: number
}

export interface CodeHit extends CodePiece {
  readonly why: string
  readonly matched: Matched
  readonly score: number
  /** The file is not what it was: the lines may be others now. */
  readonly isStale: boolean
}

export interface FoundCode {
  readonly hits: readonly CodeHit[]
  /** Files that would have been hits, and are gone. */
  readonly gone: readonly string[]
  readonly note: string | undefined
}

export interface CodePlaces {
  readonly code: Space
  readonly files: Space
  readonly finder: Finder
  readonly signal: AbortSignal
}

/** Who writes more words than this describes something. */
const MAX_NAME_WORDS = 4
/** To fill the places of files that are gone. */
const SPARE = 20
/** A larger file is not read to see whether it has changed: its stamp says so already. */
const MAX_COMPARED = 10_000_000
const WORD = /[\p{L}\p{N}_$#]+/gu

export async function searchCode(query: CodeQuery, places: CodePlaces): Promise<FoundCode> {
  const { text, project, folder, limit } = query
  const { code, finder, signal } = places
  const within = { scopes: [project.scope], kinds: [CHUNK_KIND], limit: limit + SPARE }
  const tags = folder === '' ? [] : [folderTag(folder)]
  const named = namesIn(text)
  const [found, ...declaring] = await Promise.all([
    finder.find(code, { ...within, text, tags, signal }),
    ...named.map((name) => code.search({ ...within, text: name, tags: [...tags, nameTag(name)] }, { signal })),
  ])
  const declared = new Map<string, string>()
  declaring.forEach(({ hits }, at) => {
    for (const { item } of hits) if (!declared.has(item.id)) declared.set(item.id, named[at] ?? '')
  })
  const first = declaring.flatMap((answer) => answer.hits).sort((a, b) => distanceOf(a) - distanceOf(b))
  const hits = new Map([...first, ...found.hits].map((hit) => [hit.item.id, hit]))
  const freshness = new Freshness(project, places.files)
  // At once for those that are returned unless a file is gone.
  await Promise.all([...hits.values()].slice(0, limit).map((hit) => freshness.of(toPiece(hit.item).path)))
  const kept: CodeHit[] = []
  const gone = new Set<string>()
  for (const hit of hits.values()) {
    if (kept.length >= limit) break
    const piece = toPiece(hit.item)
    const state = await freshness.of(piece.path)
    if (state === 'gone') gone.add(piece.path)
    else kept.push(toHit(piece, hit, { text, isStale: state === 'changed', declares: declared.get(hit.item.id) }))
  }
  return { hits: kept, gone: [...gone], note: found.note }
}

/** What does something comes before what holds a value, and that before what only describes it. */
function distanceOf({ item }: Hit): number {
  const { path, kind = '' } = toPiece(item)
  return (/\.d\.[cm]?ts$/.test(path) ? 2 : 0) + (/^(?:variable|property|field)$/.test(kind) ? 1 : 0)
}

function toHit(
  piece: CodePiece,
  { score, matched }: Hit,
  { text, isStale, declares }: { text: string; isStale: boolean; declares: string | undefined },
): CodeHit {
  return {
    ...piece,
    score,
    matched,
    isStale,
    why: declares === undefined ? whyOf(piece, text, matched) : `declares ${declares}`,
  }
}

function whyOf({ path, text, symbol = '' }: CodePiece, query: string, matched: Matched): string {
  const place = `${path} ${symbol} ${text}`.toLowerCase()
  const words = [...new Set([...query.toLowerCase().matchAll(WORD)].map(([word]) => word))]
  const present = words.filter((word) => word.length > 1 && place.includes(word)).slice(0, 5)
  if (present.length === 0) return matched === 'meaning' ? 'means the like' : 'has words like these'
  return `has ${present.join(', ')}`
}

/** Names of programs in a query: one word, or words that no sentence has. */
function namesIn(text: string): string[] {
  const words = [...new Set([...text.matchAll(WORD)].map(([word]) => word))]
  if (words.length === 1) return words
  if (words.length > MAX_NAME_WORDS) return []
  return words.filter((word) => /[_$#\d]|\p{Ll}\p{Lu}|^\p{Lu}\p{Ll}+\p{Lu}/u.test(word) || text.includes(`${word}(`))
}

class Freshness {
  readonly #project: Project
  readonly #files: Space
  readonly #known = new Map<string, Promise<'same' | 'changed' | 'gone'>>()

  constructor(project: Project, files: Space) {
    this.#project = project
    this.#files = files
  }

  of(path: string): Promise<'same' | 'changed' | 'gone'> {
    const known = this.#known.get(path) ?? this.#look(path)
    this.#known.set(path, known)
    return known
  }

  async #look(path: string): Promise<'same' | 'changed' | 'gone'> {
    const record = await this.#files.get(fileId(this.#project.scope, path))
    // Its pieces are there and its record is not yet: it is being stored at this moment.
    if (record === undefined) return 'changed'
    const { stamp, hash } = toKnownFile(record)
    const stats = await lookAt(join(this.#project.root, path))
    if (stats === undefined || !stats.isFile()) return 'gone'
    if (stampOf(stats) === stamp) return 'same'
    return (await this.#hash(path)) === hash ? 'same' : 'changed'
  }

  async #hash(path: string): Promise<string | undefined> {
    const { root } = this.#project
    try {
      return hashOf(await readForeignBytes(join(root, path), { maxBytes: MAX_COMPARED, root }))
    } catch {
      return undefined
    }
  }
}

async function lookAt(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true })
  } catch {
    return undefined
  }
}
