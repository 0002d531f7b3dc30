/** A private key that comes line by line: no line of it tells what it is, but the first and the last. */
import { MASK } from './mask-text.ts'

const BEGIN = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY-----/
const END = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY-----/
/** The longest are of a hundred; a text that never comes to an end is no key. */
const MOST_LINES = 200
/** Base64, or a header of an encrypted one. */
const INSIDE = /^[\w+/=:,. \t-]*$/

export class PrivateKeyLines {
  #left = 0

  /** The next line as it may be kept; the rest of the masking is done where it is shown. */
  hide(line: string): string {
    if (this.#left === 0) {
      if (BEGIN.test(line) && !END.test(line)) this.#left = MOST_LINES
      return line
    }
    this.#left--
    const end = line.search(END)
    if (end >= 0) this.#left = 0
    if (end >= 0) return `${MASK}${line.slice(end)}`
    if (INSIDE.test(line)) return MASK
    this.#left = 0
    return line
  }
}
