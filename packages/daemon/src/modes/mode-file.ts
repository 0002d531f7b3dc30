/**
 * One small file for every instance: which mode it has declared. Agents' tools, a person's command and the extension write
 * it; the gateway reads it at every call, so that a person's click holds from the next call on.
 *
 * Invariants
 * 1. A reader sees a whole file or none: it is written beside and renamed.
 * 2. Only the file of the named instance is ever written; `sweep` deletes no file of an instance that is in use.
 * 3. What is malformed, too large, no plain file or another instance's counts as no mode, and is logged once.
 */
import { type Stats, statSync } from 'node:fs'
import { chmod, mkdir, readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode, errorMessage, ForeignFileError, readForeignText, writeFileAtomically } from '@switchboard/base'
import { isInstanceId, isJsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { type Logger, silentLogger } from '@switchboard/telemetry'

/** activation: made blank when the instance came up. */
export type ModeSetter = 'agent' | 'person' | 'activation'

export interface ModeRecord {
  /** Null: none. */
  readonly mode: string | null
  readonly instance: string
  /** When it was set, or cleared. ISO 8601. */
  readonly at: string
  readonly setBy: ModeSetter
}

export interface ModeFilesOptions {
  /** `<home>/modes`. */
  readonly directory: string
  readonly log?: Logger
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

interface Cached {
  readonly stamp: string
  readonly record: ModeRecord | undefined
}

const FILE_NAME = /^agent_mode_([0-9a-z]{4}-[0-9a-f]{6})\.json(?:\.[0-9a-f-]{36}\.tmp)?$/
export const MAX_AGE_MS = 24 * 3_600_000
const MAX_BYTES = 4_096
/** Two writes within one tick of the file system's clock may look the same: until it is over, every read reads. */
const SETTLED_AFTER_MS = 100
const MAX_CACHED = 10_000

export class ModeFiles {
  readonly directory: string
  readonly #log: Logger
  readonly #now: () => number
  readonly #cache = new Map<string, Cached>()
  /** Complaints that were made, by file and stamp. */
  readonly #complained = new Map<string, string>()

  constructor({ directory, log = silentLogger, now = Date.now }: ModeFilesOptions) {
    this.directory = directory
    this.#log = log
    this.#now = now
  }

  fileOf(instance: string): string {
    const isValid: boolean = isInstanceId(instance)
    if (!isValid) {
      throw new SwitchboardError('invalid_arguments', `"${instance.slice(0, 60)}" is no instance id`, {
        hint: 'An id looks like tt79-6f854d; `switchboard mode show` lists those that are known.',
      })
    }
    return join(this.directory, `agent_mode_${instance}.json`)
  }

  /** Undefined: there is no file, or none that counts. One look at the file's stamp unless it changed. */
  read(instance: string): ModeRecord | undefined {
    const file = this.fileOf(instance)
    const stats = this.#stat(instance, file)
    if (stats === undefined) {
      this.#cache.delete(instance)
      return undefined
    }
    const stamp = `${stats.mtimeMs}:${stats.size}:${stats.ino}`
    const cached = this.#cache.get(instance)
    if (cached?.stamp === stamp) return cached.record
    const record = this.#parse(instance, file, stamp)
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear()
    if (Math.abs(this.#now() - stats.mtimeMs) > SETTLED_AFTER_MS) this.#cache.set(instance, { stamp, record })
    return record
  }

  async set(instance: string, mode: string, setBy: Exclude<ModeSetter, 'activation'>): Promise<ModeRecord> {
    return this.#write({ mode, instance, at: this.#time(), setBy })
  }

  async clear(instance: string, setBy: ModeSetter): Promise<ModeRecord> {
    return this.#write({ mode: null, instance, at: this.#time(), setBy })
  }

  /**
   * A blank file for an instance that has none. One that is there stays: its instance outlives a daemon, and an agent may be
   * quicker to declare its mode than we are to say that it has none.
   */
  async createBlank(instance: string): Promise<void> {
    await this.#write({ mode: null, instance, at: this.#time(), setBy: 'activation' }, { keepExisting: true })
  }

  /** Those that have a file which counts, by id. */
  async list(): Promise<ModeRecord[]> {
    const instances = (await this.#names()).flatMap((name) => (name.endsWith('.json') ? readInstance(name) : []))
    return instances.flatMap((instance) => this.read(instance) ?? [])
  }

  /** Deletes what is older than a day. Files of instances in use are marked as used instead, for others that sweep. */
  async sweep(isInUse: (instance: string) => boolean): Promise<number> {
    const now = this.#now()
    let deleted = 0
    for (const name of await this.#names()) {
      const file = join(this.directory, name)
      const [instance = ''] = readInstance(name)
      try {
        if (name.endsWith('.json') && isInUse(instance)) await utimes(file, new Date(now), new Date(now))
        else if (now - (await stat(file)).mtimeMs > MAX_AGE_MS) {
          await rm(file, { force: true })
          this.#complained.delete(instance)
          deleted++
        }
      } catch {
        // Gone meanwhile, or not ours to touch: the next sweep looks again.
      }
    }
    return deleted
  }

  async #names(): Promise<string[]> {
    try {
      return (await readdir(this.directory)).filter((name) => FILE_NAME.test(name)).sort()
    } catch {
      return []
    }
  }

  async #write(record: ModeRecord, options: { readonly keepExisting?: boolean } = {}): Promise<ModeRecord> {
    const { mode, instance, at, setBy } = record
    const file = this.fileOf(instance)
    const content = { mode, instance_id: instance, [mode === null ? 'cleared_at' : 'set_at']: at, set_by: setBy }
    try {
      await mkdir(this.directory, { recursive: true, mode: 0o700 })
      await chmod(this.directory, 0o700)
      // Not synced to disk: a file that a power cut leaves empty counts as no mode, and so it should.
      await writeFileAtomically(file, `${JSON.stringify(content)}\n`, options)
      return record
    } catch (error) {
      const reason = errorMessage(error)
      throw new SwitchboardError('internal', `The mode of ${instance} cannot be written: ${reason}`, {
        executed: false,
        hint: 'Check that the folder `modes` in the home of Switchboard can be written; `switchboard doctor` helps.',
        cause: error,
      })
    }
  }

  #parse(instance: string, file: string, stamp: string): ModeRecord | undefined {
    const read = (): unknown => {
      try {
        const value: unknown = JSON.parse(readForeignText(file, { maxBytes: MAX_BYTES }))
        return value
      } catch (error) {
        if (!(error instanceof ForeignFileError)) return 'cannot be read as JSON'
        return error.problem === 'missing' ? undefined : error.reason
      }
    }
    const value = read()
    if (value === undefined) return undefined
    const record = typeof value === 'string' ? value : readRecord(value, instance)
    if (typeof record !== 'string') return record
    return this.#complain(instance, file, record, stamp)
  }

  #stat(instance: string, file: string): Stats | undefined {
    try {
      return statSync(file, { throwIfNoEntry: false })
    } catch (error) {
      const code = errorCode(error) ?? String(error)
      return this.#complain(instance, file, `cannot be looked at (${code})`, code)
    }
  }

  #complain(instance: string, file: string, complaint: string, stamp: string): undefined {
    if (this.#complained.get(instance) === stamp) return
    this.#complained.set(instance, stamp)
    this.#log
      .child({ inst: instance })
      .warn('policy.mode', `the mode file ${complaint}; it counts as no mode`, { file })
  }

  #time(): string {
    return new Date(this.#now()).toISOString()
  }
}

/** The record, or what is wrong with it. */
function readRecord(value: unknown, instance: string): ModeRecord | string {
  if (!isJsonObject(value)) return 'holds no object'
  const { mode, instance_id: owner, set_at: setAt, cleared_at: clearedAt, set_by: setBy } = value
  if (owner !== instance) return 'belongs to another instance'
  const at = mode === null || mode === undefined ? clearedAt : setAt
  if (mode !== null && mode !== undefined && (typeof mode !== 'string' || mode === '')) return 'names no mode'
  if (typeof at !== 'string') return 'does not say when it was set'
  return { mode: mode ?? null, instance, at, setBy: setBy === 'agent' || setBy === 'person' ? setBy : 'activation' }
}

function readInstance(name: string): string[] {
  const instance = FILE_NAME.exec(name)?.[1]
  return instance === undefined ? [] : [instance]
}
