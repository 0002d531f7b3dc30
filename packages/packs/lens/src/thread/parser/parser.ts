/** Reads files and says what they hold. Whatever a file is, the next one is read; of what waits the urgent comes first. */
import { lstatSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { MessagePort } from 'node:worker_threads'
import { errorCode, errorMessage } from '@switchboard/base'
import { stampOf } from '@switchboard/source'
import { readSource } from '@switchboard/source/walk'
import type { TablesDatabase } from '@switchboard/store/tables'
import { readingOf } from '../../extract/extractors.ts'
import { NamePacker, type PackedContent, packExtraction } from '../../extract/packed.ts'
import { wordsOf } from '../../extract/words.ts'
import type { FileOrder, ParsedBatch, ParsedFile, ParseOrder } from '../messages.ts'

const KNOWN = 'SELECT 1 AS known FROM kept_contents WHERE hash = ? AND profile = ? AND version = ?'

export class ParserProgram {
  readonly #port: MessagePort
  readonly #database: TablesDatabase
  readonly #waiting: ParseOrder[] = []
  #isReading = false

  constructor(port: MessagePort, database: TablesDatabase) {
    this.#port = port
    this.#database = database
  }

  async receive(order: ParseOrder): Promise<void> {
    this.#waiting.push(order)
    if (this.#isReading) return
    this.#isReading = true
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      await this.#read(next)
      // What was sent meanwhile is heard of before the next one is chosen.
      await nextTurn()
    }
    this.#isReading = false
  }

  #takeNext(): ParseOrder | undefined {
    const urgent = this.#waiting.findIndex(({ isUrgent }) => isUrgent)
    return this.#waiting.splice(Math.max(0, urgent), 1)[0]
  }

  async #read({ batch, isUrgent, files, maxFileSize }: ParseOrder): Promise<void> {
    const names = new NamePacker()
    const details: string[] = []
    const parsed: ParsedFile[] = []
    const transfer: ArrayBuffer[] = []
    /** Of this batch: two copies of a file are one content. */
    const batchKnown = new Set<string>()
    for (const order of files) {
      const file = await this.#parse(order, maxFileSize, { names, details, batchKnown })
      parsed.push(file)
      if (file.kind !== 'read' || file.content === undefined) continue
      // Made by us a moment ago, and nobody else's.
      transfer.push(file.content.symbols.buffer as ArrayBuffer, file.content.references.buffer as ArrayBuffer)
    }
    this.#port.postMessage(
      { type: 'parsed', batch, isUrgent, files: parsed, names: names.texts, details } satisfies ParsedBatch,
      transfer,
    )
  }

  async #parse(
    order: FileOrder,
    maxFileSize: number,
    batch: { names: NamePacker; details: string[]; batchKnown: Set<string> },
  ): Promise<ParsedFile> {
    const { root, path } = order
    try {
      const readAt = Date.now()
      const stats = lstatSync(join(root.path, path), { bigint: true })
      const place = {
        order,
        size: Number(stats.size),
        stamp: stampOf(stats),
        changedAt: Number(stats.mtimeMs),
        readAt,
      }
      const { profile, version, anyLines, extract } = readingOf(path, root)
      const source = readSource(root.path, path, maxFileSize, { anyLines })
      if (source === 'changed') return { kind: 'gone', order }
      if (typeof source === 'string') return { kind: 'skipped', ...place, reason: source }
      const { text, bytes, hash } = source
      const read = { kind: 'read' as const, ...place, hash, profile, version, bytes: bytes.length }
      const key = `${hash} ${profile}`
      const isKnown =
        batch.batchKnown.has(key) || this.#database.statement(KNOWN).get(hash, profile, version) !== undefined
      if (isKnown) return { ...read, content: undefined }
      batch.batchKnown.add(key)
      const extraction = await extract({ path, bytes, text })
      const content: PackedContent = {
        language: extraction.language,
        lines: countLines(text),
        words: wordsOf(text).join(' '),
        problems: extraction.problems,
        ...packExtraction(extraction, batch.names, batch.details),
      }
      return { ...read, content }
    } catch (error) {
      const code = errorCode(error)
      if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'gone', order }
      return { kind: 'failed', order, reason: errorMessage(error) }
    }
  }
}

function countLines(text: string): number {
  let lines = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return text.endsWith('\n') ? lines - 1 : lines
}
