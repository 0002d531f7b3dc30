/**
 * What `lens_query` sees: views of the tables, with the rows of the caller's own roots and nothing else. They are temporary, in a
 * process of their own, and hide the tables behind them (`refuseUnlessSelect` keeps their names from being used).
 */
import type { DatabaseSync } from 'node:sqlite'
import type { Scope } from '../scope.ts'

export function createViews(handle: DatabaseSync, scope: Scope, playset: number | undefined): void {
  // Numbers are ours; a folder is somebody's.
  const quote = (text: string): string => `'${text.replaceAll("'", "''")}'`
  const parts = scope.map(({ root, folder }) =>
    folder === ''
      ? `f.root = ${Number(root)}`
      : `(f.root = ${Number(root)} AND f.path >= ${quote(`${folder}/`)} AND f.path < ${quote(`${folder}0`)})`,
  )
  const own = parts.length === 0 ? '0' : `(${parts.join(' OR ')})`
  const ownContents = `(SELECT f.content FROM main.kept_files f WHERE ${own})`
  handle.exec(`
    CREATE TEMP VIEW files AS SELECT f.id, f.root, f.path, f.size, f.changed_at, f.content, c.language, c.lines, f.skipped
      FROM main.kept_files f LEFT JOIN main.kept_contents c ON c.id = f.content WHERE ${own};
    CREATE TEMP VIEW contents AS SELECT id, hash, language, bytes, lines, symbols, refs, problems
      FROM main.kept_contents WHERE id IN ${ownContents};
    CREATE TEMP VIEW symbols AS SELECT s.content, s.ordinal, n.text AS name, k.text AS kind, s.line, s."column", s.end_line, s.parent, s.detail
      FROM main.kept_symbols s JOIN main.kept_names n ON n.id = s.name JOIN main.kept_names k ON k.id = s.kind
      WHERE s.content IN ${ownContents};
    CREATE TEMP VIEW refs AS SELECT r.content, r.ordinal, n.text AS name, k.text AS kinds, r.line, r."column", r.within, r.is_call
      FROM main.kept_refs r JOIN main.kept_names n ON n.id = r.name LEFT JOIN main.kept_names k ON k.id = r.kinds
      WHERE r.content IN ${ownContents};
    CREATE TEMP VIEW diagnostics AS SELECT content, code, severity, line, "column", message, expected, hint
      FROM main.kept_diagnostics WHERE content IN ${ownContents};
    CREATE TEMP VIEW build_queue AS SELECT f.root, f.path, f.task, f.state, f.tries, f.reason
      FROM main.kept_queue f WHERE ${own};
    CREATE TEMP VIEW builds AS SELECT id, state, started_at, ended_at, files, bytes, errors, resumed FROM main.kept_builds;
    CREATE TEMP VIEW conflicts AS SELECT ordinal AS id, class, kind, name, folder, mods, harm, intended, confidence,
      data ->> '$.difference' AS difference, data ->> '$.rule' AS rule, data ->> '$.why' AS why,
      data ->> '$.effective.path' AS effective_path, data ->> '$.effective.line' AS effective_line,
      json_array_length(data, '$.losers') AS losers
      FROM main.kept_conflicts WHERE playset = ${playset === undefined ? 'NULL' : Number(playset)};`)
}
