/** What reads the symbols of a file, by its language: one entry each. A file of another language is found by its words alone. */
import type { Extraction } from '@switchboard/source/walk'
import { languageOf } from '@switchboard/source/walk'

export interface SourceFile {
  /** From its root, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly text: string
}

interface Extractor {
  /** Grows whenever the same bytes give something else: what was read by an older one is read again. */
  readonly version: number
  /** Undefined: not of mine. Two files with the same profile and the same bytes have the same extraction. */
  profileOf(path: string): string | undefined
  extract(file: SourceFile): Extraction | Promise<Extraction>
}

const plainText: Extractor = {
  version: 1,
  profileOf: (path) => languageOf(path).name,
  extract: ({ path }) => ({ language: languageOf(path).name, symbols: [], references: [], problems: [] }),
}

/** The first that knows the file reads it. */
const EXTRACTORS: readonly Extractor[] = [plainText]

export interface Reading {
  readonly profile: string
  readonly version: number
  extract(file: SourceFile): Extraction | Promise<Extraction>
}

export function readingOf(path: string): Reading {
  for (const extractor of EXTRACTORS) {
    const profile = extractor.profileOf(path)
    if (profile !== undefined) return { profile, version: extractor.version, extract: (file) => extractor.extract(file) }
  }
  return { profile: 'text', version: plainText.version, extract: (file) => plainText.extract(file) }
}
