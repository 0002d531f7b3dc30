/**
 * Branches of the preprocessor that cannot be read one after the other: two heads of one function, a brace that is only there in
 * C++. Of such a group the first branch counts; one that stands alone counts as not there. In the midst of an expression the first
 * counts, too.
 */
import { type CTokens, DIRECTIVE, SIGN } from './c-tokens.ts'

/** Tokens. What has more is not the head of a function: something in it was misread, and it is left as it is. */
const MAX_BLANKED = 300

interface Branch {
  readonly directive: number
  /** What is before it is not at an end. */
  readonly isInside: boolean
  braces: number
  brackets: number
}

/** Tokens from, and up to without. */
type TokenRange = readonly [from: number, to: number]

export function findBlankTokens(text: string, { kinds, starts, ends }: CTokens): TokenRange[] {
  const ranges: TokenRange[] = []
  const groups: Branch[][] = []
  let current: Branch = { directive: -1, isInside: false, braces: 0, brackets: 0 }
  let depth = 0
  let last = ''
  for (let token = 0; token < kinds.length; token++) {
    if (kinds[token] !== DIRECTIVE) {
      last = kinds[token] === SIGN ? (text[starts[token] ?? 0] ?? '') : ''
      if (last !== '') count(current, last.charCodeAt(0))
      depth = last === '(' ? depth + 1 : last === ')' ? depth - 1 : ';{}'.includes(last) && last !== '' ? 0 : depth
      continue
    }
    const isInside = depth > 0 || (last !== '' && '=[+-|&?<!^%'.includes(last))
    const word = directiveOf(text.slice(starts[token], ends[token]))
    if (word.startsWith('if')) {
      groups.push([current])
      current = { directive: token, isInside, braces: 0, brackets: 0 }
      groups.at(-1)?.push(current)
    } else if (word.startsWith('el') && groups.length > 0) {
      current = { directive: token, isInside, braces: 0, brackets: 0 }
      groups.at(-1)?.push(current)
    } else if (word === 'endif') {
      const [around, ...branches] = groups.pop() ?? []
      if (around === undefined) continue
      current = around
      const kept = blankGroup(branches, token, ranges)
      current.braces += kept?.braces ?? 0
      current.brackets += kept?.brackets ?? 0
    }
  }
  return ranges
}

/** The one that counts in what is around it. */
function blankGroup(branches: readonly Branch[], end: number, ranges: TokenRange[]): Branch | undefined {
  const [first, second] = branches
  const isWhole = branches.every(({ braces, brackets }) => braces === 0 && brackets === 0)
  if (first === undefined || (isWhole && !first.isInside)) return undefined
  const isLarge = end - (second ?? first).directive > MAX_BLANKED
  if (isLarge) return first
  const kept = second === undefined ? undefined : first
  ranges.push([first.directive, kept === undefined ? end + 1 : first.directive + 1])
  if (second !== undefined) ranges.push([second.directive, end + 1])
  return kept
}

function count(branch: Branch, unit: number): void {
  if (unit === 123) branch.braces++
  else if (unit === 125) branch.braces--
  else if (unit === 40) branch.brackets++
  else if (unit === 41) branch.brackets--
}

const directiveOf = (line: string): string => /^#\s*([a-z]+)/.exec(line)?.[1] ?? ''
