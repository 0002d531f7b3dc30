/** What reads the symbols of a file, by its language: one entry each. A file of another language is found by its words alone. */
import { posix } from 'node:path'
import {
  extractFile,
  gamePathOf,
  isLocalizationFile,
  isScriptFile,
  languageOfPath,
  PARADOX_VERSION,
} from '@switchboard/paradox'
import { CodeExtractor } from '@switchboard/source/extract'
import { type Extraction, languageOf } from '@switchboard/source/walk'
import type { RootPlace } from '../thread/messages.ts'
import { isSurelyGame } from './game-places.ts'

export interface SourceFile {
  /** From its root, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly text: string
}

interface Extractor {
  /** Grows whenever the same bytes give something else: what was read by an older one is read again. */
  readonly version: number
  /** Long lines are written by people too: a list of a thousand names is one. */
  readonly anyLines: boolean
  /** Undefined: not of mine. `root` is where the file was found. Two files with the same profile and the same bytes have the same extraction. */
  profileOf(path: string, root?: RootPlace): string | undefined
  extract(file: SourceFile): Extraction | Promise<Extraction>
}

/** At the end of the profile of what is the game's by chance. */
const UNSURE = ' unsure'

/** What a file of the game defines depends on its folder; what a text is called, on its language. */
const paradox: Extractor = {
  version: PARADOX_VERSION,
  anyLines: true,
  profileOf(path, root) {
    const isText = isLocalizationFile(path)
    if (!isText && !isScriptFile(path)) return undefined
    const folder = posix.dirname(gamePathOf(path))
    const profile = isText
      ? `paradox-localization ${languageOfPath(path) ?? ''} ${folder}`
      : `paradox ${folder} ${posix.extname(path)}`
    return isSurelyGame(path, root) ? profile : profile + UNSURE
  },
  extract: (file) => extractFile(file.bytes, file.path) ?? plainText.extract(file),
}

/** Of a file that may be the game's: what is no good script is none. */
function extractUnsure(file: SourceFile): Extraction | Promise<Extraction> {
  const found = extractFile(file.bytes, file.path)
  return found === undefined || found.problems.length > 0 ? plainText.extract(file) : found
}

let codeExtractor: CodeExtractor | undefined

const code: Extractor = {
  version: CodeExtractor.version,
  anyLines: false,
  profileOf: (path) => CodeExtractor.profileOf(path),
  async extract(file) {
    codeExtractor ??= new CodeExtractor()
    return (await codeExtractor.extract(file.path, file.bytes)) ?? plainText.extract(file)
  },
}

const plainText: Extractor = {
  version: 1,
  anyLines: false,
  profileOf: (path) => languageOf(path).name,
  extract: ({ path }) => ({ language: languageOf(path).name, symbols: [], references: [], problems: [] }),
}

/** The first that knows the file reads it. */
const EXTRACTORS: readonly Extractor[] = [paradox, code, plainText]

export interface FileReading {
  readonly profile: string
  readonly version: number
  readonly anyLines: boolean
  extract(file: SourceFile): Extraction | Promise<Extraction>
}

export function readingOf(path: string, root?: RootPlace): FileReading {
  for (const extractor of EXTRACTORS) {
    const profile = extractor.profileOf(path, root)
    if (profile === undefined) continue
    const { version } = extractor
    if (profile.endsWith(UNSURE)) return { profile, version, anyLines: false, extract: extractUnsure }
    return { profile, version, anyLines: extractor.anyLines, extract: (file) => extractor.extract(file) }
  }
  return { profile: 'text', version: plainText.version, anyLines: false, extract: (file) => plainText.extract(file) }
}
