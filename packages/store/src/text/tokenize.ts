/**
 * A text as the terms by which it is found, the same for every engine: words in lower case, cut down to their stems, and names
 * of programs (`readFile`, `E0308_CODE`) both in their parts and whole, so that who knows the exact name finds it by that.
 */
import { stemmer } from 'stemmer'
import { STOP_WORDS } from './stop-words.ts'

interface Term {
  readonly text: string
  /** A name as it stands: in several parts, or with digits in it. Who writes one knows what they look for. */
  readonly isName: boolean
}

const WORD = /[\p{L}\p{N}_]+/gu
const PLAIN_WORD = /[A-Za-z0-9_]+/g
const NOT_PLAIN = /[^\0-\x7f]/
const ONE_PART = /^[A-Za-z]?[a-z0-9]*$/
const UPPER = /\p{Lu}/u
const LOWER = /\p{Ll}/u
const DIGIT = /\p{N}/u
/** A longer word is data (a hash, a line of base64), and nobody looks for its end. */
const MAX_WORD = 64
/** No ending that is cut off has one of these as its last letter. */
const NO_ENDING = /[abfhjkopqvwxz0-9]$/
/** Words come again and again: to look one up takes a tenth of the time of cutting it down. */
const MAX_KNOWN = 100_000

/** Each word of one part with its stem. */
const stems = new Map<string, string>()

const [GAP, SMALL, CAPITAL, LINE] = [0, 1, 2, 3] as const
/** Of every character that is plain. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code)
  if (letter === '_') return LINE
  if (/[a-z0-9]/.test(letter)) return SMALL
  return /[A-Z]/.test(letter) ? CAPITAL : GAP
})

/** In the order of the text. Most texts have plain letters only, which are read much faster. */
export function tokenize(text: string): string[] {
  if (!NOT_PLAIN.test(text)) return tokenizePlain(text)
  const terms: string[] = []
  for (const word of wordsOf(text)) addTerms(word, terms)
  return terms
}

/**
 * Without cutting out words that are known: each is looked up by a number that is made of its letters while they are read. A
 * place has one word, the one that was there last.
 */
const PLACES = 1 << 15
const placedWords = new Array<string>(PLACES).fill('')
const placedStems = new Array<string>(PLACES).fill('')

function tokenizePlain(text: string): string[] {
  const terms: string[] = []
  const { length } = text
  let at = 0
  while (at < length) {
    let kind = KINDS[text.charCodeAt(at)]
    if (kind === GAP) {
      at++
      continue
    }
    const start = at
    let hash = 0
    // A capital letter may stand at the beginning only: what follows is a name of several parts.
    let isOnePart = kind !== LINE
    do {
      const code = text.charCodeAt(at)
      hash = (Math.imul(hash, 31) + code) | 0
      if (kind !== SMALL && at > start) isOnePart = false
      at++
      kind = at < length ? KINDS[text.charCodeAt(at)] : GAP
    } while (kind !== GAP)
    const place = (hash ^ (hash >>> 15)) & (PLACES - 1)
    const placed = placedWords[place] ?? ''
    if (isOnePart && placed.length === at - start && text.startsWith(placed, start)) {
      terms.push(placedStems[place] ?? '')
      continue
    }
    const word = text.slice(start, at)
    if (!isOnePart || word.length > MAX_WORD) addTerms(word, terms)
    else {
      placedWords[place] = word
      placedStems[place] = stemOf(word)
      terms.push(placedStems[place] ?? '')
    }
  }
  return terms
}

function addTerms(word: string, terms: string[]): void {
  const stem = stems.get(word)
  if (stem !== undefined) terms.push(stem)
  else for (const term of termsOf(word)) terms.push(term.text)
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

/** Most texts have plain letters only, which are found much faster. */
const wordsOf = (text: string): readonly string[] =>
  (NOT_PLAIN.test(text) ? text.normalize('NFKC').match(WORD) : text.match(PLAIN_WORD)) ?? []

function termsOf(word: string): Term[] {
  const cut = word.slice(0, MAX_WORD)
  const parts = ONE_PART.test(cut) ? [cut] : partsOf(cut)
  const terms = parts.map((part) => ({ text: stemOf(part), isName: DIGIT.test(part) && UPPER.test(part) }))
  return parts.length > 1 ? [{ text: cut.toLowerCase(), isName: true }, ...terms] : terms
}

function stemOf(part: string): string {
  const known = stems.get(part)
  if (known !== undefined) return known
  const small = part.toLowerCase()
  const stem = NO_ENDING.test(small) ? small : stemmer(small)
  // Those that are needed are soon there again.
  if (stems.size >= MAX_KNOWN) stems.clear()
  stems.set(part, stem)
  return stem
}

/** `readFileSync` → read, File, Sync; `HTTPServer` → HTTP, Server; `MAX_SIZE` → MAX, SIZE. */
function partsOf(word: string): string[] {
  const parts: string[] = []
  let part = ''
  for (let at = 0; at < word.length; at++) {
    const letter = word.charAt(at)
    const isNewPart =
      UPPER.test(letter) && part !== '' && (!UPPER.test(part.at(-1) ?? '') || LOWER.test(word.charAt(at + 1)))
    if (letter === '_' || isNewPart) {
      if (part !== '') parts.push(part)
      part = letter === '_' ? '' : letter
    } else part += letter
  }
  if (part !== '') parts.push(part)
  return parts.length === 0 ? [word] : parts
}
