/**
 * Words of plain letters with their terms, found by the bytes of a word where it stands in a text: no string is made of a word that
 * is known. Words come again and again, and to cut one down takes far longer than to find it here.
 *
 * All that is known of a word lies in one piece, its record, since most of the time goes into waiting for the memory: its hash, a
 * number made of how long it is, how long its terms are and how many, which word it is, its bytes, and those of its terms.
 */
import { MAX_WORD, termsOf } from './terms-of-word.ts'

/** Those that are needed are soon there again. */
const MAX_KNOWN = 250_000
/** At the beginning: most stores are small. A power of 2, as every size after it. */
const FIRST_SLOTS = 1_024
const FIRST_BYTES = 32_768
/** Bytes of a record before those of its word. */
const HEAD = 12
/** So far from its place a word is looked for: a text may be made of words that all have the same one. */
const MAX_STEPS = 16
/** Words that are read at once. */
const MAX_FOUND = 1_024
const SPACE = 32

/** Of every byte whether a word may have it. Those above 127 are in no plain text. */
const IS_LETTER = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9_]/.test(String.fromCharCode(code)) ? 1 : 0,
)

export class WordTable {
  /** The records of the words that were read last. */
  readonly #found = new Int32Array(MAX_FOUND)
  #foundCount = 0
  /** By the number of the word, of those that somebody wanted as strings. */
  #terms: (readonly string[] | undefined)[] = []
  #size = 0
  #bytes = Buffer.from(new ArrayBuffer(FIRST_BYTES))
  /** The same memory. */
  #numbers = new Int32Array(this.#bytes.buffer)
  #end = 0
  /** Records by the hash of their word. */
  #slots = new Int32Array(FIRST_SLOTS).fill(-1)

  /** Reads the next words of a text; answers where the rest of it begins. */
  read(text: Uint8Array, from: number, end: number): number {
    if (this.#size >= MAX_KNOWN) this.#clear()
    let at = from
    let count = 0
    while (at < end && count < MAX_FOUND) {
      if (IS_LETTER[text[at] ?? 0] === 0) {
        at++
        continue
      }
      const start = at
      let hash = 0
      do {
        hash = (Math.imul(hash, 31) + (text[at] ?? 0)) | 0
        at++
      } while (at < end && IS_LETTER[text[at] ?? 0] === 1)
      this.#found[count++] = this.#find(text, start, Math.min(at - start, MAX_WORD), hash)
    }
    this.#foundCount = count
    return at
  }

  /** Adds the terms of the words that were read last. */
  addTerms(terms: string[]): void {
    for (let index = 0; index < this.#foundCount; index++) {
      const record = this.#found[index] ?? 0
      const all = this.#terms[this.#numbers[(record >> 2) + 2] ?? 0] ?? this.#cutTerms(record)
      for (let at = 0; at < all.length; at++) terms.push(all[at] ?? '')
    }
  }

  /** How many bytes and terms they have. */
  measure(): { readonly bytes: number; readonly terms: number } {
    let bytes = 0
    let terms = 0
    for (let index = 0; index < this.#foundCount; index++) {
      const lengths = this.#numbers[((this.#found[index] ?? 0) >> 2) + 1] ?? 0
      bytes += termsLengthOf(lengths)
      terms += termsCountOf(lengths)
    }
    return { bytes, terms }
  }

  /** Writes the terms, with a space after each; answers where they end. */
  writeTerms(target: Uint8Array, from: number): number {
    const bytes = this.#bytes
    const numbers = this.#numbers
    const found = this.#found
    const count = this.#foundCount
    let at = from
    for (let index = 0; index < count; index++) {
      const record = found[index] ?? 0
      const lengths = numbers[(record >> 2) + 1] ?? 0
      const start = record + HEAD + wordLengthOf(lengths)
      const end = start + termsLengthOf(lengths)
      for (let place = start; place < end; place++) target[at++] = bytes[place] ?? SPACE
    }
    return at
  }

  #cutTerms(record: number): readonly string[] {
    const lengths = this.#numbers[(record >> 2) + 1] ?? 0
    const start = record + HEAD + wordLengthOf(lengths)
    const terms = this.#bytes.toString('latin1', start, start + termsLengthOf(lengths) - 1).split(' ')
    this.#terms[this.#numbers[(record >> 2) + 2] ?? 0] = terms
    return terms
  }

  #find(text: Uint8Array, start: number, length: number, hash: number): number {
    const slots = this.#slots
    const numbers = this.#numbers
    const bytes = this.#bytes
    const mask = slots.length - 1
    const place = placeOf(hash)
    for (let step = 0; step < MAX_STEPS; step++) {
      const record = slots[(place + step) & mask] ?? -1
      if (record < 0) break
      const head = record >> 2
      if (numbers[head] !== hash || wordLengthOf(numbers[head + 1] ?? 0) !== length) continue
      const word = record + HEAD
      let at = 0
      while (at < length && bytes[word + at] === text[start + at]) at++
      if (at === length) return record
    }
    return this.#add(text, start, length, hash)
  }

  #add(text: Uint8Array, start: number, length: number, hash: number): number {
    const word = Buffer.from(text.buffer, text.byteOffset + start, length).toString('latin1')
    const terms = termsOf(word)
    const joined = `${terms.map((term) => term.text).join(' ')} `
    this.#reserve(HEAD + length + joined.length)
    const record = this.#end
    this.#numbers.set([hash, lengthsOf(length, joined.length, terms.length), this.#size], record >> 2)
    const written = this.#bytes.write(word + joined, record + HEAD, 'latin1')
    // The next one begins where a number may.
    this.#end = (record + HEAD + written + 3) & ~3
    this.#size++
    if (this.#size * 2 > this.#slots.length) this.#grow()
    else this.#place(record)
    return record
  }

  /** Where all slots are taken, in place of the first. */
  #place(record: number): void {
    const mask = this.#slots.length - 1
    const place = placeOf(this.#numbers[record >> 2] ?? 0)
    let step = 0
    while (step < MAX_STEPS && (this.#slots[(place + step) & mask] ?? -1) >= 0) step++
    this.#slots[(place + (step < MAX_STEPS ? step : 0)) & mask] = record
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1)
    for (let record = 0; record < this.#end; ) {
      this.#place(record)
      const lengths = this.#numbers[(record >> 2) + 1] ?? 0
      record = (record + HEAD + wordLengthOf(lengths) + termsLengthOf(lengths) + 3) & ~3
    }
  }

  #reserve(length: number): void {
    // Room for what fills up the last number too.
    if (this.#end + length + 3 <= this.#bytes.length) return
    const bytes = Buffer.from(new ArrayBuffer(this.#bytes.length * 2))
    bytes.set(this.#bytes)
    this.#bytes = bytes
    this.#numbers = new Int32Array(bytes.buffer)
  }

  #clear(): void {
    this.#size = 0
    this.#terms = []
    this.#end = 0
    this.#slots.fill(-1)
  }
}

/** Three small numbers in one: a word has `MAX_WORD` letters at most, and its terms less than ten times as many. */
const lengthsOf = (word: number, terms: number, count: number): number => word | (terms << 8) | (count << 20)
const wordLengthOf = (lengths: number): number => lengths & 0xff
const termsLengthOf = (lengths: number): number => (lengths >>> 8) & 0xfff
const termsCountOf = (lengths: number): number => lengths >>> 20

/** Words that differ in their last letter only have hashes that are neighbours; their places must not be. */
function placeOf(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return mixed ^ (mixed >>> 14)
}
