import { readPart, withForeignFile } from '@switchboard/base'

/** The beginning of a file; empty when there is none, or it is no file. */
function readFirstBytes(path: string, count: number): Buffer {
  try {
    return withForeignFile(path, { maxBytes: Number.POSITIVE_INFINITY }, ({ fd, size }) =>
      readPart(fd, 0, Math.min(size, count)),
    )
  } catch {
    return Buffer.alloc(0)
  }
}

export type ProgramKind = 'native' | 'go' | 'script' | 'other'

const MAGIC_NUMBERS = new Set([0x7f454c46, 0xcffaedfe, 0xcefaedfe, 0xcafebabe, 0xfeedface, 0xfeedfacf])

/** By the first bytes. A binary of Go carries a note with its build id near the beginning. */
export function readProgramKind(path: string): ProgramKind {
  const head = readFirstBytes(path, 8192)
  if (head.length < 4) return 'other'
  const isNative = MAGIC_NUMBERS.has(head.readUInt32BE(0)) || head.subarray(0, 2).toString('latin1') === 'MZ'
  if (isNative) return /Go\0\0[\w-]{10}|Go build ID: "/.test(head.toString('latin1')) ? 'go' : 'native'
  return head.subarray(0, 2).toString('latin1') === '#!' ? 'script' : 'other'
}

export function readShebang(path: string): string {
  const head = readFirstBytes(path, 200).toString('latin1')
  return head.startsWith('#!') ? (head.split('\n')[0] ?? '') : ''
}
