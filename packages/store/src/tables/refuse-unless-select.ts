/**
 * SQL of a stranger, judged before it is run on a handle that can only read: one SELECT, and no name that the owner of the tables
 * keeps to itself. The handle refuses what writes; this refuses what reads past the views that the stranger is given.
 */

/** Tables that show the file itself. */
const ALWAYS_KEPT = /^(?:sqlite_dbpage|sqlite_stmt|dbstat|sqlite_(?:schema|master|temp_schema|temp_master))$/i
const WORD_START = /[\p{L}_]/u
const WORD = /[\p{L}\p{N}_$]*/uy

/** Undefined: it may be run. Otherwise why not, for the one who wrote it. */
export function refuseUnlessSelect(sql: string, keptPrefix: string): string | undefined {
  const tokens = tokensOf(sql)
  const [first = ''] = tokens
  if (!/^(?:select|with|values)$/i.test(first)) {
    return `It begins with "${first.slice(0, 40)}", and only SELECT is allowed`
  }
  const end = tokens.indexOf(';')
  if (end >= 0 && end < tokens.length - 1) return 'It is more than one statement'
  const kept = tokens.find((name) => name.toLowerCase().startsWith(keptPrefix) || ALWAYS_KEPT.test(name))
  return kept === undefined ? undefined : `It names "${kept.slice(0, 60)}", which is not for queries`
}

/** Words, names and strings without their quotes, and signs. A string may stand for a name in SQLite: it counts as one. */
function tokensOf(sql: string): string[] {
  const tokens: string[] = []
  for (let at = 0; at < sql.length; ) {
    const sign = sql[at] ?? ''
    const comment = sql.startsWith('--', at) ? '\n' : sql.startsWith('/*', at) ? '*/' : undefined
    if (comment !== undefined) at = after(sql, comment, at + 2)
    else if (/\s/.test(sign)) at++
    else if (/['"`[]/.test(sign)) {
      const end = after(sql, sign === '[' ? ']' : sign, at + 1)
      tokens.push(sql.slice(at + 1, end - 1))
      at = end
    } else if (WORD_START.test(sign)) {
      WORD.lastIndex = at
      const [word] = WORD.exec(sql) ?? [sign]
      tokens.push(word)
      at += Math.max(1, word.length)
    } else {
      tokens.push(sign)
      at++
    }
  }
  return tokens
}

/** A quote that is doubled inside of a string ends one token here and begins another: neither becomes a name by that. */
function after(sql: string, end: string, from: number): number {
  const found = sql.indexOf(end, from)
  return found < 0 ? sql.length : found + end.length
}
