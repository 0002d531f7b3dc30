/** The playsets of the Paradox launcher, from its own database `launcher-v2.sqlite`, opened to read only. */
import { withForeignFile } from '@switchboard/base'
import type { ListedMod, ModList } from './listed-mod.ts'
import { PlaysetError } from './playset-error.ts'

const MAX_DATABASE = 1 << 30

export interface LauncherPlayset extends ModList {
  /** The one that the launcher starts the game with. */
  readonly isActive: boolean
}

type Row = Readonly<Record<string, unknown>>

export function readLauncherDatabase(path: string): LauncherPlayset[] {
  // SQLite opens by name: first it is made sure that a plain file is there.
  withForeignFile(path, { maxBytes: MAX_DATABASE }, () => undefined)
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  try {
    const database = new DatabaseSync(path, { readOnly: true })
    try {
      const read = (sql: string): Row[] => database.prepare(sql).all()
      return readPlaysets(read)
    } finally {
      database.close()
    }
  } catch (error) {
    throw new PlaysetError(
      path,
      'is no database of the launcher that can be read: tables playsets, mods and playsets_mods are wanted',
      error,
    )
  }
}

function readPlaysets(read: (sql: string) => Row[]): LauncherPlayset[] {
  const mods = new Map(read('SELECT * FROM mods').map((mod) => [String(mod.id), mod]))
  const members = Map.groupBy(read('SELECT * FROM playsets_mods'), ({ playsetId }) => String(playsetId))
  return read('SELECT * FROM playsets')
    .filter(({ isRemoved }) => isRemoved !== 1)
    .map((playset) => ({
      name: String(playset.name),
      isActive: playset.isActive === 1,
      mods: (members.get(String(playset.id)) ?? [])
        .sort((a, b) => comparePositions(a.position, b.position))
        .map((member) => toMod(member, mods.get(String(member.modId)) ?? {})),
      disabledDlcs: [],
    }))
}

/** Numbers in newer launchers, digits of the same length in older ones. */
function comparePositions(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0
}

function toMod(member: Row, mod: Row): ListedMod {
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)
  const name = text(mod.displayName) ?? text(mod.name)
  // `gameRegistryId` is the descriptor (`mod/ugc_1.mod`), which also knows what is replaced.
  const folder = text(mod.dirPath) ?? text(mod.archivePath)
  const path = text(mod.gameRegistryId) ?? folder
  const workshopId = text(mod.steamId)
  return {
    ...(name !== undefined && { name }),
    ...(path !== undefined && { path }),
    ...(folder !== undefined && folder !== path && { otherPath: folder }),
    ...(workshopId !== undefined && { workshopId }),
    isEnabled: member.enabled !== 0,
    dependencies: [],
  }
}
