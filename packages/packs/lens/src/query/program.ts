/**
 * Runs one query of an agent after the other, on a handle that can only read. A process, since nothing else can be ended in the
 * middle of a statement.
 */
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { errorMessage } from '@switchboard/base'
import type { QueryAnswer, QueryCell, QueryOrder } from './messages.ts'
import { createViews } from './query-views.ts'

/** Characters of one cell. */
const MAX_CELL = 2_000
/** Bytes of a text on its way: one of a gigabyte is made sooner than the time is over. */
const MAX_TEXT = 20_000_000

function run({ file, sql, scope, playset, maxRows, maxBytes }: QueryOrder): QueryAnswer {
  const handle = new DatabaseSync(file, { readOnly: true, timeout: 1_000 })
  try {
    createViews(handle, scope, playset)
    handle.exec('PRAGMA query_only = ON')
    limitTexts(handle)
    const statement = handle.prepare(sql)
    statement.setReturnArrays(true)
    const columns = statement.columns().map(({ name }) => name)
    const rows: QueryCell[][] = []
    let bytes = 0
    for (const row of statement.iterate()) {
      // By `setReturnArrays` each is an array of its cells.
      const cells = (row as unknown as unknown[]).map(toCell)
      bytes += JSON.stringify(cells).length
      if (rows.length >= maxRows || bytes > maxBytes) return { columns, rows, isCut: true }
      rows.push(cells)
    }
    return { columns, rows, isCut: false }
  } catch (error) {
    return { problem: errorMessage(error) }
  } finally {
    handle.close()
  }
}

/** Only newer versions of Node can; in others the time is the only limit. */
function limitTexts(handle: DatabaseSync & { limits?: { length: number } }): void {
  if (handle.limits !== undefined) handle.limits.length = MAX_TEXT
}

function toCell(value: unknown): QueryCell {
  if (value === null || typeof value === 'number') return value
  if (value instanceof Uint8Array) return `(${value.length} bytes)`
  const text = String(value)
  return text.length <= MAX_CELL ? text : `${text.slice(0, MAX_CELL)}…`
}

for await (const line of createInterface({ input: process.stdin })) {
  // Written by the process that started this one.
  const answer = run(JSON.parse(line) as QueryOrder)
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
