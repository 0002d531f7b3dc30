/**
 * The tables of a space, and how older ones become today's. A version is never changed once it was released: what comes later is
 * another entry. Every one is tried on a database of each version before it.
 */
import { ThreadFailure } from '../../thread/failure.ts'
import type { Database } from './database.ts'
import { indexAll } from './index-text.ts'

interface Version {
  /** Every `$` is the name of the space. */
  readonly sql: string
  /** The search index is empty after it, and is made anew from the items. */
  readonly isTextNew?: boolean
}

const VERSIONS: readonly Version[] = [
  {
    sql: `CREATE TABLE $_items (
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
  },
  {
    // Contentless: the terms are made from the text again where they are needed, which is faster than to read them, and half
    // the file. AUTOINCREMENT: a number that was seen once never means anything else.
    sql: `DROP TABLE $_terms;
     DROP TABLE $_text;
     CREATE VIRTUAL TABLE $_text USING fts5 (scope, kind, tags, terms, content = '', contentless_delete = 1,
       tokenize = "unicode61 remove_diacritics 0 tokenchars '_'");
     INSERT INTO $_text ($_text, rank) VALUES ('rank', 'bm25(0.0, 0.0, 0.0, 1.0)');
     CREATE VIRTUAL TABLE $_terms USING fts5vocab ($_text, 'row');
     CREATE TABLE $_models (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL) STRICT;
     CREATE TABLE $_vectors (
       number INTEGER PRIMARY KEY AUTOINCREMENT,
       item INTEGER NOT NULL,
       model INTEGER NOT NULL,
       scale REAL NOT NULL,
       bytes BLOB NOT NULL,
       UNIQUE (item, model)
     ) STRICT;
     CREATE TABLE $_gone (number INTEGER PRIMARY KEY AUTOINCREMENT, item INTEGER NOT NULL) STRICT;`,
    isTextNew: true,
  },
  {
    // Twice as many pieces of the index stand side by side before they become one: a tenth less work for every row.
    sql: "INSERT INTO $_text ($_text, rank) VALUES ('automerge', 8);",
  },
  {
    // Bytes that the index gathers before it puts them away: a batch of a thousand rows makes one piece, not three or four.
    sql: "INSERT INTO $_text ($_text, rank) VALUES ('hashsize', 8388608);",
  },
  {
    // Twice as many once more. The second number is when all of them become one within a single write, whoever waits for it.
    sql: `INSERT INTO $_text ($_text, rank) VALUES ('automerge', 16);
     INSERT INTO $_text ($_text, rank) VALUES ('crisismerge', 64);`,
  },
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
  const missing = VERSIONS.slice(version)
  for (const { sql } of missing) handle.exec(sql.replaceAll('$', space))
  if (version > 0 && missing.some(({ isTextNew }) => isTextNew)) indexAll(database, space)
  const upsert =
    'INSERT INTO switchboard_spaces (name, version) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET version = excluded.version'
  database.execute(upsert, space, SCHEMA_VERSION)
}

/** Each with how many items it holds. */
export function spacesOf(database: Database): Map<string, number> {
  const exists = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'switchboard_spaces'"
  if (database.handle.prepare(exists).get() === undefined) return new Map()
  const rows = database.handle.prepare('SELECT name, items FROM switchboard_spaces ORDER BY name').all()
  return new Map(rows.map((row) => [String(row.name), Number(row.items)]))
}
