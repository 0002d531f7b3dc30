/**
 * What was learned of a server, kept on disk: its era (so a silent one is probed once in its life), its catalog (so a
 * lazy server's tools are listed without starting it) and whether it asks back. One small file a server, found
 * by what is run or reached and by its name: two entries that run the same program may allow different tools of it. A
 * file that cannot be read is as good as none.
 */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeFileAtomically } from '@switchboard/base'
import { type Catalog, type Era, isJsonObject } from '@switchboard/protocol'
import { parseJson } from '@switchboard/protocol/framing'
import type { ServerConfig } from '../config/server-config.ts'

export interface Learned {
  readonly era?: Era
  /** The transport that worked where the URL alone did not tell. */
  readonly transport?: 'http' | 'sse'
  /** What was seen asking back: names of tools, or methods. */
  readonly asks?: readonly string[]
  readonly catalog?: Catalog
}

export interface CatalogCache {
  load(config: ServerConfig): Learned
  /** Never rejects: a cache that cannot be written is only slower next time. */
  save(config: ServerConfig, learned: Learned): Promise<void>
}

/** For a library user who gives no folder: nothing is remembered. */
export const noCatalogCache: CatalogCache = { load: () => ({}), save: () => Promise.resolve() }

const FORMAT = 1

export function createCatalogCache(directory: string): CatalogCache {
  mkdirQuietly(directory)
  const writes = new Map<string, Promise<void>>()
  return {
    load: (config) => read(join(directory, createFileName(config))),
    save(config, learned) {
      const file = join(directory, createFileName(config))
      // One after the other, so that the last word is the last written.
      const written = (writes.get(file) ?? Promise.resolve()).then(() => write(file, learned))
      writes.set(file, written)
      return written.finally(() => {
        if (writes.get(file) === written) writes.delete(file)
      })
    },
  }
}

function createFileName(config: ServerConfig): string {
  return `${config.name.replace(/[^A-Za-z0-9_-]/g, '_')}-${identifyServer(config)}.json`
}

/** What is run or reached under a name: another one is another server. Nothing of it can be read back. */
export function identifyServer(config: ServerConfig): string {
  const identity =
    config.type === 'stdio'
      ? ['stdio', config.command, ...config.args, config.cwd ?? '']
      : [config.type, new URL(config.url).origin + new URL(config.url).pathname]
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 24)
}

function read(file: string): Learned {
  try {
    const value: unknown = parseJson(readFileSync(file, 'utf8'))
    if (!isJsonObject(value) || value.format !== FORMAT) return {}
    const { era, transport, asks, catalog } = value
    return {
      ...(era === 'legacy' || era === 'modern' ? { era } : {}),
      ...(transport === 'http' || transport === 'sse' ? { transport } : {}),
      ...(Array.isArray(asks) && asks.every((name) => typeof name === 'string') ? { asks } : {}),
      ...(isCatalog(catalog) ? { catalog } : {}),
    }
  } catch {
    return {}
  }
}

function isCatalog(value: unknown): value is Catalog {
  return (
    isJsonObject(value) &&
    ['tools', 'resources', 'templates', 'prompts'].every((part) => Array.isArray(value[part])) &&
    typeof value.instructions === 'string' &&
    isJsonObject(value.capabilities)
  )
}

async function write(file: string, learned: Learned): Promise<void> {
  await writeFileAtomically(file, JSON.stringify({ format: FORMAT, ...learned }), { createFolder: true }).catch(
    () => false,
  )
}

function mkdirQuietly(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
  } catch {
    // Reading finds nothing and writing fails quietly: both are handled where they happen.
  }
}
