/**
 * The words that a text is found by, each once and in small letters: as they stand, and the parts of compound ones
 * (`readConfig`, `read_config`: read, config).
 */
const WORD = /[\p{L}\p{N}_]+/gu
const PART = /\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{Lo}+/gu
/** Longer ones were written by a program: keys, hashes. */
const MAX_WORD = 80
/** Of one text. What has more is data. */
const MAX_WORDS = 50_000

export function addWords(text: string, words: Set<string>): void {
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
  for (const [part] of word.matchAll(PART)) if (part.length > 1) words.add(part.toLowerCase())
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
