/** JavaScript as text: where strings and comments are, without a parser. */

/** As much of what stands before a slash tells what it is. */
const BEFORE = 40

/** The text with the insides of strings, templates, comments and regular expressions as spaces; offsets stay. */
export function blankOutText(text: string): string {
  const parts: string[] = []
  const mark = /["'`/]/g
  let copied = 0
  // The end of what is done: to look at the end of a text that grows costs as much as the whole of it.
  let tail = ''
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    const at = found.index
    const before = (tail + text.slice(Math.max(copied, at - BEFORE), at)).slice(-BEFORE)
    const end = findTextEnd(text, at, before)
    if (end === undefined) continue
    const quote = text.charAt(at)
    const inside = text.slice(at + 1, end - 1).replaceAll(/[^\n]/g, ' ')
    const blank = `${quote === '/' ? ' ' : quote}${inside}${end - at > 1 ? (quote === '/' ? ' ' : text.charAt(end - 1)) : ''}`
    parts.push(text.slice(copied, at), blank)
    tail = (before + blank.slice(-BEFORE)).slice(-BEFORE)
    copied = end
    mark.lastIndex = end
  }
  parts.push(text.slice(copied))
  return parts.join('')
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
  if (/(?:[\w$)\]]|^)\s*$/.test(before) && !/\b(?:return|typeof|case)\s*$/.test(before)) return undefined
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

/** Where each opening bracket of a text is closed; those that never are are missing. */
export type Closings = ReadonlyMap<number, number>

/** Of text whose strings are blanked out. All at once: a file may hold as many brackets as characters. */
export function pairBrackets(blank: string): Closings {
  const closings = new Map<number, number>()
  const open: number[] = []
  for (let index = 0; index < blank.length; index++) {
    const character = blank.charAt(index)
    if ('([{'.includes(character)) open.push(index)
    else if (')]}'.includes(character)) {
      const start = open.pop()
      if (start !== undefined) closings.set(start, index)
    }
  }
  return closings
}
