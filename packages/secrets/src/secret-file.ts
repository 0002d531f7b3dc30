/** One file for each secret, so that two processes that keep two secrets never meet. */
import { createHash } from 'node:crypto'
import { isJsonObject } from '@switchboard/protocol'

export interface OpenSecret {
  readonly name: string
  readonly secret: string
}

export interface SealedSecret {
  readonly name: string
  /** Base64. */
  readonly sealed: string
  /** The name of the key that opens it. */
  readonly key: string
}

const VERSION = 1
const SUFFIX = '.secret.json'

/** File systems that cannot tell `A` from `a` still tell the hashes apart. */
export function secretFileName(name: string): string {
  const readable = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `${readable}-${createHash('sha256').update(name).digest('hex').slice(0, 16)}${SUFFIX}`
}

export function isSecretFileName(fileName: string): boolean {
  return fileName.endsWith(SUFFIX)
}

export function formatSecretFile(file: OpenSecret | SealedSecret): string {
  return `${JSON.stringify({ version: VERSION, ...file }, null, 2)}\n`
}

/** Undefined: it is none, or damaged. */
export function parseSecretFile(content: string): OpenSecret | SealedSecret | undefined {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return undefined
  }
  if (!isJsonObject(value) || value.version !== VERSION || typeof value.name !== 'string') return undefined
  const { name, secret, sealed, key } = value
  if (typeof secret === 'string') return { name, secret }
  return typeof sealed === 'string' && typeof key === 'string' ? { name, sealed, key } : undefined
}
