/** Words into the longest pieces that the vocabulary has, from their beginning on. */
export interface WordPieceOptions {
  readonly vocabulary: ReadonlyMap<string, number>
  /** For a word that cannot be put together. */
  readonly unknown: number
  /** What marks a piece that does not begin a word. */
  readonly prefix: string
  /** A longer word is unknown. */
  readonly maxCharacters: number
}

export function splitByWordPiece(word: string, options: WordPieceOptions): number[] {
  const { vocabulary, unknown, prefix, maxCharacters } = options
  const characters = [...word]
  if (characters.length > maxCharacters) return [unknown]
  const pieces: number[] = []
  for (let start = 0; start < characters.length; ) {
    let end = characters.length
    let found: number | undefined
    for (; end > start && found === undefined; end--) {
      const piece = characters.slice(start, end).join('')
      found = vocabulary.get(start === 0 ? piece : prefix + piece)
      if (found !== undefined) break
    }
    if (found === undefined) return [unknown]
    pieces.push(found)
    start = end
  }
  return pieces
}
