/**
 * How deep JSON may be nested, and how many parts it may have, judged before anything sees it. The engine parses any depth but
 * writes only some thousands of levels, and whatever else walks a value recursively breaks even earlier: in the middle of somebody
 * else's work. And it makes a member of an object in half a microsecond: a few megabytes of them keep everybody waiting, where
 * as long a text takes no time.
 */

/** Of what servers, debugged programs and files send. Callers have a narrower bound of their own. */
export const MAX_JSON_DEPTH = 512

/** Objects, lists and members of objects: to take so many apart takes a tenth of a second. */
export const MAX_JSON_PARTS = 250_000
/** Other values are made so much quicker. */
const VALUES_A_PART = 16

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d
const COLON = 0x3a
const COMMA = 0x2c
const OPENING = ['{', '['] as const
const PARTS = ['{', '[', ':'] as const

/** Its own class, so that a message that was refused can be told from one that is no JSON. */
export class JsonTooDeepError extends Error {
  override readonly name = 'JsonTooDeepError'

  constructor(most: number) {
    super(`it is nested deeper than ${most} levels`)
  }
}

export class JsonTooManyPartsError extends Error {
  override readonly name = 'JsonTooManyPartsError'

  constructor() {
    super(`it holds more than ${MAX_JSON_PARTS} objects, lists and members`)
  }
}

/** Plain `JSON.parse` of foreign text. Throws what that throws, a `JsonTooDeepError` or a `JsonTooManyPartsError`. */
export function parsePlainJson(text: string, maxDepth: number = MAX_JSON_DEPTH): unknown {
  throwOnSize(text, maxDepth)
  return JSON.parse(text)
}

export function throwOnSize(text: string, maxDepth: number): void {
  if (exceedsDepth(text, maxDepth)) throw new JsonTooDeepError(maxDepth)
  // Each part takes two characters and more, so that nearly every text is known to have few by its length.
  if (text.length > 2 * MAX_JSON_PARTS && exceedsParts(text, MAX_JSON_PARTS)) throw new JsonTooManyPartsError()
}

/** Whether there are more objects, lists and members than `most`, or far more other values. The same holds of text that is not JSON. */
export function exceedsParts(text: string, most: number): boolean {
  if (!hasMoreThan(most, text, PARTS) && !hasMoreThan(most * VALUES_A_PART, text, [','])) return false
  let left = most * VALUES_A_PART
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = findEndOfString(text, index)
      if (index === -1) return false
    } else if (code === COMMA) left--
    else if (code === COLON || code === OPEN_BRACE || code === OPEN_BRACKET) left -= VALUES_A_PART
    if (left < 0) return true
  }
  return false
}

/**
 * Whether lists and objects are nested deeper than `most`. Text that is not JSON gets some answer; the parser refuses it
 * afterwards. A short text costs nothing, one of few or long values next to nothing, one of many small values a sixth of parsing it.
 */
export function exceedsDepth(text: string, most: number): boolean {
  const { length } = text
  // Every level takes a character to open and one to close; what is never closed is no JSON.
  if (length < 2 * most || !hasMoreThan(most, text, OPENING)) return false
  let depth = 0
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = findEndOfString(text, index)
      if (index === -1) return false
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > most) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return false
}

/** Of all of those characters, also in strings: most texts have too few, which is found out far quicker. */
function hasMoreThan(most: number, text: string, characters: readonly string[]): boolean {
  let count = 0
  for (const character of characters) {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
      if (++count > most) return true
    }
  }
  return false
}

function findEndOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    // An even number of them escape each other, and the quote ends the string.
    if ((end - before) % 2 === 1) return end
  }
  return -1
}
