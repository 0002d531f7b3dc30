/** JavaScript as text: where strings and comments are, without a parser. */

/** The text with the insides of strings, templates, comments and regular expressions as spaces; offsets stay. */
export function blankOutText(text: string): string {
  let result = ''
  let at = 0
  while (at < text.length) {
    const end = findTextEnd(text, at, result)
    if (end === undefined) {
      result += text.charAt(at)
      at++
      continue
    }
    const quote = text.charAt(at)
    const inside = text.slice(at + 1, end - 1).replaceAll(/[^\n]/g, ' ')
    result += `${quote === '/' ? ' ' : quote}${inside}${end - at > 1 ? (quote === '/' ? ' ' : text.charAt(end - 1)) : ''}`
    at = end
  }
  return result
}

/** Past the end of what begins here; undefined: code. */
function findTextEnd(text: string, at: number, before: string): number | undefined {
  const character = text.charAt(at)
  if (character === '"' || character === "'" || character === '`') return findQuoteEnd(text, at, character)
  if (character !== '/') return undefined
  const next = text.charAt(at + 1)
  if (next === '/') return endOr(text.indexOf('\n', at), text)
  if (next === '*') return endOr(text.indexOf('*/', at + 2) + 2, text, 1)
  // A slash after an operand divides; after anything else it begins a regular expression.
  if (/(?:[\w$)\]]|^)\s*$/.test(before.slice(-40)) && !/\b(?:return|typeof|case)\s*$/.test(before.slice(-40)))
    return undefined
  const match = /^\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/.exec(text.slice(at, at + 1_000))
  return match === null ? undefined : at + match[0].length
}

function findQuoteEnd(text: string, at: number, quote: string): number {
  for (let index = at + 1; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === '\\') index++
    else if (character === quote) return index + 1
    else if (character === '\n' && quote !== '`') return index
  }
  return text.length
}

function endOr(found: number, text: string, least = 0): number {
  return found <= least ? text.length : found
}

/** Of the bracket at that place, in text whose strings are blanked out; -1: it is never closed. */
export function findClosing(blank: string, open: number): number {
  let depth = 0
  for (let index = open; index < blank.length; index++) {
    const character = blank.charAt(index)
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character) && --depth === 0) return index
  }
  return -1
}
