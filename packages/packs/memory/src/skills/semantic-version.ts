/** Versions as semver.org has them, and which of two comes later. */

export interface SemanticVersion {
  readonly numbers: readonly [major: number, minor: number, patch: number]
  /** Of what comes before a release; empty: it is one. */
  readonly before: readonly string[]
}

const MAX_CHARACTERS = 64
const NUMBER = /^(?:0|[1-9]\d{0,14})$/
const IDENTIFIER = /^[0-9A-Za-z-]+$/

/** Undefined: it is none. */
export function parseVersion(text: string): SemanticVersion | undefined {
  if (text.length > MAX_CHARACTERS) return undefined
  const [main = '', ...builds] = text.split('+')
  if (builds.length > 1 || !builds.every((build) => build.split('.').every((part) => IDENTIFIER.test(part))))
    return undefined
  const dash = main.indexOf('-')
  const numbers = (dash === -1 ? main : main.slice(0, dash)).split('.')
  const before = dash === -1 ? [] : main.slice(dash + 1).split('.')
  const [major, minor, patch] = numbers
  if (major === undefined || minor === undefined || patch === undefined || numbers.length > 3) return undefined
  if (!numbers.every((number) => NUMBER.test(number))) return undefined
  const isFine = (part: string) => IDENTIFIER.test(part) && (!/^\d+$/.test(part) || NUMBER.test(part))
  if (!before.every(isFine)) return undefined
  return { numbers: [Number(major), Number(minor), Number(patch)], before }
}

/** Below 0: the first comes before the second. What was built of it makes no difference. */
export function compareVersions(one: SemanticVersion, other: SemanticVersion): number {
  for (const at of [0, 1, 2] as const) {
    if (one.numbers[at] !== other.numbers[at]) return one.numbers[at] - other.numbers[at]
  }
  if (one.before.length === 0 || other.before.length === 0) return other.before.length - one.before.length
  for (const [at, part] of one.before.entries()) {
    const against = other.before[at]
    if (against === undefined) return 1
    if (part !== against) return compareIdentifiers(part, against)
  }
  return one.before.length - other.before.length
}

export function nextPatch({ numbers: [major, minor, patch] }: SemanticVersion): string {
  return `${major}.${minor}.${patch + 1}`
}

/** Numbers come before words, and among themselves by their size. */
function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)]
  if (isNumber && isOtherNumber) return Number(one) - Number(other)
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1
  return one < other ? -1 : 1
}
