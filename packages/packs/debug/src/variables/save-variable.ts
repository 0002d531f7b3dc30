/** A large variable as JSON lines, page by page: it is never whole in memory. A file that could not be finished is not there. */
import { lstatSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { ForeignDraft, ForeignFileError } from '@switchboard/base'
import { ToolError } from '@switchboard/toolkit'
import type { DebugSession, Variable } from '../engine/debug-session.ts'
import type { Masking } from '../snapshot/masking.ts'

export interface SaveOptions {
  readonly pageSize: number
  readonly maxItems?: number
  readonly overwrite: boolean
  /** Nothing is written outside of it. */
  readonly root: string
  /** The path as an agent reads it. */
  readonly shown: string
  readonly masking: Masking
  readonly signal: AbortSignal
}

export interface SavedVariable {
  readonly bytes: number
  readonly counts: { readonly named: number; readonly indexed: number }
  readonly truncatedByLimit: boolean
}

const MAX_ITEMS = 1_000_000

export async function saveVariable(
  session: DebugSession,
  variable: Variable,
  file: string,
  options: SaveOptions,
): Promise<SavedVariable> {
  // Told before the pages are read, not after.
  if (!options.overwrite && lstatSync(file, { throwIfNoEntry: false }) !== undefined) throw createExistsError(options)
  const draft = await openDraft(file, options)
  const saved = await writePages(session, variable, draft.handle, options).catch(async (error: unknown) => {
    await draft.discard()
    throw isSystemError(error) ? createWriteError(error, options) : error
  })
  const isSaved = await draft.commit(options).catch((error: unknown) => {
    throw createWriteError(error, options)
  })
  if (!isSaved) throw createExistsError(options)
  return saved
}

async function writePages(
  session: DebugSession,
  { name, type, value, reference }: Variable,
  handle: FileHandle,
  { pageSize, maxItems = MAX_ITEMS, masking, signal }: SaveOptions,
): Promise<SavedVariable> {
  const counts = { named: 0, indexed: 0 }
  let bytes = await write([{ type: 'metadata', expression: name, of: type, value: masking.value(name, value) }])
  let start = 0
  for (;;) {
    const wanted = Math.min(pageSize, maxItems - start)
    const page = await session.variables(reference, { start, count: wanted + 1 }, { signal })
    const records = page.slice(0, wanted).map((child) => {
      const kind = /^\[?\d+\]?$/.test(child.name) ? 'indexed' : 'named'
      counts[kind]++
      return { type: kind, name: child.name, value: masking.value(child.name, child.value), of: child.type }
    })
    bytes += await write(records)
    start += records.length
    if (page.length <= wanted) return { bytes, counts, truncatedByLimit: false }
    if (start >= maxItems) return { bytes, counts, truncatedByLimit: true }
  }

  async function write(records: readonly unknown[]): Promise<number> {
    const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
    await handle.write(text)
    return Buffer.byteLength(text)
  }
}

async function openDraft(file: string, options: SaveOptions): Promise<ForeignDraft> {
  try {
    return await ForeignDraft.open(file, options)
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw createWriteError(error, options)
    throw new ToolError('E_OUTSIDE_WORKSPACE', `${options.shown} ${error.reason}`, { cause: error })
  }
}

function createExistsError({ shown }: SaveOptions): ToolError {
  return new ToolError('E_FILE_EXISTS', `${shown} is there already`)
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

function createWriteError(error: unknown, { shown }: SaveOptions): ToolError {
  const why = isSystemError(error) ? (error.code ?? 'unknown') : String(error)
  return new ToolError('E_WRITE_FAILED', `${shown} could not be written: ${why}`, { cause: error })
}
