/** Who listens on a TCP port of this machine, as far as the system tells us: on Linux, for processes of our own user. */
import { readdir, readFile, readlink } from 'node:fs/promises'
import { maskArguments } from '@switchboard/telemetry'
import { toSafeLine } from '../terminal/safe-text.ts'

export interface PortHolder {
  readonly pid: number
  readonly command: string
}

const LISTENING = '0A'

export async function findPortHolder(port: number): Promise<PortHolder | undefined> {
  if (process.platform !== 'linux') return undefined
  const inodes = await findInodes(port)
  if (inodes.size === 0) return undefined
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const handles = await readdir(`/proc/${pid}/fd`).catch(() => [])
    for (const handle of handles) {
      const target = await readlink(`/proc/${pid}/fd/${handle}`).catch(() => '')
      if (!inodes.has(target)) continue
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
      return { pid: Number(pid), command: toSafeLine(maskArguments(line.split('\0')).join(' ')).slice(0, 80) }
    }
  }
  return undefined
}

async function findInodes(port: number): Promise<Set<string>> {
  const wanted = `:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const found = new Set<string>()
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const text = await readFile(table, 'utf8').catch(() => '')
    for (const line of text.split('\n').slice(1)) {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      if (state === LISTENING && local.endsWith(wanted)) found.add(`socket:[${inode}]`)
    }
  }
  return found
}
