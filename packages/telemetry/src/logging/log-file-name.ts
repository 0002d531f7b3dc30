/** The one table of who writes which file. A file is never shared between processes. */
import type { FileNameParts } from '../append/rotated-file.ts'

export type LogFileOwner =
  | { readonly runtime: 'front' | 'extension' | 'command'; readonly inst: string }
  | { readonly runtime: 'daemon' }
  /** A server's output. With `inst` when a command, not the daemon, runs the server. */
  | { readonly runtime: 'server'; readonly name: string; readonly inst?: string }

const PREFIX = { front: 'mcp', extension: 'ext', command: 'cli' } as const
const MAX_NAME = 80

export function logFileName(owner: LogFileOwner): string {
  switch (owner.runtime) {
    case 'daemon':
      return 'daemon.log'
    case 'server': {
      const inst = owner.inst === undefined ? '' : `-${toFileName(owner.inst)}`
      return `server-${toFileName(owner.name)}${inst}.log`
    }
    default:
      return `${PREFIX[owner.runtime]}-${toFileName(owner.inst)}.log`
  }
}

/**
 * Letters, digits, `_` and `-` stay; anything else (separators, dots that would look like a rotated file, what Windows
 * refuses) becomes `_`, and a hash keeps two such names apart. The prefix takes care of names like `con`.
 */
export function toFileName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, MAX_NAME)
  if (plain === name && plain !== '') return plain
  // Loaded for odd names only: it would be a tenth of what a front needs of memory.
  const { createHash } = process.getBuiltinModule('node:crypto')
  return `${plain}-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`
}

/** Whether a file in the folder is a log of some Switchboard process, and may be deleted when it is too old. */
export function isLogFile(parts: FileNameParts): boolean {
  return parts.extension === '.log' && /^(?:daemon|(?:mcp|ext|cli|server)-[A-Za-z0-9_-]+)$/.test(parts.base)
}

/** The instance that a log's name tells: `mcp-tt79-6f854d` → `tt79-6f854d`. */
export function instanceOfBase(base: string): string | undefined {
  if (base === 'daemon') return 'daemon'
  return /^(?:mcp|ext|cli)-(.+)$/.exec(base)?.[1] ?? /-([0-9a-z]{4}-[0-9a-f]{6})$/.exec(base)?.[1]
}
