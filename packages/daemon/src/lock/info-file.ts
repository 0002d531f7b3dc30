/** Who holds the lock, for people and messages. A statement, never a proof: only the lock itself is one. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { type DaemonInfo, isJsonObject } from '@switchboard/protocol'

/** Replaced as a whole: a reader sees the old one or the new one. */
export async function writeDaemonInfo(file: string, info: DaemonInfo): Promise<void> {
  const draft = `${file}.${info.pid}.tmp`
  await writeFile(draft, `${JSON.stringify(info)}\n`, { mode: 0o600 })
  await rename(draft, file)
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
