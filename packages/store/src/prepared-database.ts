import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** An open file with the statements that were prepared: each once. */
export class PreparedDatabase {
  readonly handle: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(handle: DatabaseSync) {
    this.handle = handle
  }

  statement(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const made = this.handle.prepare(sql)
    this.#statements.set(sql, made)
    return made
  }

  /** For what answers nothing. `run` would: also the last row that a search index made for itself, which is no safe number. */
  execute(sql: string, ...values: readonly SQLInputValue[]): void {
    this.statement(sql).get(...values)
  }

  close(): void {
    this.#statements.clear()
    this.handle.close()
  }
}
