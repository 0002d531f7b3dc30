/**
 * The tables of a space, and how older ones become today's. A version is never changed once it was released: what comes later is
 * another entry. Every one is tried on a database of each version before it.
 */
import type { Database } from './database.ts'
import { ThreadFailure } from './failure.ts'

/** Every `$` is the name of the space. */
const VERSIONS: readonly string[] = [
  `CREATE TABLE $_items (
     number INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     kind TEXT NOT NULL,
     scope TEXT NOT NULL,
     text TEXT NOT NULL,
     tags TEXT NOT NULL,
     data TEXT NOT NULL,
     length INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     updated_at INTEGER NOT NULL,
     revision INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX $_created ON $_items (scope, kind, created_at);
   CREATE INDEX $_updated ON $_items (scope, kind, updated_at);
   CREATE VIRTUAL TABLE $_text USING fts5 (scope, kind, tags, terms, tokenize = "unicode61 remove_diacritics 0 tokenchars '_'");
   INSERT INTO $_text ($_text, rank) VALUES ('rank', 'bm25(0.0, 0.0, 0.0, 1.0)');
   CREATE VIRTUAL TABLE $_terms USING fts5vocab ($_text, 'row');`,
]

/** `items` and `terms` are counted along: to count them for every search would read the whole table. */
const SPACES = `CREATE TABLE IF NOT EXISTS switchboard_spaces (
  name TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  items INTEGER NOT NULL DEFAULT 0,
  terms INTEGER NOT NULL DEFAULT 0
) STRICT`

const SCHEMA_VERSION = VERSIONS.length

/** Call it inside of a transaction. */
export function migrate(database: Database, space: string): void {
  const { handle } = database
  handle.exec(SPACES)
  const row = database.statement('SELECT version FROM switchboard_spaces WHERE name = ?').get(space)
  const version = Number(row?.version ?? 0)
  if (version > SCHEMA_VERSION) {
    throw new ThreadFailure(
      'newer',
      `Its "${space}" is of version ${version}, and this Switchboard knows ${SCHEMA_VERSION}`,
    )
  }
  if (version === SCHEMA_VERSION) return
  for (const sql of VERSIONS.slice(version)) handle.exec(sql.replaceAll('$', space))
  const upsert =
    'INSERT INTO switchboard_spaces (name, version) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET version = excluded.version'
  database.statement(upsert).run(space, SCHEMA_VERSION)
}

/** Each with how many items it holds. */
export function spacesOf(database: Database): Map<string, number> {
  const exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'switchboard_spaces'"
  if (database.handle.prepare(exists).get() === undefined) return new Map()
  const rows = database.handle.prepare('SELECT name, items FROM switchboard_spaces ORDER BY name').all()
  return new Map(rows.map((row) => [String(row.name), Number(row.items)]))
}
