/**
 * What a parser hands to the writer: many files at once, their rows as numbers, and each name once for all of them. Objects would
 * cost more to hand over than to make.
 */
import type { ExtractedProblem, Extraction } from '@switchboard/source/walk'

/** Numbers of one symbol: name, kind, start, end, line, column, last line, parent, detail. −1: none. */
export const SYMBOL_WIDTH = 9
/** Of one reference: name, kinds, start, line, column, within, whether it is a call. */
export const REFERENCE_WIDTH = 7

export interface PackedContent {
  readonly language: string
  readonly lines: number
  readonly words: string
  readonly symbols: Int32Array
  readonly references: Int32Array
  readonly problems: readonly ExtractedProblem[]
}

export class NamePacker {
  readonly texts: string[] = []
  readonly #numbers = new Map<string, number>()

  numberOf(given: string): number {
    const known = this.#numbers.get(given)
    if (known !== undefined) return known
    const text = toStorable(given)
    const number = (text === given ? undefined : this.#numbers.get(text)) ?? this.texts.push(text) - 1
    this.#numbers.set(text, number)
    this.#numbers.set(given, number)
    return number
  }
}

/** As SQLite gives it back: two names must not become the same one only there. */
const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '\uFFFD')

/** Details are texts of their own: hardly any is there twice. */
export function packExtraction({ symbols, references }: Extraction, names: NamePacker, details: string[]) {
  const packedSymbols = new Int32Array(symbols.length * SYMBOL_WIDTH)
  let at = 0
  for (const { name, kind, start, end, line, column, endLine, parent = -1, detail } of symbols) {
    const detailAt = detail === undefined ? -1 : details.push(detail) - 1
    packedSymbols.set(
      [names.numberOf(name), names.numberOf(kind), start, end, line, column, endLine, parent, detailAt],
      at,
    )
    at += SYMBOL_WIDTH
  }
  const packedReferences = new Int32Array(references.length * REFERENCE_WIDTH)
  at = 0
  for (const { name, kinds, start, line, column, within = -1, isCall = false } of references) {
    const kindsAt = kinds === undefined ? -1 : names.numberOf(kinds.join(' '))
    packedReferences.set([names.numberOf(name), kindsAt, start, line, column, within, isCall ? 1 : 0], at)
    at += REFERENCE_WIDTH
  }
  return { symbols: packedSymbols, references: packedReferences }
}
