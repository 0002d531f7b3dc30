/**
 * How a repository lies in the store. What is found are pieces of files, in the space `code`; in `files` is what is known of
 * each file, and of each folder that was indexed. A file's record is written after its pieces and removed after them: whatever
 * happens between, the next run sees that the file has to be read again.
 */
import { createHash } from 'node:crypto'
import { CHUNKER_VERSION, type KnownFile, type ScannedFile } from '@switchboard/source'
import type { Item, StoredItem } from '@switchboard/store'

export const CHUNK_KIND = 'chunk'
export const FILE_KIND = 'file'
export const INDEX_KIND = 'index'

/** Of the folders that a piece is in, so many are named: deeper ones are found by the first of them. */
const MAX_FOLDERS = 30
/** Of the names that are declared in one piece. */
const MAX_NAMES = 60

export interface CodePiece {
  /** From the root of the project, with `/`. */
  readonly path: string
  readonly first: number
  readonly last: number
  readonly symbol: string | undefined
  readonly kind: string | undefined
  readonly text: string
}

export interface IndexRecord {
  /** From the root of the project; empty: all of it. */
  readonly folder: string
  readonly state: 'building' | 'complete' | 'stopped'
  readonly files: number
  /** Milliseconds since 1970, when it was last complete or stopped; undefined: not yet. */
  readonly finishedAt: number | undefined
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

export const fileId = (scope: string, path: string): string => `${scope}:${digest(path)}`
export const chunkIds = (scope: string, path: string, count: number, from = 0): string[] => {
  const file = fileId(scope, path)
  return Array.from({ length: count }, (_, at) => `${file}:${from + at}`)
}
const indexId = (scope: string, folder: string): string => `${scope}:index:${digest(folder)}`

/** What restricts a search to a folder, or to pieces that declare a name. */
export const folderTag = (folder: string): string => `in:${folder}`
export const nameTag = (name: string): string => `name:${name.toLowerCase()}`

export function toChunkItems(scope: string, path: string, file: ScannedFile, now: number): Item[] {
  const folders = foldersOf(path).map(folderTag)
  const ids = chunkIds(scope, path, file.chunks?.length ?? 0)
  return (file.chunks ?? []).map((chunk, number) => ({
    id: ids[number] ?? '',
    kind: CHUNK_KIND,
    scope,
    // The first line is for the search alone: where it is, and what it is called.
    text: `${oneLine(path)} ${oneLine(chunk.symbol ?? '')}\n${chunk.text}`,
    tags: [...folders, ...chunk.names.slice(0, MAX_NAMES).map(nameTag)],
    data: {
      path,
      first: chunk.first,
      last: chunk.last,
      ...(chunk.symbol === undefined ? {} : { symbol: chunk.symbol }),
      ...(chunk.kind === undefined ? {} : { kind: chunk.kind }),
    },
    createdAt: now,
    updatedAt: now,
  }))
}

export function toPiece({ text, data }: StoredItem): CodePiece {
  return {
    path: String(data.path),
    first: Number(data.first),
    last: Number(data.last),
    symbol: typeof data.symbol === 'string' ? data.symbol : undefined,
    kind: typeof data.kind === 'string' ? data.kind : undefined,
    text: text.slice(text.indexOf('\n') + 1),
  }
}

export function toFileItem(scope: string, path: string, file: ScannedFile, now: number): Item {
  const { size, stamp, hash, readAt, chunks, chunksBefore } = file
  return {
    id: fileId(scope, path),
    kind: FILE_KIND,
    scope,
    text: '',
    tags: [],
    data: { path, size, stamp, hash, readAt, chunks: chunks?.length ?? chunksBefore, version: CHUNKER_VERSION },
    createdAt: now,
    updatedAt: now,
  }
}

export function toKnownFile({ data }: StoredItem): KnownFile {
  return {
    path: String(data.path),
    stamp: String(data.stamp),
    hash: String(data.hash),
    chunks: Number(data.chunks),
    readAt: Number(data.readAt),
    version: Number(data.version),
  }
}

export function toIndexItem(scope: string, { folder, state, files, finishedAt }: IndexRecord, now: number): Item {
  return {
    id: indexId(scope, folder),
    kind: INDEX_KIND,
    scope,
    text: '',
    tags: [],
    data: { folder, state, files, ...(finishedAt === undefined ? {} : { finishedAt }) },
    createdAt: now,
    updatedAt: now,
  }
}

export function toIndexRecord({ data }: StoredItem): IndexRecord {
  const { state } = data
  return {
    folder: String(data.folder),
    state: state === 'complete' || state === 'stopped' ? state : 'building',
    files: Number(data.files),
    finishedAt: typeof data.finishedAt === 'number' ? data.finishedAt : undefined,
  }
}

/** `a/b/c.ts` → `a`, `a/b`. */
function foldersOf(path: string): string[] {
  const names = path.split('/').slice(0, -1)
  return names.slice(0, MAX_FOLDERS).map((_name, at) => names.slice(0, at + 1).join('/'))
}

/** A name may hold a line break, and the first line is one line. */
const oneLine = (text: string): string => text.replaceAll('\n', ' ')
