/** What a person may ask of the store itself: `switchboard export`, `import`, `memory backup`, and what the doctor looks at. */

import { randomUUID } from 'node:crypto'
import { createParamError, readText } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { exportStore, importStore, type Store } from '@switchboard/store'
import type { PersonCommands } from '../packs/person-commands.ts'
import { checkStore } from './check-store.ts'
import type { Backup, StoreBackups } from './store-backups.ts'

/** So much is sent at once. A single item may be larger. */
const PAGE_CHARACTERS = 1_000_000
const PAGE_LINES = 500

export interface StoreCommandsOptions {
  open(): Promise<Store>
  readonly backups: StoreBackups
}

export function createStoreCommands({ open, backups }: StoreCommandsOptions): PersonCommands {
  const exports = new Map<string, AsyncGenerator<string>>()
  return {
    /** Page by page: the cursor of the answer is asked for next; without one that was all. */
    export: async (params, { signal }) => {
      const cursor = params.cursor === undefined ? undefined : readText(params, 'cursor', 'export')
      const lines =
        cursor === undefined
          ? exportStore(await open(), { vectors: params.vectors === true, signal })
          : exports.get(cursor)
      if (lines === undefined) throw new SwitchboardError('invalid_arguments', 'This export is over: begin anew')
      const page = await readPage(lines)
      if (page.isLast) {
        if (cursor !== undefined) exports.delete(cursor)
        return { lines: page.lines }
      }
      const next = cursor ?? keep(exports, lines, signal)
      return { lines: page.lines, cursor: next }
    },
    /** `first`: the number of the first of these lines in its file. */
    import: async (params, { signal }) => {
      const lines = readLines(params)
      const before = typeof params.first === 'number' ? params.first - 1 : 0
      const chunks = toChunks(lines)
      const { stored, left, vectors, bad } = await importStore(await open(), chunks, { signal })
      return {
        stored,
        left,
        vectors,
        problems: bad.map(({ line, why }) => ({ line: line + before, problem: why })),
      }
    },
    backup: async () => ({ backup: toReport(await backups.backUp(await open())) }),
    backups: async () => ({ backups: (await backups.list()).map(toReport) }),
    check: async (_, { progress }) => {
      const { problems, rebuilt, items } = await checkStore(await open(), progress)
      return { problems: [...problems], rebuilt: [...rebuilt], items }
    },
  }
}

/** An empty one is a line as well: those behind it keep their numbers. */
function readLines({ lines }: JsonObject): string[] {
  if (Array.isArray(lines) && lines.every((line) => typeof line === 'string')) return lines
  throw createParamError('import', 'lines', 'a list of texts', lines)
}

async function readPage(lines: AsyncGenerator<string>): Promise<{ lines: string[]; isLast: boolean }> {
  const read: string[] = []
  for (let characters = 0; characters < PAGE_CHARACTERS && read.length < PAGE_LINES; ) {
    const { value, done } = await lines.next()
    if (done === true) return { lines: read, isLast: true }
    read.push(value.trimEnd())
    characters += value.length
  }
  return { lines: read, isLast: false }
}

/** Whoever goes away in the middle leaves nothing behind. */
function keep(
  exports: Map<string, AsyncGenerator<string>>,
  lines: AsyncGenerator<string>,
  signal: AbortSignal,
): string {
  const id = randomUUID()
  exports.set(id, lines)
  signal.addEventListener('abort', () => exports.delete(id), { once: true })
  return id
}

async function* toChunks(lines: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const line of lines) yield Buffer.from(`${line}\n`)
}

function toReport({ file, time, bytes }: Backup): JsonObject {
  return { file, bytes, time: new Date(time).toISOString() }
}
