/** Whether a folder has to do with the game: by a few names in it, for every window asks. */
import { type Dirent, existsSync, readdirSync } from 'node:fs'
import { dirname, extname, join } from 'node:path'

/** Of a folder: that many of its own folders are looked into. */
const MAX_FOLDERS = 100
/** Folders above it that may be the mod. */
const MAX_ABOVE = 4
/** As the launcher calls what it keeps. */
const LISTS: ReadonlySet<string> = new Set(['launcher-v2.sqlite', 'launcher-v2_openbeta.sqlite', 'dlc_load.json'])

/** One mod, or the game itself, which has the same folders. */
export function isModFolder(folder: string): boolean {
  const has = (name: string): boolean => existsSync(join(folder, name))
  return has('descriptor.mod') || (has('common') && (has('events') || has('localization') || has('gfx')))
}

/** A mod or a part of one, the game, a folder of mods, or one with lists of them. */
export function isParadoxWorkspace(folder: string): boolean {
  if (isModFolder(folder) || isModFolder(join(folder, 'game')) || isInsideMod(folder)) return true
  const entries = entriesOf(folder)
  // Go calls its own list of modules so.
  const isList = (name: string): boolean => (extname(name) === '.mod' && name !== 'go.mod') || LISTS.has(name)
  if (entries.some((entry) => entry.isFile() && isList(entry.name))) return true
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'))
    .slice(0, MAX_FOLDERS)
    .some(({ name }) => existsSync(join(folder, name, 'descriptor.mod')))
}

function isInsideMod(folder: string): boolean {
  let above = dirname(folder)
  for (let step = 0; step < MAX_ABOVE; step++) {
    if (existsSync(join(above, 'descriptor.mod'))) return true
    above = dirname(above)
  }
  return false
}

/** Of one that cannot be read: none. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
