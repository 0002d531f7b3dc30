/** Who holds the lock, for people and messages. A statement, never a proof: only the lock itself is one. */
import { readFile, rm } from 'node:fs/promises'
import { writeFileAtomically } from '@switchboard/base'
import { isJsonObject } from '@switchboard/protocol'
import type { DaemonInfo } from '@switchboard/protocol/ipc'

/** Replaced as a whole: a reader sees the old one or the new one. */
export async function writeDaemonInfo(file: string, info: DaemonInfo): Promise<void> {
  await writeFileAtomically(file, `${JSON.stringify(info)}\n`)
}

/** Undefined: it is not there, or says nothing that can be understood. */
export async function readDaemonInfo(file: string): Promise<DaemonInfo | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'))
    if (!isJsonObject(value)) return undefined
    const { pid, epoch, version, endpoint, started_at } = value
    const isWhole =
      typeof pid === 'number' &&
      typeof epoch === 'number' &&
      typeof version === 'string' &&
      typeof endpoint === 'string' &&
      typeof started_at === 'string'
    return isWhole ? { pid, epoch, version, endpoint, started_at } : undefined
  } catch {
    return undefined
  }
}

/** A successor's is left alone. */
export async function removeDaemonInfo(file: string, own: DaemonInfo): Promise<void> {
  const found = await readDaemonInfo(file)
  if (found?.pid === own.pid && found.epoch === own.epoch) await rm(file, { force: true })
}
