/** A playset as the search for conflicts sees it, read from the tables of the index. */
import { join } from 'node:path'
import { readPart, withForeignFile } from '@switchboard/base'
import type { Layer } from '@switchboard/paradox'
import type {
  DiagnosticsIndex,
  PlaysetDefinition,
  PlaysetFile,
  PlaysetKey,
  PlaysetReference,
} from '@switchboard/paradox/conflicts'
import type { TablesDatabase } from '@switchboard/store/tables'
import { queryWords } from '../../extract/words.ts'
import type { Scope } from '../../scope.ts'

const MAX_FILE = 50_000_000
/** Bytes of files that are kept: one with many keys is asked for each of them. */
const MAX_KEPT = 32_000_000

interface Row {
  readonly [column: string]: unknown
}

export class SqlPlaysetIndex implements DiagnosticsIndex {
  readonly layers: readonly Layer[]
  readonly #database: TablesDatabase
  /** What was read last, the oldest first. */
  readonly #kept = new Map<string, Uint8Array | undefined>()
  #keptBytes = 0

  /** The files of its layers are a temporary table, made once. */
  constructor(database: TablesDatabase, layers: readonly Layer[], parts: Scope) {
    this.layers = layers
    this.#database = database
    database.handle.exec(
      `DROP TABLE IF EXISTS temp.layer_files;
       CREATE TEMP TABLE layer_files (layer INTEGER, path TEXT, content INTEGER, PRIMARY KEY (path, layer)) WITHOUT ROWID`,
    )
    parts.forEach(({ root, folder }, layer) => {
      const prefix = folder === '' ? '' : `${folder}/`
      const range = folder === '' ? '' : ' AND path >= ? AND path < ?'
      database.handle
        .prepare(
          `INSERT INTO layer_files SELECT ?, substr(path, length(?) + 1), content FROM kept_files WHERE root = ?${range}`,
        )
        .get(layer, prefix, root, ...(folder === '' ? [] : [prefix, `${folder}0`]))
    })
    database.handle.exec('CREATE INDEX temp.layer_contents ON layer_files (content)')
  }

  *contestedPaths(): Iterable<string> {
    const rows = this.#database.handle.prepare('SELECT path FROM layer_files GROUP BY path HAVING count(*) > 1').all()
    for (const { path } of rows) yield String(path)
    const folders = new Set(this.layers.flatMap(({ replacePaths }) => replacePaths))
    for (const folder of folders) {
      const inside = this.#database
        .statement(
          "SELECT DISTINCT path FROM layer_files WHERE path >= ?1 AND path < ?2 AND instr(substr(path, length(?1) + 1), '/') = 0",
        )
        .all(`${folder}/`, `${folder}0`)
      for (const { path } of inside) yield String(path)
    }
  }

  *contestedKeys(): Iterable<PlaysetKey> {
    const rows = this.#database.handle
      .prepare(
        `SELECT n.text AS name, k.text AS kind FROM (
           SELECT s.name, s.kind FROM layer_files l CROSS JOIN kept_symbols s ON s.content = l.content
           GROUP BY s.name, s.kind HAVING count(*) > 1) d
         JOIN kept_names n ON n.id = d.name JOIN kept_names k ON k.id = d.kind`,
      )
      .iterate()
    for (const { name, kind } of rows) yield { name: String(name), kind: String(kind) }
  }

  *keys(): Iterable<PlaysetKey> {
    const rows = this.#database.handle
      .prepare(
        `SELECT DISTINCT n.text AS name, k.text AS kind FROM layer_files l CROSS JOIN kept_symbols s ON s.content = l.content
         JOIN kept_names n ON n.id = s.name JOIN kept_names k ON k.id = s.kind`,
      )
      .iterate()
    for (const { name, kind } of rows) yield { name: String(name), kind: String(kind) }
  }

  *references(): Iterable<PlaysetReference> {
    const rows = this.#database.handle
      .prepare(
        `SELECT l.layer, l.path, r.line, n.text AS name, k.text AS kinds FROM layer_files l
         CROSS JOIN kept_refs r ON r.content = l.content JOIN kept_names n ON n.id = r.name LEFT JOIN kept_names k ON k.id = r.kinds`,
      )
      .iterate()
    for (const row of rows) yield toReference(row)
  }

  layersAt(path: string): readonly number[] {
    return this.#database
      .statement('SELECT layer FROM layer_files WHERE path = ? ORDER BY layer')
      .all(path)
      .map(({ layer }) => Number(layer))
  }

  symbolsOf({ layer, path }: PlaysetFile): readonly PlaysetDefinition[] {
    return this.#database
      .statement(
        `SELECT l.layer, l.path, s.content, s.start, s."end", s.line, s.parent, s.detail, n.text AS name, k.text AS kind FROM layer_files l
         CROSS JOIN kept_symbols s ON s.content = l.content JOIN kept_names n ON n.id = s.name JOIN kept_names k ON k.id = s.kind
         WHERE l.path = ? AND l.layer = ? ORDER BY s.ordinal`,
      )
      .all(path, layer)
      .map((row) => this.#toDefinition(row))
  }

  definitionsOf({ kind, name }: PlaysetKey): readonly PlaysetDefinition[] {
    const [nameId, kindId] = [name, kind].map((text) =>
      Number(this.#database.statement('SELECT id FROM kept_names WHERE text = ?').get(text)?.id ?? -1),
    )
    return this.#database
      .statement(
        `SELECT l.layer, l.path, s.content, s.start, s."end", s.line, s.parent, s.detail, ? AS name, ? AS kind FROM kept_symbols s
         CROSS JOIN layer_files l ON l.content = s.content WHERE s.name = ? AND s.kind = ? ORDER BY l.layer, l.path, s.ordinal`,
      )
      .all(name, kind, nameId ?? -1, kindId ?? -1)
      .map((row) => this.#toDefinition(row))
  }

  referencesTo(name: string): readonly PlaysetReference[] {
    return this.#database
      .statement(
        `SELECT l.layer, l.path, r.line, n.text AS name, k.text AS kinds FROM kept_names n CROSS JOIN kept_refs r ON r.name = n.id
         CROSS JOIN layer_files l ON l.content = r.content LEFT JOIN kept_names k ON k.id = r.kinds WHERE n.text = ?`,
      )
      .all(name)
      .map(toReference)
  }

  readBytes(file: PlaysetFile): Uint8Array | undefined {
    const key = `${file.layer} ${file.path}`
    const bytes = this.#kept.has(key) ? this.#kept.get(key) : readLayerFile(this.layers, file)
    if (!this.#kept.delete(key)) this.#keptBytes += bytes?.length ?? 0
    this.#kept.set(key, bytes)
    for (const [oldest, text] of this.#kept) {
      if (this.#keptBytes <= MAX_KEPT || oldest === key) break
      this.#kept.delete(oldest)
      this.#keptBytes -= text?.length ?? 0
    }
    return bytes
  }

  /** Outside of the texts themselves. One with dots in it is looked for by its parts, which finds too much rather than too little. */
  isMentioned(word: string): boolean {
    const words = queryWords(word)
    if (words.length === 0) return true
    const row = this.#database
      .statement(
        `SELECT 1 AS found FROM kept_words w CROSS JOIN layer_files l ON l.content = w.rowid CROSS JOIN kept_contents c ON c.id = l.content
         WHERE kept_words MATCH ? AND c.language <> 'paradox-localization' LIMIT 1`,
      )
      .get(words.map((part) => `"${part}"`).join(' AND '))
    return row !== undefined
  }

  #toDefinition(row: Row): PlaysetDefinition {
    const outermost = row.parent === null ? undefined : this.#outermost(Number(row.content), Number(row.parent))
    return {
      layer: Number(row.layer),
      path: String(row.path),
      kind: String(row.kind),
      name: String(row.name),
      start: Number(row.start),
      end: Number(row.end),
      line: Number(row.line),
      ...(outermost === undefined ? {} : { outermost }),
      ...(row.detail === null ? {} : { detail: String(row.detail) }),
    }
  }

  #outermost(content: number, ordinal: number): string | undefined {
    const row = this.#database
      .statement(
        'SELECT s.parent, n.text FROM kept_symbols s JOIN kept_names n ON n.id = s.name WHERE s.content = ? AND s.ordinal = ?',
      )
      .get(content, ordinal)
    if (row === undefined) return undefined
    return row.parent === null ? String(row.text) : this.#outermost(content, Number(row.parent))
  }
}

/** Undefined: it is not there, or cannot be read. */
export function readLayerFile(layers: readonly Layer[], { layer, path }: PlaysetFile): Uint8Array | undefined {
  const root = layers[layer]?.path
  if (root === undefined) return undefined
  try {
    const limits = { maxBytes: MAX_FILE, root }
    return withForeignFile(join(root, path), limits, ({ fd, size }) => readPart(fd, 0, size))
  } catch {
    return undefined
  }
}

function toReference(row: Row): PlaysetReference {
  return {
    layer: Number(row.layer),
    path: String(row.path),
    name: String(row.name),
    kinds: row.kinds === null ? [] : String(row.kinds).split(' '),
    line: Number(row.line),
  }
}
