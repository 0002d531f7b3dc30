/** Which tools of a list pass: globs over names, for a server's own rules and for profiles. */

export interface ToolFilterRules {
  /** Empty: all. */
  readonly allow: readonly string[]
  /** Wins over `allow`. */
  readonly deny: readonly string[]
}

const MAX_GLOB_LENGTH = 256
/** `*` and `?` only. What other dialects give a meaning is refused, rather than taken literally by surprise. */
export const GLOB_PATTERN = `^[^\\[\\]{}()!\\\\^|,\\u0000-\\u001f]{1,${MAX_GLOB_LENGTH}}$`
const glob = new RegExp(GLOB_PATTERN, 'u')

export function isGlob(text: string): boolean {
  return glob.test(text)
}

/** Case does not matter. */
export function createToolFilter(rules: ToolFilterRules): (name: string) => boolean {
  const allow = rules.allow.map(createGlobMatcher)
  const deny = rules.deny.map(createGlobMatcher)
  return (name) => {
    const characters = splitCharacters(name)
    if (deny.some((matches) => matches(characters))) return false
    return allow.length === 0 || allow.some((matches) => matches(characters))
  }
}

function splitCharacters(text: string): string[] {
  return Array.from(text.toLowerCase())
}

/**
 * Walks name and pattern once; on a mismatch only the last star takes one character more. Earlier stars never need
 * to be tried again, so the work is bounded by the pattern's (short) length for every character of the name.
 */
function createGlobMatcher(pattern: string): (name: readonly string[]) => boolean {
  const parts = splitCharacters(pattern)
  return (name) => {
    let at = 0
    let part = 0
    let star = -1
    let starAt = 0
    while (at < name.length) {
      if (parts[part] === '*') {
        star = part++
        starAt = at
      } else if (parts[part] !== undefined && (parts[part] === '?' || parts[part] === name[at])) {
        at++
        part++
      } else if (star >= 0) {
        part = star + 1
        at = ++starAt
      } else {
        return false
      }
    }
    while (parts[part] === '*') part++
    return part === parts.length
  }
}
