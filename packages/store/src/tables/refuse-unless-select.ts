/**
 * SQL of a stranger, judged before it is run on a handle that can only read: one SELECT, and no name that the owner of the tables
 * keeps to itself. The handle refuses what writes; this refuses what reads past the views that the stranger is given.
 */

/** Strings, quoted names, comments, words, and any other sign. A string may stand for a name in SQLite: it counts as one. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|[\p{L}_][\p{L}\p{N}_$]*|\S/gu
/** Tables that show the file itself. */
const ALWAYS_KEPT = /^(?:sqlite_dbpage|sqlite_stmt|dbstat|sqlite_(?:schema|master|temp_schema|temp_master))$/i

/** Undefined: it may be run. Otherwise why not, for the one who wrote it. */
export function refuseUnlessSelect(sql: string, keptPrefix: string): string | undefined {
  const tokens = [...sql.matchAll(TOKEN)].map(([token]) => token).filter((token) => !/^(?:--|\/\*)/.test(token))
  const [first = ''] = tokens
  if (!/^(?:select|with|values)$/i.test(first)) return `It begins with "${first.slice(0, 40)}", and only SELECT is allowed`
  const end = tokens.indexOf(';')
  if (end >= 0 && end < tokens.length - 1) return 'It is more than one statement'
  for (const token of tokens) {
    const name = /^['"`[]/.test(token) ? token.slice(1, -1) : token
    if (name.toLowerCase().startsWith(keptPrefix) || ALWAYS_KEPT.test(name)) {
      return `It names "${name.slice(0, 60)}", which is not for queries`
    }
  }
  return undefined
}
