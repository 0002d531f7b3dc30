/** The terms of one word: its stem; of a name in several parts (`readFile`, `MAX_SIZE`) the whole name and the stems of its parts. */
import { stemmer } from 'stemmer'

export interface Term {
  readonly text: string
  /** A name as it stands: in several parts, or with digits in it. Who writes one knows what they look for. */
  readonly isName: boolean
}

/** A longer word is data (a hash, a line of base64), and nobody looks for its end. */
export const MAX_WORD = 64

const ONE_PART = /^[A-Za-z]?[a-z0-9]*$/
const UPPER = /\p{Lu}/u
const LOWER = /\p{Ll}/u
const DIGIT = /\p{N}/u
/** No ending that is cut off has one of these as its last letter. */
const NO_ENDING = /[abfhjkopqvwxz0-9]$/

export function termsOf(word: string): Term[] {
  const cut = word.slice(0, MAX_WORD)
  const parts = ONE_PART.test(cut) ? [cut] : partsOf(cut)
  const terms = parts.map((part) => ({ text: stemOf(part), isName: DIGIT.test(part) && UPPER.test(part) }))
  return parts.length > 1 ? [{ text: cut.toLowerCase(), isName: true }, ...terms] : terms
}

function stemOf(part: string): string {
  const small = part.toLowerCase()
  return NO_ENDING.test(small) ? small : stemmer(small)
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
