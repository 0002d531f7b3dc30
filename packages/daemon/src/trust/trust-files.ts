/**
 * The records of servers on disk, a file for each name and command. Several processes may have the same home (a daemon, a server
 * of its own for one agent, a command): a change is made to what the file holds at that moment, and what others change is heard.
 */
import { createHash } from 'node:crypto'
import { type FSWatcher, mkdirSync, readdirSync, readFileSync, watch } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, errorMessage } from '@switchboard/base'
import { changeFile } from '@switchboard/base/locked-file'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { Logger } from '@switchboard/telemetry'
import { formatTrustRecord, parseTrustRecord, type TrustRecord } from './trust-record.ts'

/** Of the record as it is now; undefined: there is none. Returns what it is to be; undefined: it stays. */
export type ChangeRecord = (record: TrustRecord | undefined) => TrustRecord | undefined

export type RecordReading =
  | { readonly state: 'read'; readonly record: TrustRecord }
  | { readonly state: 'none' }
  | { readonly state: 'damaged'; readonly reason: string }

/** `-<24 hex digits>.json` */
const FILE_END = 30

/** There is none, or no folder that it could lie in. */
const NO_FILE: readonly unknown[] = ['ENOENT', 'ENOTDIR']

export class TrustFiles {
  readonly #directory: string
  readonly #log: Logger
  /** Changes of one file go one after the other. */
  readonly #writes = new Map<string, Promise<void>>()
  /** What the files held when they were last read or written. */
  readonly #stamps = new Map<string, string>()
  #watcher: FSWatcher | undefined

  constructor(directory: string, log: Logger) {
    this.#directory = directory
    this.#log = log
  }

  fileOf(server: string, identity: string): string {
    return join(this.#directory, `${toFileName(server)}-${identity}.json`)
  }

  /** At once: what a server offers is judged before anybody can see it. Never throws. */
  read(file: string): RecordReading {
    try {
      const content = readFileSync(file, 'utf8')
      this.#stamps.set(file, stampOf(content))
      return { state: 'read', record: parseTrustRecord(content, file) }
    } catch (error) {
      this.#stamps.delete(file)
      const isNone = NO_FILE.includes(errorCode(error))
      return isNone ? { state: 'none' } : { state: 'damaged', reason: errorMessage(error) }
    }
  }

  /** Of the servers whose name is wanted, whatever was run under it; damaged ones are left out. */
  readNamed(isWanted: (fileName: string) => boolean): TrustRecord[] {
    return this.#names().flatMap((name) => {
      if (!isWanted(name.slice(0, -FILE_END))) return []
      const reading = this.read(join(this.#directory, name))
      return reading.state === 'read' ? [reading.record] : []
    })
  }

  /** Rejects when it cannot be written. A damaged one is begun anew. */
  async change(file: string, change: ChangeRecord): Promise<TrustRecord | undefined> {
    let next: TrustRecord | undefined
    const write = async (): Promise<void> => {
      await changeFile(file, (content) => {
        const before = content === undefined ? undefined : tryParse(content, file)
        next = change(before)
        const text = next === undefined ? undefined : formatTrustRecord(next)
        next ??= before
        if (text === undefined || text === content) return undefined
        this.#stamps.set(file, stampOf(text))
        return text
      })
    }
    const written = (this.#writes.get(file) ?? Promise.resolve()).catch(() => undefined).then(write)
    this.#writes.set(file, written)
    try {
      await written
    } catch (error) {
      if (error instanceof SwitchboardError) throw error
      throw new SwitchboardError('invalid_configuration', `${file} cannot be written: ${errorMessage(error)}`, {
        hint: 'Check who owns it and its folder, and whether the disk is full.',
        cause: error,
      })
    } finally {
      if (this.#writes.get(file) === written) this.#writes.delete(file)
    }
    return next
  }

  async remove(file: string): Promise<void> {
    await rm(file, { force: true })
    this.#stamps.delete(file)
  }

  /** What another process changes is told by the path of the file, until `close`. */
  watch(onChanged: (file: string) => void): void {
    try {
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
      this.#watcher = watch(this.#directory, { persistent: false }, (_event, name) => {
        if (name === null || !name.endsWith('.json')) return
        const file = join(this.#directory, name)
        const before = this.#stamps.get(file)
        if (this.#stampNow(file) !== before) onChanged(file)
      })
      this.#watcher.on('error', (error) => this.#onWatchFailed(error))
    } catch (error) {
      this.#onWatchFailed(error)
    }
  }

  async close(): Promise<void> {
    this.#watcher?.close()
    await Promise.all([...this.#writes.values()].map((written) => written.catch(() => undefined)))
  }

  #stampNow(file: string): string | undefined {
    try {
      return stampOf(readFileSync(file, 'utf8'))
    } catch {
      return undefined
    }
  }

  #names(): string[] {
    try {
      return readdirSync(this.#directory)
        .filter((name) => name.endsWith('.json'))
        .sort()
    } catch {
      return []
    }
  }

  #onWatchFailed(error: unknown): void {
    this.#log.warn('trust.watch', `what other processes accept is not heard of: ${errorMessage(error)}`)
  }
}

/** As it begins the names of a server's files. Two servers may have the same. */
export function toFileName(server: string): string {
  return server.replace(/[^A-Za-z0-9_-]/g, '_')
}

function stampOf(content: string): string {
  return createHash('sha256').update(content).digest('base64')
}

function tryParse(content: string, file: string): TrustRecord | undefined {
  try {
    return parseTrustRecord(content, file)
  } catch {
    return undefined
  }
}
