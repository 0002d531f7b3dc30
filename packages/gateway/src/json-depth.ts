const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

/**
 * Whether lists and objects are nested deeper than `most`, before anything recursive sees the text. Text that is not JSON
 * gets some answer; the parser refuses it afterwards.
 */
export function exceedsDepth(text: string, most: number): boolean {
  // Every level takes a character to open. Most texts have too few of them, which is found out far quicker.
  if (!hasMoreThan(most, text)) return false
  const { length } = text
  let depth = 0
  let inString = false
  for (let index = 0; index < length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > most) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return false
}

/** Opening braces and brackets, also those in strings. */
function hasMoreThan(most: number, text: string): boolean {
  let count = 0
  for (const character of ['{', '[']) {
    for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) {
      if (++count > most) return true
    }
  }
  return false
}
