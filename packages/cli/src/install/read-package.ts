/** What an archive of npm's (`.tgz`) says of itself, without unpacking it. */
import { createHash } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ForeignFileError, readForeignBytes } from '@switchboard/base'
import { isJsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'

const MAX_BYTES = 256 * 1024 * 1024
const BLOCK = 512

export interface PackageFile {
  readonly version: string
  /** Whether a list of checksums beside it names it, with the right one. */
  readonly isChecked: boolean
}

/** Throws for what is no package of ours, and for one whose checksum is another than the list beside it says. */
export async function readPackage(file: string): Promise<PackageFile> {
  const bytes = await readBytes(file)
  const manifest = findManifest(bytes)
  if (manifest === undefined || manifest.name !== 'switchboard' || typeof manifest.version !== 'string') {
    throw refuse(`${file} is no package of Switchboard.`)
  }
  return { version: manifest.version, isChecked: await compareChecksum(file, bytes) }
}

async function readBytes(file: string): Promise<Buffer> {
  try {
    return await readForeignBytes(file, { maxBytes: MAX_BYTES })
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    throw refuse(`${file} ${error.reason}.`)
  }
}

function findManifest(bytes: Buffer): Record<string, unknown> | undefined {
  try {
    const content = findEntry(gunzipSync(bytes, { maxOutputLength: 4 * MAX_BYTES }), 'package/package.json')
    const value: unknown = content === undefined ? undefined : JSON.parse(content.toString('utf8'))
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** A tar is a row of blocks of 512 bytes: a header with name and size, then the content. */
function findEntry(tar: Buffer, name: string): Buffer | undefined {
  for (let at = 0; at + BLOCK <= tar.length; ) {
    const found = tar.toString('utf8', at, at + 100).split('\0')[0]
    const size = Number.parseInt(tar.toString('latin1', at + 124, at + 136), 8)
    if (found === '' || !Number.isSafeInteger(size) || size < 0) return undefined
    if (found === name) return tar.subarray(at + BLOCK, at + BLOCK + size)
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
  }
  return undefined
}

async function compareChecksum(file: string, bytes: Buffer): Promise<boolean> {
  const list = join(dirname(file), 'SHA256SUMS')
  const text = await readForeignBytes(list, { maxBytes: 1024 * 1024 }).then(String, () => '')
  const line = text.split('\n').find((one) => one.trim().endsWith(` ${basename(file)}`))
  if (line === undefined) return false
  if (line.startsWith(createHash('sha256').update(bytes).digest('hex'))) return true
  throw refuse(`${file} is not what ${list} says: its checksum is another one.`)
}

function refuse(problem: string): SwitchboardError {
  return new SwitchboardError('invalid_arguments', problem, {
    hint: 'Give the file that `npm run release` or `npm pack` has made: switchboard-<version>.tgz.',
  })
}
