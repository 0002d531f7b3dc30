/**
 * Linux' own list of TCP connections (`/proc/net/tcp`, `tcp6`), read for the rows of a few of them. One read walks the
 * kernel's whole table, milliseconds of its time whatever it holds, so it is done off the event loop, in pieces, and once
 * for all who ask meanwhile.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { isIPv4, isIPv6 } from 'node:net'
import { endianness } from 'node:os'

/** One end of a connection, as the end itself sees it. */
export interface SocketEnds {
  readonly local: { readonly address: string; readonly port: number }
  readonly remote: { readonly address: string; readonly port: number }
}

export interface SocketRow {
  /** Who made the socket. Means nothing of one that is not held. */
  readonly uid: number
  /** A process has it. The kernel shows one that was closed, or that nobody took yet, as root's. */
  readonly isHeld: boolean
  /** As the kernel numbers them: 1 is established. */
  readonly state: number
}

const CHUNK_BYTES = 64 * 1024
const ROW = /^ ([0-9A-F]{2}) [0-9A-F]+:[0-9A-F]+ [0-9A-F]+:[0-9A-F]+ [0-9A-F]+ +(\d+) +\d+ +(\d+) /

/** How the table names that connection; of IPv4 also as a socket of IPv6 shows it. Empty: no address that it could hold. */
export function rowKeys({ local, remote }: SocketEnds): string[] {
  const [from, to] = [readBytes(local.address), readBytes(remote.address)]
  if (from === undefined || to === undefined) return []
  const key = (bytes: readonly number[], port: number): string => `${toWords(bytes)}:${toHex(port, 4)}`
  const wide = `${key(from, local.port)} ${key(to, remote.port)}`
  if (!isMapped(from) || !isMapped(to)) return [wide]
  return [`${key(from.slice(12), local.port)} ${key(to.slice(12), remote.port)}`, wide]
}

/** Adds the rows of `wanted` to `found`, and stops at the last of them. Rejects when the table cannot be read. */
export async function findRows(
  file: string,
  wanted: ReadonlySet<string>,
  found: Map<string, SocketRow>,
): Promise<void> {
  const missing = new Set([...wanted].filter((key) => !found.has(key)))
  if (missing.size === 0) return
  const handle = await open(file)
  try {
    await scan(handle, missing, found)
  } finally {
    await handle.close()
  }
}

async function scan(handle: FileHandle, missing: Set<string>, found: Map<string, SocketRow>): Promise<void> {
  const lengths = [...new Set([...missing].map((key) => key.length))]
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
  let rest = ''
  while (missing.size > 0) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK_BYTES, null)
    if (bytesRead === 0) return
    const text = rest + chunk.toString('latin1', 0, bytesRead)
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const at = text.indexOf(': ', start) + 2
      for (const length of lengths) {
        const key = text.slice(at, at + length)
        const row = missing.has(key) ? readRow(text.slice(at + length, end)) : undefined
        if (row !== undefined && missing.delete(key)) found.set(key, row)
      }
      start = end + 1
    }
    rest = text.slice(start)
  }
}

function readRow(text: string): SocketRow | undefined {
  const [, state = '', uid = '', inode = ''] = ROW.exec(text) ?? []
  return state === '' ? undefined : { uid: Number(uid), isHeld: inode !== '0', state: Number.parseInt(state, 16) }
}

/** Sixteen; those of IPv4 in their mapped form. */
function readBytes(address: string): number[] | undefined {
  if (isIPv4(address)) return [...Array<number>(10).fill(0), 255, 255, ...address.split('.').map(Number)]
  const [bare = ''] = address.split('%')
  if (!isIPv6(bare)) return undefined
  const dotted = bare.slice(bare.lastIndexOf(':') + 1)
  const tail = isIPv4(dotted) ? dotted.split('.').map(Number) : []
  const text = tail.length === 0 ? bare : bare.slice(0, -dotted.length).replace(/([^:]):$/, '$1')
  const [head = '', end] = text.split('::')
  const words = (part: string): number[] =>
    part
      .split(':')
      .filter((word) => word !== '')
      .flatMap((word) => [Number.parseInt(word, 16) >> 8, Number.parseInt(word, 16) & 255])
  const before = words(head)
  const after = [...words(end ?? ''), ...tail]
  return [...before, ...Array<number>(16 - before.length - after.length).fill(0), ...after]
}

function isMapped(bytes: readonly number[]): boolean {
  return bytes.every((byte, index) => index > 11 || byte === (index > 9 ? 255 : 0))
}

/** The kernel prints each word of four bytes as the number that this machine takes it for. */
function toWords(bytes: readonly number[]): string {
  const words = []
  for (let at = 0; at < bytes.length; at += 4) {
    const word = bytes.slice(at, at + 4)
    words.push((endianness() === 'LE' ? word.reverse() : word).map((byte) => toHex(byte, 2)).join(''))
  }
  return words.join('')
}

function toHex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0')
}
