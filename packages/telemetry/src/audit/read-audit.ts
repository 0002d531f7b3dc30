/** Reads the audit trail back: the entries of all instances, rotated files included, in the order of time. */
import { type FileHandle, open, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, errorMessage } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { parseFileName } from '../append/rotated-file.ts'
import { FileLineReader } from '../reading/file-line-reader.ts'
import type { AuditEntry } from './audit-trail.ts'

/** An entry as it stands in the file. */
export interface AuditLine extends AuditEntry {
  readonly ts: string
  readonly inst: string
}

export interface AuditQuery {
  /** `<home>/traces`. */
  readonly directory: string
  /** What the trace id begins with. */
  readonly traceId?: string
  /** Only the last so many that match. */
  readonly limit: number
}

interface AuditFile {
  readonly path: string
  readonly size: number
  readonly mtime: number
}

/** A folder that does not exist holds none; a line that is no entry is passed over. */
export async function readAudit({ directory, traceId = '', limit }: AuditQuery): Promise<AuditLine[]> {
  const found: AuditLine[] = []
  // Newest first: a file that was last written before all of what is found so far has nothing to add.
  for (const file of await listAuditFiles(directory)) {
    const oldest = found.length < limit ? undefined : found[found.length - limit]
    if (oldest !== undefined && file.mtime < Date.parse(oldest.ts)) break
    found.push(...(await readLast(file, `"trace_id":"${traceId}`, limit)))
    found.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0))
  }
  return limit <= 0 ? [] : found.slice(-limit)
}

async function readLast({ path, size }: AuditFile, wanted: string, limit: number): Promise<AuditLine[]> {
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch (error) {
    // Rotated or purged since it was listed.
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
  const found: AuditLine[] = []
  try {
    const reader = new FileLineReader(handle, 'backward', size)
    for (let lines = await reader.read(); lines !== undefined; lines = await reader.read()) {
      for (const line of lines) {
        if (!line.includes(wanted)) continue
        const entry = parseEntry(line)
        if (entry !== undefined) found.push(entry)
        if (found.length >= limit) return found.reverse()
      }
    }
  } finally {
    await handle.close()
  }
  return found.reverse()
}

async function listAuditFiles(directory: string): Promise<AuditFile[]> {
  let names: string[]
  try {
    names = await readdir(directory)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    const reason = errorMessage(error)
    throw new SwitchboardError('internal', `The folder of the audit trail, ${directory}, cannot be read: ${reason}`, {
      hint: 'Check that it is a folder and that you may read it.',
      cause: error,
    })
  }
  const files: AuditFile[] = []
  for (const name of names) {
    if (parseFileName(name)?.extension !== '.jsonl') continue
    const path = join(directory, name)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile()) files.push({ path, size: found.size, mtime: found.mtimeMs })
  }
  return files.sort((a, b) => b.mtime - a.mtime)
}

function parseEntry(line: string): AuditLine | undefined {
  try {
    const value: unknown = JSON.parse(line)
    // Written by us; what a crash cut off is not whole JSON, and a notice has no tool.
    return isEntry(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isEntry(value: unknown): value is AuditLine {
  if (typeof value !== 'object' || value === null) return false
  const { ts, inst, trace_id, tool, provider, outcome, duration_ms }: Record<string, unknown> = { ...value }
  return (
    [ts, inst, trace_id, tool, provider, outcome].every((part) => typeof part === 'string') &&
    typeof duration_ms === 'number'
  )
}
