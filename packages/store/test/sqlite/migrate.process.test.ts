/** A database of every older version becomes today's, with everything in it. The SQL is what was released then, word by word. */
import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../src/index.ts'

const SPACES = `CREATE TABLE switchboard_spaces (
  name TEXT PRIMARY KEY,
  version INTEGER NOT NULL,
  items INTEGER NOT NULL DEFAULT 0,
  terms INTEGER NOT NULL DEFAULT 0
) STRICT`

const ITEMS = `CREATE TABLE notes_items (
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
  CREATE INDEX notes_created ON notes_items (scope, kind, created_at);
  CREATE INDEX notes_updated ON notes_items (scope, kind, updated_at);`

/** As versions since the second write a scope, a kind or a tag into the index. */
function wordOf(letter: string, text: string): string {
  return `${letter}${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
}

/** What the second and the third version share: two notes, in an index that keeps no texts. */
const SECOND = `${SPACES};
  ${ITEMS}
  CREATE VIRTUAL TABLE notes_text USING fts5 (scope, kind, tags, terms, content = '', contentless_delete = 1,
    tokenize = "unicode61 remove_diacritics 0 tokenchars '_'");
  INSERT INTO notes_text (notes_text, rank) VALUES ('rank', 'bm25(0.0, 0.0, 0.0, 1.0)');
  CREATE VIRTUAL TABLE notes_terms USING fts5vocab (notes_text, 'row');
  CREATE TABLE notes_models (number INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, dimension INTEGER NOT NULL) STRICT;
  CREATE TABLE notes_vectors (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    item INTEGER NOT NULL,
    model INTEGER NOT NULL,
    scale REAL NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (item, model)
  ) STRICT;
  CREATE TABLE notes_gone (number INTEGER PRIMARY KEY AUTOINCREMENT, item INTEGER NOT NULL) STRICT;
  INSERT INTO notes_items VALUES (1, 'a', 'note', 'here', 'zombie processes', '["red"]', '{"n":1}', 2, 5, 6, 3);
  INSERT INTO notes_items VALUES (2, 'b', 'task', 'there', 'a closed socket', '[]', '{}', 3, 7, 8, 1);
  INSERT INTO notes_text (rowid, scope, kind, tags, terms) VALUES
    (1, '${wordOf('s', 'here')}', '${wordOf('k', 'note')}', '${wordOf('t', 'red')}', 'zombi process'),
    (2, '${wordOf('s', 'there')}', '${wordOf('k', 'task')}', '', 'a close socket');`

/** With two notes in it, as that version wrote them. */
const OLD_VERSIONS: Readonly<Record<number, string>> = {
  1: `${SPACES};
  ${ITEMS}
  CREATE VIRTUAL TABLE notes_text USING fts5 (scope, kind, tags, terms, tokenize = "unicode61 remove_diacritics 0 tokenchars '_'");
  INSERT INTO notes_text (notes_text, rank) VALUES ('rank', 'bm25(0.0, 0.0, 0.0, 1.0)');
  CREATE VIRTUAL TABLE notes_terms USING fts5vocab (notes_text, 'row');
  INSERT INTO notes_items VALUES (1, 'a', 'note', 'here', 'zombie processes', '["red"]', '{"n":1}', 2, 5, 6, 3);
  INSERT INTO notes_items VALUES (2, 'b', 'task', 'there', 'a closed socket', '[]', '{}', 3, 7, 8, 1);
  INSERT INTO notes_text (rowid, scope, kind, tags, terms) VALUES
    (1, 'sa1f4b9f25d5fbd8d2b6d2a5b', 'k1', 't1', 'zombi process'), (2, 's2', 'k2', '', 'a close socket');
  INSERT INTO switchboard_spaces VALUES ('notes', 1, 2, 5);`,
  2: `${SECOND}
  INSERT INTO switchboard_spaces VALUES ('notes', 2, 2, 5);`,
  3: `${SECOND}
  INSERT INTO notes_text (notes_text, rank) VALUES ('automerge', 8);
  INSERT INTO switchboard_spaces VALUES ('notes', 3, 2, 5);`,
  4: `${SECOND}
  INSERT INTO notes_text (notes_text, rank) VALUES ('automerge', 8);
  INSERT INTO notes_text (notes_text, rank) VALUES ('hashsize', 8388608);
  INSERT INTO switchboard_spaces VALUES ('notes', 4, 2, 5);`,
}

test.each(Object.entries(OLD_VERSIONS))('a database of version %s is taken over as a whole', async (_, sql) => {
  await using folder = await createTemporaryDirectory()
  const file = folder.file('store.db')
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
  // Twice: what was taken over once is today's.
  for (let round = 0; round < 2; round++) {
    const store = await openSqliteStore({ file })
    const space = await store.space('notes')
    const stored = { id: 'a', kind: 'note', scope: 'here', text: 'zombie processes', tags: ['red'], data: { n: 1 } }
    expect(await space.get('a')).toEqual({ ...stored, createdAt: 5, updatedAt: 6, revision: 3 })
    const search = async (text: string, scopes: string[]) =>
      (await space.search({ text, scopes, limit: 5 })).hits.map(({ item }) => item.id)
    expect(await search('zombie', ['here'])).toEqual(['a'])
    expect(await search('zombie', ['there'])).toEqual([])
    expect(await search('socket', ['there'])).toEqual(['b'])
    expect(await space.listWithoutVector('m', 5)).toHaveLength(2)
    expect(await store.status()).toMatchObject({ items: { notes: 2 } })
    expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
    await store.close()
  }
})
