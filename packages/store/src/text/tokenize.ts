/**
 * A text as the terms by which it is found, the same for every engine: words in lower case, cut down to their stems, and names
 * of programs (`readFile`, `E0308_CODE`) both in their parts and whole, so that who knows the exact name finds it by that.
 */
import { stemmer } from 'stemmer'
import { STOP_WORDS } from './stop-words.ts'

export interface Term {
  readonly text: string
  /** A name as it stands: in several parts, or with digits in it. Who writes one knows what they look for. */
  readonly isName: boolean
}

const WORD = /[\p{L}\p{N}_]+/gu
const UPPER = /\p{Lu}/u
const DIGIT = /\p{N}/u
/** A longer word is data (a hash, a line of base64), and nobody looks for its end. */
const MAX_WORD = 64

/** In the order of the text. */
export function tokenize(text: string): string[] {
  const terms: string[] = []
  for (const [word] of text.normalize('NFKC').matchAll(WORD)) {
    for (const term of termsOf(word)) terms.push(term.text)
  }
  return terms
}

/** The same without words that tell nothing, unless there are no others: each once, with how often it stands there. */
export function tokenizeQuery(text: string): Map<string, { readonly isName: boolean; readonly count: number }> {
  const words = [...text.normalize('NFKC').matchAll(WORD)].map(([word]) => word)
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()))
  const terms = new Map<string, { isName: boolean; count: number }>()
  for (const { text: term, isName } of (telling.length > 0 ? telling : words).flatMap(termsOf)) {
    const known = terms.get(term)
    terms.set(term, { isName: isName || known?.isName === true, count: (known?.count ?? 0) + 1 })
  }
  return terms
}

function termsOf(word: string): Term[] {
  const cut = word.slice(0, MAX_WORD)
  const parts = partsOf(cut)
  const whole = cut.toLowerCase()
  const stems = parts.map((part) => ({
    text: stemmer(part.toLowerCase()),
    isName: DIGIT.test(part) && UPPER.test(part),
  }))
  return parts.length > 1 ? [{ text: whole, isName: true }, ...stems] : stems
}

/** `readFileSync` → read, File, Sync; `HTTPServer` → HTTP, Server; `MAX_SIZE` → MAX, SIZE. */
function partsOf(word: string): string[] {
  const parts: string[] = []
  let part = ''
  for (let at = 0; at < word.length; at++) {
    const letter = word.charAt(at)
    const isNewPart =
      UPPER.test(letter) && part !== '' && (!UPPER.test(part.at(-1) ?? '') || /\p{Ll}/u.test(word.charAt(at + 1)))
    if (letter === '_' || isNewPart) {
      if (part !== '') parts.push(part)
      part = letter === '_' ? '' : letter
    } else part += letter
  }
  if (part !== '') parts.push(part)
  return parts.length === 0 ? [word] : parts
}
