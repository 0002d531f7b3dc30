/**
 * What a person has let in of a project: a file for each folder (0600), with what was shown and the hash of what it was. Who may
 * write here may as well write the configuration.
 */
import { createHash } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensurePrivateFolder, errorCode, writeFileAtomically } from '@switchboard/base'
import { readIfPresent } from '@switchboard/base/locked-file'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'

export interface TrustedServer {
  readonly digest: string
  /** Of its file of variables; null: there was none. Absent: it names none. */
  readonly variables?: string | null
  /** What the person saw, secrets masked. */
  readonly shown: readonly string[]
}

export interface ProjectRecord {
  readonly folder: string
  /** ISO 8601. */
  readonly trustedAt: string
  readonly servers: ReadonlyMap<string, TrustedServer>
}

const VERSION = 1

export class ProjectTrust {
  readonly #folder: string

  /** `trust`: of the home. */
  constructor(trust: string) {
    this.#folder = join(trust, 'projects')
  }

  fileOf(folder: string): string {
    return join(this.#folder, `${createHash('sha256').update(folder).digest('hex').slice(0, 32)}.json`)
  }

  /** Undefined: nothing of it is trusted. */
  async read(folder: string): Promise<ProjectRecord | undefined> {
    const record = parse((await readIfPresent(this.fileOf(folder))) ?? '')
    return record?.folder === folder ? record : undefined
  }

  async list(): Promise<ProjectRecord[]> {
    const names = await readdir(this.#folder).catch((error: unknown) => {
      if (errorCode(error) === 'ENOENT') return []
      throw error
    })
    const texts = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => readIfPresent(join(this.#folder, name))),
    )
    return texts
      .flatMap((text) => parse(text ?? '') ?? [])
      .toSorted((one, other) => (one.folder < other.folder ? -1 : 1))
  }

  async write({ folder, trustedAt, servers }: ProjectRecord): Promise<void> {
    await ensurePrivateFolder(this.#folder)
    const content = { version: VERSION, folder, trustedAt, servers: Object.fromEntries(servers) }
    await writeFileAtomically(this.fileOf(folder), `${JSON.stringify(content, null, 2)}\n`, { flush: true })
  }

  /** False: nothing of it was trusted. */
  async delete(folder: string): Promise<boolean> {
    try {
      await rm(this.fileOf(folder))
      return true
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false
      throw error
    }
  }
}

/** Undefined: damaged, which is as good as none. */
function parse(text: string): ProjectRecord | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isJsonObject(value) || value.version !== VERSION || !isJsonObject(value.servers)) return undefined
  const { folder, trustedAt } = value
  if (typeof folder !== 'string' || typeof trustedAt !== 'string') return undefined
  const servers = Object.entries(value.servers).flatMap(([name, entry]): [string, TrustedServer][] => {
    const server = isJsonObject(entry) ? parseServer(entry) : undefined
    return server === undefined ? [] : [[name, server]]
  })
  return { folder, trustedAt, servers: new Map(servers) }
}

function parseServer({ digest, variables, shown }: JsonObject): TrustedServer | undefined {
  if (typeof digest !== 'string') return undefined
  const lines = Array.isArray(shown) ? shown.filter((line) => typeof line === 'string') : []
  if (variables === undefined) return { digest, shown: lines }
  return variables === null || typeof variables === 'string' ? { digest, variables, shown: lines } : undefined
}
