/** What the parsers have read becomes rows. One call is one transaction, with the places in the queue that it frees. */
import { BulkInsert, type TablesDatabase } from '@switchboard/store/tables'
import { type PackedContent, REFERENCE_WIDTH, SYMBOL_WIDTH } from '../../extract/packed.ts'
import { type FoundChange, type ParsedBatch, RACY_MS, type ReadFile } from '../messages.ts'
import { Names } from './names.ts'

export class BatchStore {
  readonly #database: TablesDatabase
  readonly #names: Names
  readonly #symbols: BulkInsert
  readonly #refs: BulkInsert
  readonly #diagnostics: BulkInsert
  /** Of contents, given out as those of names are. */
  #last: number

  constructor(database: TablesDatabase) {
    this.#database = database
    this.#last = Number(database.handle.prepare('SELECT max(id) AS last FROM kept_contents').get()?.last ?? 0)
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
    const numbers = this.#names.numbersOf(batch.names, namesOfSymbols(batch))
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

  /** Whether it was read as it is since then: whoever looked it up before could not know. */
  hasRead(root: number, { path, stamp }: FoundChange, since: number): boolean {
    const row = this.#database
      .statement('SELECT stamp, changed_at, read_at FROM kept_files WHERE root = ? AND path = ?')
      .get(root, path)
    if (row === undefined || row.stamp !== stamp) return false
    return Number(row.read_at) >= since && Number(row.changed_at) < Number(row.read_at) - RACY_MS
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

  #contentOf(file: ReadFile, batch: ParsedBatch, numbers: Int32Array): number | undefined {
    const { hash, profile, version, bytes, content } = file
    const row = this.#database
      .statement('SELECT id, version FROM kept_contents WHERE hash = ? AND profile = ?')
      .get(hash, profile)
    if (row !== undefined && row.version === version) return Number(row.id)
    if (content === undefined) return undefined
    const { language, lines, symbols, references, problems } = content
    const counts = [symbols.length / SYMBOL_WIDTH, references.length / REFERENCE_WIDTH, problems.length]
    const id = row === undefined ? ++this.#last : Number(row.id)
    if (row === undefined) {
      this.#database.execute(
        `INSERT INTO kept_contents (id, hash, profile, version, language, bytes, lines, symbols, refs, problems)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        ...[id, hash, profile, version, language, bytes, lines, ...counts],
      )
    } else {
      this.#dropRows(id)
      this.#database.execute(
        'UPDATE kept_contents SET version = ?, language = ?, symbols = ?, refs = ?, problems = ? WHERE id = ?',
        ...[version, language, ...counts, id],
      )
    }
    this.#putContent(id, content, batch, numbers)
    return id
  }

  #putContent(id: number, content: PackedContent, { details }: ParsedBatch, numbers: Int32Array): void {
    const { symbols, references, problems, words } = content
    const numberOf = (packed: number): number => numbers[packed] ?? 0
    for (let at = 0, ordinal = 0; at < symbols.length; at += SYMBOL_WIDTH, ordinal++) {
      const value = (column: number): number => symbols[at + column] ?? -1
      const parent = value(7)
      this.#symbols.add(
        ...[id, ordinal, numberOf(value(0)), numberOf(value(1)), value(2), value(3), value(4), value(5)],
        ...[value(6), parent < 0 ? null : parent, details[value(8)] ?? null],
      )
    }
    for (let at = 0, ordinal = 0; at < references.length; at += REFERENCE_WIDTH, ordinal++) {
      const value = (column: number): number => references[at + column] ?? -1
      const kinds = value(1)
      const within = value(5)
      this.#refs.add(
        ...[id, ordinal, numberOf(value(0)), kinds < 0 ? null : numberOf(kinds), value(2), value(3)],
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

/** By the parser's numbers: 1 for a name that can be found by its parts. */
function namesOfSymbols({ files, names }: ParsedBatch): Uint8Array {
  const isSymbol = new Uint8Array(names.length)
  for (const file of files) {
    if (file.kind !== 'read' || file.content === undefined) continue
    const { symbols } = file.content
    for (let at = 0; at < symbols.length; at += SYMBOL_WIDTH) isSymbol[symbols[at] ?? 0] = 1
  }
  return isSymbol
}
