/**
 * Whether a file is the game's though its path alone does not say so: every second repository has folders `events`, `music` and
 * `localization`, and nobody wants to read there that a list of requirements is bad script.
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER_RULES, gamePathOf, isGameOnly } from '@switchboard/paradox'
import type { RootPlace } from '../thread/messages.ts'

/** Milliseconds for which a folder is believed to be what it was. */
const KEPT_MS = 3_000
const MAX_KEPT = 1_000
/** One of these in `localization` is enough. */
const LANGUAGES: ReadonlySet<string> = new Set(
  'english french german spanish russian korean simp_chinese japanese polish replace'.split(' '),
)

const COMMON: ReadonlySet<string> = new Set(
  FOLDER_RULES.flatMap(({ folder }) => (folder.startsWith('common/') ? [folder.split('/')[1] ?? ''] : [])),
)

const kept = new Map<string, { readonly at: number; readonly isMod: boolean }>()

/** Without a root the path is all that is known. */
export function isSurelyGame(path: string, root: RootPlace | undefined): boolean {
  const gamePath = gamePathOf(path)
  if (root === undefined || root.isLayer === true || isGameOnly(gamePath)) return true
  const above = path.split('/').slice(0, -gamePath.split('/').length).join('/')
  return isMod(join(root.path, above))
}

function isMod(folder: string): boolean {
  const now = Date.now()
  const known = kept.get(folder)
  if (known !== undefined && now - known.at < KEPT_MS) return known.isMod
  if (kept.size >= MAX_KEPT) kept.clear()
  const found = hasGame(folder)
  kept.set(folder, { at: now, isMod: found })
  return found
}

/** Its descriptor, or a folder in it that only the game has. */
function hasGame(folder: string): boolean {
  if (existsSync(join(folder, 'descriptor.mod')) || existsSync(`${folder}.mod`)) return true
  const hasIn = (name: string, isWanted: (entry: string) => boolean): boolean =>
    namesIn(join(folder, name)).some(isWanted)
  return (
    existsSync(join(folder, 'map_data')) ||
    hasIn('common', (name) => COMMON.has(name.toLowerCase())) ||
    hasIn('localization', (name) => LANGUAGES.has(name.toLowerCase()))
  )
}

/** Of one that is not there: none. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
