/** All that an index holds, without numbers and times, which depend on the order in which files were read. */
import { DatabaseSync } from 'node:sqlite'

export function dumpIndex(file: string): Record<string, string[]> {
  const database = new DatabaseSync(file, { readOnly: true })
  const rows = (sql: string): string[] =>
    database
      .prepare(sql)
      .all()
      .map((row) => JSON.stringify(row))
      .sort()
  try {
    return {
      files: rows(
        `SELECT r.path AS root, f.path, f.size, f.skipped, c.hash, c.profile, c.version, c.language, c.bytes, c.lines, c.symbols, c.refs, c.problems
         FROM kept_files f JOIN kept_roots r ON r.id = f.root LEFT JOIN kept_contents c ON c.id = f.content`,
      ),
      contents: rows('SELECT hash, profile, version FROM kept_contents'),
      symbols: rows(
        `SELECT c.hash, c.profile, s.ordinal, n.text AS name, k.text AS kind, s.start, s."end", s.line, s."column", s.end_line, s.parent, s.detail
         FROM kept_symbols s JOIN kept_contents c ON c.id = s.content JOIN kept_names n ON n.id = s.name JOIN kept_names k ON k.id = s.kind`,
      ),
      refs: rows(
        `SELECT c.hash, c.profile, r.ordinal, n.text AS name, k.text AS kinds, r.start, r.line, r."column", r.within, r.is_call
         FROM kept_refs r JOIN kept_contents c ON c.id = r.content JOIN kept_names n ON n.id = r.name LEFT JOIN kept_names k ON k.id = r.kinds`,
      ),
      diagnostics: rows(
        `SELECT c.hash, c.profile, d.ordinal, d.code, d.severity, d.line, d."column", d.message FROM kept_diagnostics d
         JOIN kept_contents c ON c.id = d.content`,
      ),
      words: rows(
        `SELECT c.hash, c.profile, (SELECT count(*) FROM kept_words w WHERE w.rowid = c.id) AS found FROM kept_contents c`,
      ),
      names: rows('SELECT text, is_symbol FROM kept_names'),
      queue: rows('SELECT path, task, state, reason FROM kept_queue'),
      roots: rows('SELECT path, state FROM kept_roots'),
    }
  } finally {
    database.close()
  }
}
