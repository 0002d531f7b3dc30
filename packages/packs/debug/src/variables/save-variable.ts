/** A large variable as JSON lines, page by page: it is never whole in memory. A file that could not be finished is removed. */
import { type FileHandle, mkdir, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DebugError } from '../session/debug-error.ts'
import type { DebugSession, Variable } from '../session/debug-session.ts'
import { maskValue } from '../snapshot/show-value.ts'

export interface SaveOptions {
  readonly pageSize: number
  readonly maxItems?: number
  readonly overwrite: boolean
  /** The path as an agent reads it. */
  readonly shown: string
  readonly showSecrets: boolean
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
  const handle = await openFile(file, options)
  let isDone = false
  try {
    const saved = await writePages(session, variable, handle, options)
    isDone = true
    return saved
  } catch (error) {
    throw isSystemError(error) ? createWriteError(error, options) : error
  } finally {
    await handle.close()
    if (!isDone) await rm(file, { force: true })
  }
}

async function writePages(
  session: DebugSession,
  { name, type, value, reference }: Variable,
  handle: FileHandle,
  { pageSize, maxItems = MAX_ITEMS, showSecrets, signal }: SaveOptions,
): Promise<SavedVariable> {
  const show = (child: string, text: string): string => (showSecrets ? text : maskValue(child, text))
  const counts = { named: 0, indexed: 0 }
  let bytes = await write([{ type: 'metadata', expression: name, of: type, value: show(name, value) }])
  let start = 0
  for (;;) {
    const wanted = Math.min(pageSize, maxItems - start)
    const page = await session.variables(reference, { start, count: wanted + 1 }, { signal })
    const records = page.slice(0, wanted).map((child) => {
      const kind = /^\[?\d+\]?$/.test(child.name) ? 'indexed' : 'named'
      counts[kind]++
      return { type: kind, name: child.name, value: show(`${name}.${child.name}`, child.value), of: child.type }
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

async function openFile(file: string, options: SaveOptions): Promise<FileHandle> {
  try {
    await mkdir(dirname(file), { recursive: true })
    return await open(file, options.overwrite ? 'w' : 'wx')
  } catch (error) {
    if (isSystemError(error) && error.code === 'EEXIST') {
      throw new DebugError('E_FILE_EXISTS', `${options.shown} is there already`)
    }
    throw createWriteError(error, options)
  }
}

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}

function createWriteError(error: unknown, { shown }: SaveOptions): DebugError {
  const why = isSystemError(error) ? (error.code ?? 'unknown') : String(error)
  return new DebugError('E_WRITE_FAILED', `${shown} could not be written: ${why}`, { cause: error })
}
