/**
 * Links of servers to files of this machine. Switchboard reads a link from the server that gave it and from nowhere else; an
 * agent or its client may open the file itself. So links that lead out of what the server was given are told.
 */
import { tmpdir } from 'node:os'
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isPathInside } from '@switchboard/base'
import type { ServerConfig } from '@switchboard/pool'
import type { Remark } from './find-remarks.ts'

const MOST_NAMED = 3
const MAX_SHOWN = 200

export class FileLinks {
  /** By server; as many as are named. */
  readonly #found = new Map<string, Set<string>>()

  /** Whether it is news. `workspace`: of whoever was given the link. */
  note(server: ServerConfig, uri: string, workspace?: string): boolean {
    const found = this.#found.get(server.name)
    if (found !== undefined && (found.size >= MOST_NAMED || found.has(uri))) return false
    const path = toPath(uri)
    const places = [...placesOf(server), tmpdir(), ...(workspace === undefined ? [] : [workspace])]
    if (path === undefined || places.some((place) => isPathInside(place, path))) return false
    this.#found.set(server.name, new Set([...(found ?? []), uri]))
    return true
  }

  remark(server: string): Remark[] {
    const found = this.#found.get(server)
    if (found === undefined) return []
    const list = [...found].map((uri) => uri.slice(0, MAX_SHOWN)).join(', ')
    return [{ id: `file_link:${list}`, server, name: '', text: `it links to files of this machine: ${list}` }]
  }
}

function toPath(uri: string): string | undefined {
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}

/** What it works with, as its configuration says. */
function placesOf(server: ServerConfig): string[] {
  if (server.type !== 'stdio') return []
  return [...server.args.filter(isAbsolute), ...(server.cwd === undefined ? [] : [server.cwd])]
}
