/** What the parsers have read becomes rows. One call is one transaction, with the places in the queue that it frees. */
import { BulkInsert, type TablesDatabase } from '@switchboard/store/tables'
import { type PackedContent, REFERENCE_WIDTH, SYMBOL_WIDTH } from '../../extract/packed.ts'
import type { ParsedBatch, ReadFile } from '../messages.ts'
import { Names } from './names.ts'

export class BatchStore {
  readonly #database: TablesDatabase
  readonly #names: Names
  readonly #symbols: BulkInsert
  readonly #refs: BulkInsert
  readonly #diagnostics: BulkInsert

  constructor(database: TablesDatabase) {
    this.#database = database
    this.#names = new Names(database)
    this.#symbols = new BulkInsert(database, 'kept_symbols', [
      ...['content', 'ordinal', 'name', 'kind', 'start', '"end"', 'line', '"column"', 'end_line', 'parent', 'detail'],
    ])
    this.#refs = new BulkInsert(database, 'kept_refs', [
      ...['content', 'ordinal', 'name', 'kinds', 'start', 'line', '"column"', 'within', 'is_call'],
    ])
    this.#diagnostics = new BulkInsert(database, 'kept_diagnostics', [
      ...[
        'content',
        'ordinal',
        'code',
        'severity',
        'start',
        '"end"',
        'line',
        '"column"',
        'message',
        'expected',
        'hint',
      ],
    ])
  }

  /** Call it in a transaction. Tells the files whose content is not there, though the parser had seen it. */
  store(batch: ParsedBatch): ReadFile[] {
    const missing: ReadFile[] = []
    /** By the parser's number: ours, negative once it is known to name a symbol. */
    const numbers = new Map<number, number>()
    for (const file of batch.files) {
      if (file.kind === 'gone') this.removeFile(file.order.root.id, file.order.path)
      else if (file.kind === 'skipped') this.#putFile(file, null, file.reason)
      else if (file.kind === 'read') {
        const content = this.#contentOf(file, batch, numbers)
        if (content === undefined) missing.push(file)
        else this.#putFile(file, content, null)
      }
    }
    for (const insert of [this.#symbols, this.#refs, this.#diagnostics]) insert.flush()
    return missing
  }

  /** The transaction has failed. */
  forget(): void {
    this.#names.forget()
    for (const insert of [this.#symbols, this.#refs, this.#diagnostics]) insert.clear()
  }

  removeFile(root: number, path: string): void {
    const row = this.#database
      .statement('DELETE FROM kept_files WHERE root = ? AND path = ? RETURNING content')
      .get(root, path)
    if (row?.content != null) this.#dropUnused(Number(row.content))
  }

  #putFile(
    { order, size, stamp, changedAt, readAt }: Pick<ReadFile, 'order' | 'size' | 'stamp' | 'changedAt' | 'readAt'>,
    content: number | null,
    skipped: string | null,
  ): void {
    const before = this.#database
      .statement('SELECT content FROM kept_files WHERE root = ? AND path = ?')
      .get(order.root.id, order.path)
    this.#database.execute(
      `INSERT INTO kept_files (root, path, size, stamp, changed_at, read_at, content, skipped) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (root, path) DO UPDATE SET size = excluded.size, stamp = excluded.stamp, changed_at = excluded.changed_at,
         read_at = excluded.read_at, content = excluded.content, skipped = excluded.skipped`,
      ...[order.root.id, order.path, size, stamp, changedAt, readAt, content, skipped],
    )
    if (before?.content != null && Number(before.content) !== content) this.#dropUnused(Number(before.content))
  }

  #contentOf(file: ReadFile, batch: ParsedBatch, numbers: Map<number, number>): number | undefined {
    const { hash, profile, version, bytes, content } = file
    const row = this.#database
      .statement('SELECT id, version FROM kept_contents WHERE hash = ? AND profile = ?')
      .get(hash, profile)
    if (row !== undefined && row.version === version) return Number(row.id)
    if (content === undefined) return undefined
    if (row !== undefined) this.#dropRows(Number(row.id))
    const { language, lines, symbols, references, problems } = content
    const counts = [symbols.length / SYMBOL_WIDTH, references.length / REFERENCE_WIDTH, problems.length]
    const id = Number(
      this.#database
        .statement(
          `INSERT INTO kept_contents (hash, profile, version, language, bytes, lines, symbols, refs, problems)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (hash, profile) DO UPDATE SET version = excluded.version,
             language = excluded.language, symbols = excluded.symbols, refs = excluded.refs, problems = excluded.problems
           RETURNING id`,
        )
        .get(hash, profile, version, language, bytes, lines, ...counts)?.id,
    )
    this.#putContent(id, content, batch, numbers)
    return id
  }

  #putContent(id: number, content: PackedContent, { names, details }: ParsedBatch, numbers: Map<number, number>): void {
    const { symbols, references, problems, words } = content
    const numberOf = (packed: number, isSymbol: boolean): number => {
      const known = numbers.get(packed)
      if (known !== undefined && (known < 0 || !isSymbol)) return Math.abs(known)
      const number = this.#names.numberOf(names[packed] ?? '', isSymbol)
      numbers.set(packed, isSymbol ? -number : number)
      return number
    }
    for (let at = 0, ordinal = 0; at < symbols.length; at += SYMBOL_WIDTH, ordinal++) {
      const value = (column: number): number => symbols[at + column] ?? -1
      const parent = value(7)
      this.#symbols.add(
        ...[id, ordinal, numberOf(value(0), true), numberOf(value(1), false), value(2), value(3), value(4), value(5)],
        ...[value(6), parent < 0 ? null : parent, details[value(8)] ?? null],
      )
    }
    for (let at = 0, ordinal = 0; at < references.length; at += REFERENCE_WIDTH, ordinal++) {
      const value = (column: number): number => references[at + column] ?? -1
      const kinds = value(1)
      const within = value(5)
      this.#refs.add(
        ...[id, ordinal, numberOf(value(0), false), kinds < 0 ? null : numberOf(kinds, false), value(2), value(3)],
        ...[value(4), within < 0 ? null : within, value(6)],
      )
    }
    problems.forEach(({ code, severity, start, end, line, column, message, expected, hint }, ordinal) => {
      this.#diagnostics.add(
        id,
        ordinal,
        code,
        severity,
        start,
        end,
        line,
        column,
        message,
        expected ?? null,
        hint ?? null,
      )
    })
    this.#database.execute('INSERT INTO kept_words (rowid, words) VALUES (?, ?)', id, words)
  }

  #dropUnused(content: number): void {
    const used = this.#database.statement('SELECT 1 AS used FROM kept_files WHERE content = ? LIMIT 1').get(content)
    if (used !== undefined) return
    this.#dropRows(content)
    this.#database.execute('DELETE FROM kept_contents WHERE id = ?', content)
  }

  #dropRows(content: number): void {
    for (const table of ['kept_symbols', 'kept_refs', 'kept_diagnostics']) {
      this.#database.execute(`DELETE FROM ${table} WHERE content = ?`, content)
    }
    this.#database.execute('DELETE FROM kept_words WHERE rowid = ?', content)
  }
}
