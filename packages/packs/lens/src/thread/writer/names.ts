/**
 * Names as numbers. All those of a batch are asked for with one statement, and those that are new are stored in their order: one at
 * a time, each would cost a search in the whole table. Those that were used last are at hand.
 */
import { BulkInsert, type TablesDatabase } from '@switchboard/store/tables'
import { wordsOf } from '../../extract/words.ts'

/** Of each of two generations: whoever is in neither is asked for. */
const MAX_AT_HAND = 30_000

/** Negative: it can be found by its parts as well, as the name of a symbol. */
type KnownName = number

export class Names {
  readonly #database: TablesDatabase
  readonly #rows: BulkInsert
  readonly #words: BulkInsert
  #recent = new Map<string, KnownName>()
  #older = new Map<string, KnownName>()
  /** Given out by us, who alone write: asking SQLite for each one costs several times the row. Gaps do no harm. */
  #last: number

  constructor(database: TablesDatabase) {
    this.#database = database
    this.#last = Number(database.handle.prepare('SELECT max(id) AS last FROM kept_names').get()?.last ?? 0)
    this.#rows = new BulkInsert(database, 'kept_names', ['id', 'text', 'is_symbol'])
    this.#words = new BulkInsert(database, 'kept_name_words', ['rowid', 'words'])
  }

  /** The number of each text, each of which is there once. `symbols`: which of them are names of symbols. In a transaction. */
  numbersOf(texts: readonly string[], symbols: Uint8Array): Int32Array {
    const numbers = new Int32Array(texts.length)
    const strange: number[] = []
    texts.forEach((text, index) => {
      const known = this.#recent.get(text) ?? this.#older.get(text)
      if (known === undefined) strange.push(index)
      else numbers[index] = this.#note(text, known, symbols[index] === 1)
    })
    // In the order of the index: neighbours are written to the same page.
    strange.sort((a, b) => ((texts[a] ?? '') < (texts[b] ?? '') ? -1 : 1))
    const found = this.#find(strange.map((index) => texts[index] ?? ''))
    for (const index of strange) {
      const text = texts[index] ?? ''
      const isSymbol = symbols[index] === 1
      numbers[index] = this.#note(text, found.get(text) ?? this.#make(text, isSymbol), isSymbol)
    }
    this.#rows.flush()
    this.#words.flush()
    return numbers
  }

  /** What a transaction has made that failed is nowhere. */
  forget(): void {
    this.#recent.clear()
    this.#older.clear()
    this.#rows.clear()
    this.#words.clear()
  }

  #note(text: string, known: KnownName, isSymbol: boolean): number {
    const id = Math.abs(known)
    const becomesSymbol = isSymbol && known > 0
    if (becomesSymbol) {
      this.#database.execute('UPDATE kept_names SET is_symbol = 1 WHERE id = ?', id)
      this.#addWords(id, text)
    }
    if (this.#recent.size >= MAX_AT_HAND) {
      this.#older = this.#recent
      this.#recent = new Map()
    }
    this.#recent.set(text, becomesSymbol ? -id : known)
    return id
  }

  #find(texts: readonly string[]): ReadonlyMap<string, KnownName> {
    if (texts.length === 0 || this.#last === 0) return new Map()
    const rows = this.#database
      .statement('SELECT n.id, n.text, n.is_symbol FROM json_each(?) j CROSS JOIN kept_names n ON n.text = j.value')
      .all(JSON.stringify(texts))
    return new Map(rows.map(({ id, text, is_symbol }) => [String(text), is_symbol === 1 ? -Number(id) : Number(id)]))
  }

  #make(text: string, isSymbol: boolean): KnownName {
    const id = ++this.#last
    this.#rows.add(id, text, isSymbol ? 1 : 0)
    if (isSymbol) this.#addWords(id, text)
    return isSymbol ? -id : id
  }

  #addWords(id: number, text: string): void {
    this.#words.add(id, wordsOf(text).join(' '))
  }
}
