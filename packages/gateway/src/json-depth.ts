const QUOTE = 34
const BACKSLASH = 92

/**
 * Whether JSON text nests deeper than that, by one pass over it. Parsing deep text is cheap, but everything that later walks the
 * value by recursion is not safe from it.
 */
export function exceedsDepth(text: string, most: number): boolean {
  // Too short to nest that deep: the common case costs one comparison.
  if (text.length <= most) return false
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === BACKSLASH) index++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === 123 || code === 91) {
      if (++depth > most) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}
