/**
 * The words that a text is found by, each once and in small letters: as they stand, and the parts of compound ones
 * (`readConfig`, `read_config`: read, config).
 */
const WORD = /[\p{L}\p{N}_]+/gu
/** Longer ones were written by a program: keys, hashes. */
const MAX_WORD = 80
/** Of one text. What has more is data. */
const MAX_WORDS = 50_000

function addWords(text: string, words: Set<string>): void {
  for (const [word] of text.matchAll(WORD)) {
    if (words.size >= MAX_WORDS) return
    if (word.length <= MAX_WORD) addWord(word, words)
  }
}

/** A word that is there in this form has its parts there too. */
function addWord(word: string, words: Set<string>): void {
  const small = word.toLowerCase()
  const isPlain = word === small && !word.includes('_')
  if (isPlain) {
    words.add(small)
    return
  }
  words.add(small)
  let start = 0
  for (let at = 1; at <= word.length; at++) {
    if (at < word.length && !isBoundary(word, at)) continue
    const part = word.slice(start, at)
    if (part.length > 1 && !part.startsWith('_')) words.add(part.toLowerCase())
    start = at
  }
}

/** Between `read` and `Config`, `HTTP` and `Server`, `file` and `2`, and at every `_`. */
function isBoundary(word: string, at: number): boolean {
  const before = kindOf(word.charCodeAt(at - 1))
  const here = kindOf(word.charCodeAt(at))
  if (before === here) return here === 'upper' && kindOf(word.charCodeAt(at + 1)) === 'lower'
  return !(before === 'upper' && here === 'lower')
}

type LetterKind = 'upper' | 'lower' | 'digit' | 'line'

/** Letters beyond ASCII count as small ones: no part of a name begins at one of them alone. */
function kindOf(code: number): LetterKind {
  if (code >= 65 && code <= 90) return 'upper'
  if (code >= 48 && code <= 57) return 'digit'
  return code === 95 ? 'line' : 'lower'
}

export function wordsOf(text: string): string[] {
  const words = new Set<string>()
  addWords(text, words)
  return [...words]
}

/** What a query asks for: its words, as they stand. */
export function queryWords(query: string): string[] {
  const words = [...query.matchAll(WORD)].map(([word]) => word.toLowerCase()).filter(({ length }) => length <= MAX_WORD)
  return [...new Set(words)].slice(0, 20)
}
