/** What packs keep, as lines. Pure: a report in, lines out. */
import type { DaemonStatus } from '@switchboard/daemon/client'
import { isJsonObject } from '@switchboard/protocol'
import { formatBytes, formatCount, formatDuration } from '../terminal/format.ts'
import { toSafeLine } from '../terminal/safe-text.ts'
import type { Style } from '../terminal/style.ts'

export type ToldStore = NonNullable<DaemonStatus['store']>
type PackStatus = NonNullable<DaemonStatus['packs']>[number]

export interface StoreLinesOptions {
  readonly style: Style
  readonly now: number
}

/** `store: sqlite, 1.2 MB, 1204 items, backed up 3h 05m ago`, and a line of what is in it. */
export function renderStore(
  store: ToldStore,
  packs: readonly PackStatus[],
  { style, now }: StoreLinesOptions,
): string[] {
  const { engine, place, state, bytes, items = {}, waiting = 0, last_backup: backup, error } = store
  if (state === 'absent') return []
  if (state === 'failed') {
    return [
      style.red(`store: ${engine} cannot be used: ${toSafeLine(error?.message ?? '')}`),
      style.dim('switchboard doctor tells what to do'),
    ]
  }
  const total = Object.values(items).reduce((sum, count) => sum + count, 0)
  const told = [
    engine,
    formatBytes(bytes),
    ...(state === 'open' ? [formatCount(total, 'item')] : [state]),
    ...(waiting === 0 ? [] : [`${formatCount(waiting, 'write')} waiting`]),
    // A server is backed up where it runs.
    ...(engine === 'postgres' ? [toSafeLine(place)] : [describeBackup(backup, now)]),
  ]
  return [style.dim(`store: ${told.join(', ')}`), ...describeMemory(items, packs).map((line) => style.dim(line))]
}

const describeBackup = (backup: string | null, now: number): string =>
  backup === null ? 'not backed up yet' : `backed up ${formatDuration(Math.max(0, now - Date.parse(backup)))} ago`

/** How much of each kind there is, what encodes it, and for how long it is kept. */
function describeMemory(items: Readonly<Record<string, number>>, packs: readonly PackStatus[]): string[] {
  const kinds = Object.entries(items).flatMap(([space, count]) =>
    space.startsWith('memory_') && count > 0 ? [`${toSafeLine(space.slice('memory_'.length))} ${count}`] : [],
  )
  const memory = packs.find(({ name }) => name === 'pack:memory')
  const told = [...kinds, ...describeEncoder(memory?.encoder), ...describeRetention(memory?.retentionDays)]
  return told.length === 0 ? [] : [`memory: ${told.join(', ')}`]
}

function describeEncoder(encoder: unknown): string[] {
  if (!isJsonObject(encoder)) return []
  const { model, place, problem } = encoder
  const which = toSafeLine([model, place].filter((part) => typeof part === 'string').join(' at '))
  return [typeof problem === 'string' ? `encoder ${which} is down: ${toSafeLine(problem)}` : `encoder ${which}`]
}

function describeRetention(days: unknown): string[] {
  return typeof days === 'number' && days > 0 ? [`kept for ${formatCount(days, 'day')}`] : []
}

/** For `--json`. */
export function toStoreJson({ last_backup: lastBackup, ...store }: ToldStore): object {
  return { ...store, lastBackup }
}
