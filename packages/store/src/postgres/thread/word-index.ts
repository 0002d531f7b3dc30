/** The index of words: what `postings` and `terms` hold follows from the terms of the items, and can be made anew from them. */
import { list, type ServerConnection } from './server-connection.ts'

/** Call it with items that are not in it. */
export async function indexItems(
  connection: ServerConnection,
  space: string,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return
  const sql = `WITH words AS (
      SELECT i.number AS item, i.shelf, i.length, word.term, count(*)::int AS count
      FROM ${space}_items AS i CROSS JOIN LATERAL unnest(string_to_array(i.terms, ' ')) AS word (term)
      WHERE i.number = ANY($1::int[]) GROUP BY i.number, i.shelf, i.length, word.term
    ), counted AS (
      SELECT term, count(*)::int AS items FROM words GROUP BY term
    ), known AS (
      UPDATE ${space}_terms AS t SET items = t.items + counted.items FROM counted WHERE t.term = counted.term
      RETURNING t.number, t.term
    ), added AS (
      INSERT INTO ${space}_terms (term, items)
      SELECT term, items FROM counted WHERE NOT EXISTS (SELECT FROM ${space}_terms AS t WHERE t.term = counted.term)
      RETURNING number, term
    )
    INSERT INTO ${space}_postings (term, shelf, item, count, length)
    SELECT t.number, words.shelf, words.item, words.count, words.length
    FROM words JOIN (SELECT number, term FROM known UNION ALL SELECT number, term FROM added) AS t ON t.term = words.term
    ORDER BY t.number, words.shelf, words.item`
  await connection.query(sql, [list(numbers)])
}

/** Call it while the items are as they were when they were put in. */
export async function unindexItems(
  connection: ServerConnection,
  space: string,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return
  const sql = `WITH gone AS (
      DELETE FROM ${space}_postings AS p USING (
        SELECT i.number AS item, i.shelf, t.number AS term
        FROM ${space}_items AS i
        CROSS JOIN LATERAL (SELECT DISTINCT unnest(string_to_array(i.terms, ' ')) AS term) AS word
        JOIN ${space}_terms AS t ON t.term = word.term
        WHERE i.number = ANY($1::int[])
      ) AS old
      WHERE p.term = old.term AND p.shelf = old.shelf AND p.item = old.item
      RETURNING p.term
    )
    UPDATE ${space}_terms AS t SET items = t.items - counted.items
    FROM (SELECT term, count(*)::int AS items FROM gone GROUP BY term) AS counted WHERE t.number = counted.term`
  await connection.query(sql, [list(numbers)])
}

const REBUILT_AT_ONCE = 500

/** Inside of a transaction that holds the row of the space. */
export async function rebuildIndex(connection: ServerConnection, space: string): Promise<void> {
  await connection.query(`DELETE FROM ${space}_postings`)
  await connection.query(`DELETE FROM ${space}_terms`)
  const next = `SELECT number FROM ${space}_items WHERE number > $1::int ORDER BY number LIMIT ${REBUILT_AT_ONCE}`
  for (let last = 0; ; ) {
    const numbers = (await connection.query(next, [last])).map((row) => Number(row.number))
    if (numbers.length === 0) break
    await indexItems(connection, space, numbers)
    last = numbers.at(-1) ?? last
  }
  await connection.query(
    `UPDATE spaces SET (items, terms) = (SELECT count(*), coalesce(sum(length), 0) FROM ${space}_items) WHERE name = $1`,
    [space],
  )
}

/** Whether the sums of all of its tables agree. */
export async function isIndexWhole(connection: ServerConnection, space: string): Promise<boolean> {
  const sql = `SELECT spaces.items = i.items AND spaces.terms = i.terms AND i.terms = p.terms AND i.worded = p.items
      AND p.postings = t.postings AS whole
    FROM spaces,
      (SELECT count(*) AS items, coalesce(sum(length), 0) AS terms, count(*) FILTER (WHERE length > 0) AS worded
       FROM ${space}_items) AS i,
      (SELECT coalesce(sum(count), 0) AS terms, count(DISTINCT item) AS items, count(*) AS postings FROM ${space}_postings) AS p,
      (SELECT coalesce(sum(items), 0) AS postings FROM ${space}_terms) AS t
    WHERE name = $1`
  const [row] = await connection.query(sql, [space])
  return row?.whole === true
}
