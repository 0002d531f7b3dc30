/**
 * The tables of the index. Symbols, references and diagnostics hang on a content, so that the same file in two places is read
 * once; a content is its bytes and the kind of file that they were read as. Names are numbers. What agents may ask with SQL are
 * views of these tables, each with the rows of the caller's own roots (`query-views.ts`); the prefix keeps the tables to us.
 */
export const KEPT = 'kept_'

export const VERSIONS: readonly string[] = [
  `CREATE TABLE kept_state (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
   INSERT INTO kept_state VALUES ('generation', 0);
   CREATE TABLE kept_roots (
     id INTEGER PRIMARY KEY,
     path TEXT NOT NULL UNIQUE,
     kind TEXT NOT NULL,
     exclude TEXT NOT NULL,
     state TEXT NOT NULL,
     scanned_at INTEGER,
     skipped TEXT NOT NULL,
     generation INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE kept_contents (
     id INTEGER PRIMARY KEY,
     hash TEXT NOT NULL,
     profile TEXT NOT NULL,
     version INTEGER NOT NULL,
     language TEXT NOT NULL,
     bytes INTEGER NOT NULL,
     lines INTEGER NOT NULL,
     symbols INTEGER NOT NULL,
     refs INTEGER NOT NULL,
     problems INTEGER NOT NULL,
     UNIQUE (hash, profile)
   ) STRICT;
   CREATE TABLE kept_files (
     id INTEGER PRIMARY KEY,
     root INTEGER NOT NULL,
     path TEXT NOT NULL,
     size INTEGER NOT NULL,
     stamp TEXT NOT NULL,
     changed_at INTEGER NOT NULL,
     read_at INTEGER NOT NULL,
     content INTEGER,
     skipped TEXT,
     UNIQUE (root, path)
   ) STRICT;
   CREATE INDEX kept_files_content ON kept_files (content);
   CREATE TABLE kept_names (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, is_symbol INTEGER NOT NULL) STRICT;
   CREATE TABLE kept_symbols (
     content INTEGER NOT NULL,
     ordinal INTEGER NOT NULL,
     name INTEGER NOT NULL,
     kind INTEGER NOT NULL,
     start INTEGER NOT NULL,
     "end" INTEGER NOT NULL,
     line INTEGER NOT NULL,
     "column" INTEGER NOT NULL,
     end_line INTEGER NOT NULL,
     parent INTEGER,
     detail TEXT,
     PRIMARY KEY (content, ordinal)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX kept_symbols_name ON kept_symbols (name);
   CREATE TABLE kept_refs (
     content INTEGER NOT NULL,
     ordinal INTEGER NOT NULL,
     name INTEGER NOT NULL,
     kinds INTEGER,
     start INTEGER NOT NULL,
     line INTEGER NOT NULL,
     "column" INTEGER NOT NULL,
     within INTEGER,
     is_call INTEGER NOT NULL,
     PRIMARY KEY (content, ordinal)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX kept_refs_name ON kept_refs (name);
   CREATE TABLE kept_diagnostics (
     content INTEGER NOT NULL,
     ordinal INTEGER NOT NULL,
     code TEXT NOT NULL,
     severity TEXT NOT NULL,
     start INTEGER NOT NULL,
     "end" INTEGER NOT NULL,
     line INTEGER NOT NULL,
     "column" INTEGER NOT NULL,
     message TEXT NOT NULL,
     expected TEXT,
     hint TEXT,
     PRIMARY KEY (content, ordinal)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE kept_queue (
     id INTEGER PRIMARY KEY,
     root INTEGER NOT NULL,
     path TEXT NOT NULL,
     task TEXT NOT NULL,
     priority INTEGER NOT NULL,
     state TEXT NOT NULL,
     size INTEGER NOT NULL,
     tries INTEGER NOT NULL,
     reclaims INTEGER NOT NULL,
     again INTEGER NOT NULL DEFAULT 0,
     reason TEXT,
     added_at INTEGER NOT NULL,
     UNIQUE (root, path, task)
   ) STRICT;
   CREATE INDEX kept_queue_next ON kept_queue (task, state, priority DESC, id);
   CREATE TABLE kept_builds (
     id INTEGER PRIMARY KEY,
     state TEXT NOT NULL,
     started_at INTEGER NOT NULL,
     ended_at INTEGER,
     first_at INTEGER,
     last_at INTEGER,
     files INTEGER NOT NULL,
     bytes INTEGER NOT NULL,
     errors INTEGER NOT NULL,
     resumed INTEGER NOT NULL,
     generation INTEGER NOT NULL
   ) STRICT;
   CREATE TABLE kept_playsets (
     id INTEGER PRIMARY KEY,
     key TEXT NOT NULL UNIQUE,
     generation INTEGER NOT NULL,
     judged_at INTEGER NOT NULL,
     report TEXT NOT NULL
   ) STRICT;
   CREATE TABLE kept_conflicts (
     playset INTEGER NOT NULL,
     ordinal INTEGER NOT NULL,
     class TEXT NOT NULL,
     kind TEXT NOT NULL,
     name TEXT NOT NULL,
     folder TEXT NOT NULL,
     mods TEXT NOT NULL,
     harm INTEGER NOT NULL,
     intended INTEGER NOT NULL,
     confidence TEXT NOT NULL,
     data TEXT NOT NULL,
     PRIMARY KEY (playset, ordinal)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX kept_conflicts_name ON kept_conflicts (playset, name);
   CREATE TABLE kept_playset_problems (
     playset INTEGER NOT NULL,
     ordinal INTEGER NOT NULL,
     code TEXT NOT NULL,
     severity TEXT NOT NULL,
     layer INTEGER NOT NULL,
     path TEXT NOT NULL,
     line INTEGER NOT NULL,
     message TEXT NOT NULL,
     hint TEXT NOT NULL,
     PRIMARY KEY (playset, ordinal)
   ) STRICT, WITHOUT ROWID;
   CREATE VIRTUAL TABLE kept_words USING fts5 (words, content = '', contentless_delete = 1, detail = none,
     tokenize = "ascii tokenchars '_'");
   CREATE VIRTUAL TABLE kept_name_words USING fts5 (words, content = '', contentless_delete = 1, detail = none,
     tokenize = "ascii tokenchars '_'");`,
  // Pieces of the search indexes are merged eight at a time, not four: a first build writes each word fewer times.
  `INSERT INTO kept_words (kept_words, rank) VALUES ('automerge', 8);
   INSERT INTO kept_words (kept_words, rank) VALUES ('hashsize', 8000000);
   INSERT INTO kept_name_words (kept_name_words, rank) VALUES ('automerge', 8);`,
  // Conflicts are kept in the order in which they are found, and shown by what they do.
  'CREATE INDEX kept_conflicts_harm ON kept_conflicts (playset, harm, name)',
]
