/** Rows into one table, a hundred with one statement: most of what a row costs is the statement. Call it in a transaction. */
import type { StatementSync } from 'node:sqlite'
import type { TablesDatabase } from './tables-database.ts'

export type CellValue = string | number | null

const ROWS = 100

export class BulkInsert {
  readonly #many: StatementSync
  readonly #one: StatementSync
  readonly #width: number
  #waiting: CellValue[] = []

  constructor(database: TablesDatabase, table: string, columns: readonly string[]) {
    const row = `(${columns.map(() => '?').join(',')})`
    const head = `INSERT INTO ${table} (${columns.join(',')}) VALUES `
    this.#many = database.statement(head + Array.from({ length: ROWS }, () => row).join(','))
    this.#one = database.statement(head + row)
    this.#width = columns.length
  }

  /** One value for each column. */
  add(...row: readonly CellValue[]): void {
    for (const value of row) this.#waiting.push(value)
    if (this.#waiting.length < ROWS * this.#width) return
    // Not `run`: it tells the last row as well, and one that a search index made for itself is no safe number.
    this.#many.get(...this.#waiting)
    this.#waiting = []
  }

  /** Before the transaction ends. */
  flush(): void {
    for (let at = 0; at < this.#waiting.length; at += this.#width) {
      this.#one.get(...this.#waiting.slice(at, at + this.#width))
    }
    this.#waiting = []
  }

  /** What waits is of a transaction that failed. */
  clear(): void {
    this.#waiting = []
  }
}
