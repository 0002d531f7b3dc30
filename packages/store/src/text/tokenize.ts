/**
 * A text as the terms by which it is found, the same for every engine: words in lower case, cut down to their stems, and names
 * of programs (`readFile`, `E0308_CODE`) both in their parts and whole, so that who knows the exact name finds it by that.
 */
import { STOP_WORDS } from './stop-words.ts'
import { MAX_WORD, termsOf } from './terms-of-word.ts'
import { WordTable } from './word-table.ts'

/** What an index is given of a text. */
export interface JoinedTerms {
  /** In the order of the text, with a space between them. */
  readonly text: string
  readonly count: number
}

const WORD = /[\p{L}\p{N}_]+/gu
/** Words with other letters come again too. */
const MAX_OTHERS = 10_000

const table = new WordTable()
const others = new Map<string, readonly string[]>()

/** Kept from text to text, unless one needs more. */
const MAX_KEPT = 64 * 1024
const FIRST_BYTES = 4_096
/** A letter outside of the plain ones takes so many bytes at most. */
const BYTES_PER_LETTER = 3

let textBytes = Buffer.allocUnsafe(0)
let joinedBytes = Buffer.allocUnsafe(0)

/** In the order of the text. Most texts have plain letters only, which are read much faster. */
export function tokenize(text: string): string[] {
  const terms: string[] = []
  const bytes = plainBytesOf(text)
  if (bytes === undefined) {
    for (const word of wordsOf(text)) terms.push(...termsOfOther(word))
    return terms
  }
  for (let at = 0; at < text.length; ) {
    at = table.read(bytes, at, text.length)
    table.addTerms(terms)
  }
  return terms
}

/** The same without making a string of each term. */
export function joinTerms(text: string): JoinedTerms {
  const bytes = plainBytesOf(text)
  if (bytes === undefined) {
    const terms = tokenize(text)
    return { text: terms.join(' '), count: terms.length }
  }
  let [count, length] = [0, 0]
  for (let at = 0; at < text.length; ) {
    at = table.read(bytes, at, text.length)
    const next = table.measure()
    count += next.terms
    if (length + next.bytes > joinedBytes.length) joinedBytes = Buffer.concat([joinedBytes], (length + next.bytes) * 2)
    length = table.writeTerms(joinedBytes, length)
  }
  const all = joinedBytes.toString('latin1', 0, Math.max(0, length - 1))
  if (joinedBytes.length > MAX_KEPT) joinedBytes = Buffer.allocUnsafe(0)
  return { text: all, count }
}
/** undefined: it has other letters too. */
function plainBytesOf(text: string): Uint8Array | undefined {
  const needed = text.length * BYTES_PER_LETTER
  const bytes = needed <= textBytes.length ? textBytes : Buffer.allocUnsafe(Math.max(needed, FIRST_BYTES))
  if (bytes.length <= MAX_KEPT) textBytes = bytes
  return bytes.write(text, 'utf8') === text.length ? bytes : undefined
}

/** The same without words that tell nothing, unless there are no others: each once, with how often it stands there. */
export function tokenizeQuery(text: string): Map<string, { readonly isName: boolean; readonly count: number }> {
  const words = wordsOf(text)
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()))
  const terms = new Map<string, { isName: boolean; count: number }>()
  for (const { text: term, isName } of (telling.length > 0 ? telling : words).flatMap(termsOf)) {
    const before = terms.get(term)
    terms.set(term, { isName: isName || before?.isName === true, count: (before?.count ?? 0) + 1 })
  }
  return terms
}

const wordsOf = (text: string): readonly string[] => text.normalize('NFKC').match(WORD) ?? []

function termsOfOther(word: string): readonly string[] {
  const known = others.get(word)
  if (known !== undefined) return known
  const terms = termsOf(word).map((term) => term.text)
  if (word.length > MAX_WORD) return terms
  if (others.size >= MAX_OTHERS) others.clear()
  others.set(word, terms)
  return terms
}
