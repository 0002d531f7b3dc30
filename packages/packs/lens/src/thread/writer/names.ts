/** Names as numbers. Those that were used last are at hand; all others are asked for. */
import type { TablesDatabase } from '@switchboard/store/tables'
import { wordsOf } from '../../extract/words.ts'

const MAX_AT_HAND = 300_000

export class Names {
  readonly #database: TablesDatabase
  /** Negative: known as the name of a symbol too. */
  readonly #numbers = new Map<string, number>()

  constructor(database: TablesDatabase) {
    this.#database = database
  }

  /** `isSymbol`: it can be found by its parts. */
  numberOf(text: string, isSymbol: boolean): number {
    const known = this.#numbers.get(text)
    if (known !== undefined && (known < 0 || !isSymbol)) return Math.abs(known)
    const { id, wasSymbol } = this.#find(text)
    if (isSymbol && !wasSymbol) this.#makeSymbol(id, text)
    if (this.#numbers.size >= MAX_AT_HAND) this.#numbers.clear()
    this.#numbers.set(text, isSymbol || wasSymbol ? -id : id)
    return id
  }

  /** What a transaction has made that failed is nowhere. */
  forget(): void {
    this.#numbers.clear()
  }

  #find(text: string): { id: number; wasSymbol: boolean } {
    const row = this.#database.statement('SELECT id, is_symbol FROM kept_names WHERE text = ?').get(text)
    if (row !== undefined) return { id: Number(row.id), wasSymbol: row.is_symbol === 1 }
    const made = this.#database
      .statement('INSERT INTO kept_names (text, is_symbol) VALUES (?, 0) RETURNING id')
      .get(text)
    return { id: Number(made?.id), wasSymbol: false }
  }

  #makeSymbol(id: number, text: string): void {
    this.#database.execute('UPDATE kept_names SET is_symbol = 1 WHERE id = ?', id)
    this.#database.execute('INSERT INTO kept_name_words (rowid, words) VALUES (?, ?)', id, wordsOf(text).join(' '))
  }
}
