/** Words into the pieces that their bytes are merged to, the merges that were learned first coming first. */
export interface BytePairOptions {
  readonly vocabulary: ReadonlyMap<string, number>
  /** By the two pieces with a blank between: which merge it is. */
  readonly merges: ReadonlyMap<string, number>
  readonly unknown: number | undefined
}

/** Bytes as the characters that vocabularies write them with: what cannot be seen is moved up. */
const CHARACTER_OF_BYTE = createByteTable()
/** Merging takes longer than in proportion to the length. */
const MAX_WORD_BYTES = 256

export function splitByBytePairs(word: string, { vocabulary, merges, unknown }: BytePairOptions): number[] {
  const bytes = [...Buffer.from(word, 'utf8')]
  const pieces: string[] = []
  for (let start = 0; start < bytes.length; start += MAX_WORD_BYTES) {
    const part = bytes.slice(start, start + MAX_WORD_BYTES).map((byte) => CHARACTER_OF_BYTE[byte] ?? '')
    pieces.push(...merge(part, merges))
  }
  return pieces.flatMap((piece) => vocabulary.get(piece) ?? unknown ?? [])
}

function merge(pieces: string[], merges: ReadonlyMap<string, number>): string[] {
  while (pieces.length > 1) {
    let best = Number.POSITIVE_INFINITY
    let place = -1
    for (let at = 0; at + 1 < pieces.length; at++) {
      const order = merges.get(`${pieces[at]} ${pieces[at + 1]}`) ?? Number.POSITIVE_INFINITY
      if (order < best) [best, place] = [order, at]
    }
    if (place === -1) break
    pieces.splice(place, 2, `${pieces[place]}${pieces[place + 1]}`)
  }
  return pieces
}

function createByteTable(): string[] {
  let next = 256
  const isSeen = (byte: number) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173)
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isSeen(byte) ? byte : next++))
}
