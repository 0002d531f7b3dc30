import type { Extraction } from '@switchboard/source'
import { extractLocalization } from './extract-localization.ts'
import { extractScript } from './extract-script.ts'
import { folderRuleOf, gamePathOf } from './folders.ts'

/** Part of what is kept with an index: another number, and every file is read anew. */
export const PARADOX_VERSION = 2

const SCRIPT = /\.(?:txt|gui|asset|gfx)$/i
/** For people and other programs, wherever they lie. */
const PROSE =
  /\/_{0,3}(?:(?:read[ _-]?me|licen[cs]e|credits|changelog)[^/]*|CMakeLists\.txt|(?:requirements|constraints)[^/]*\.txt)$/i

/** What the game does not read, though it lies among what it reads: notes, and what explains a folder. */
export function isForPeople(path: string): boolean {
  return PROSE.test(`/${path}`) || /\.(?:info|md)$/i.test(path)
}

export function isLocalizationFile(path: string): boolean {
  return /(?:^|\/)locali[sz]ation\//.test(gamePathOf(path)) && path.toLowerCase().endsWith('.yml')
}

/** Script of the game by its place and name; a text file elsewhere is just a text. */
export function isScriptFile(path: string): boolean {
  const gamePath = gamePathOf(path)
  return (
    SCRIPT.test(gamePath) && !PROSE.test(gamePath) && (/\.gui$/i.test(gamePath) || folderRuleOf(gamePath) !== undefined)
  )
}

/** Undefined: the file is none of the game's. */
export function extractFile(bytes: Uint8Array, path: string): Extraction | undefined {
  if (isLocalizationFile(path)) return extractLocalization(bytes, path)
  return isScriptFile(path) ? extractScript(bytes, path) : undefined
}
