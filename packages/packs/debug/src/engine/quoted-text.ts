/** Texts as languages write them: `"a"`, `'a'`, `b'a'`, `&"a"`, `0x7ff0 "a"`. What is inside is counted in characters, an escape as one. */

export interface TextPiece {
  /** As the language writes it, quotes included. */
  readonly text: string
  /** Of the whole, in what the language counts. */
  readonly length: number
}

interface QuotedText {
  readonly open: string
  readonly inside: string
  readonly close: string
}

/** Of a text that was cut; less than engines show of any. */
const KEPT_CHARACTERS = 400
const OPENING = /^(?:0x[0-9a-fA-F]{1,16} )?[a-zA-Z&*]{0,2}(["'`])/
/** Behind the text: what an engine has left out of it. */
const REST = /(?:…\(\+\d{1,15}\)|\.\.\.)$/
const CHARACTER = /\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|u\{[0-9a-fA-F]{1,6}\}|[0-7]{3}|.)|./gsu

/** Undefined: it is no text. */
export function readQuoted(value: string): QuotedText | undefined {
  const [open, close] = OPENING.exec(value) ?? []
  if (open === undefined || close === undefined) return undefined
  const whole = value.replace(REST, '')
  const end = whole.endsWith(close) && whole.length > open.length ? whole.length - close.length : whole.length
  return { open: open.replace(/^0x[0-9a-fA-F]+ /, ''), inside: whole.slice(open.length, end), close }
}

/** The beginning of a text of that length, of which an engine shows less, and not always the beginning only. */
export function shortenQuoted({ open, inside, close }: QuotedText, length: number, isInBytes: boolean): string {
  const head = (inside.match(CHARACTER) ?? []).slice(0, KEPT_CHARACTERS)
  const count = isInBytes
    ? head.reduce((sum, one) => sum + (one.startsWith('\\') ? 1 : Buffer.byteLength(one)), 0)
    : head.length
  return `${open}${head.join('')}${close}…(+${length - count})`
}

/** Some of the characters of a text that is there as a whole. */
export function cutQuoted({ open, inside, close }: QuotedText, start: number, count: number): TextPiece {
  const characters = inside.match(CHARACTER) ?? []
  return { text: `${open}${characters.slice(start, start + count).join('')}${close}`, length: characters.length }
}
