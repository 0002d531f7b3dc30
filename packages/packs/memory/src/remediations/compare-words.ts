/**
 * How near two errors are by their words: what stands in for meaning where no encoder is configured. A name in quotes, an
 * identifier and a code decide; words that every error has hardly count. 1: the same; unrelated ones are at 0, also where they
 * share the usual words.
 */

const WORD =
  /(?<quoted>(?<![\p{L}\p{N}])["'`‘“])(?<name>[^"'`’”\n]{1,80})["'`’”]|(?<word>[\p{L}_$][\p{L}\p{N}_$.-]{0,80})|(?<number>\d{1,20})/gu
const USUAL = new Set(
  (
    "a an and are as at be but by can can't cannot could does doesn't did didn't during either else error errors exception " +
    "expected failed failure fatal for found from got had has have if in invalid into is isn't it its line message missing must no " +
    'none not null object of on or out possible properties property read reading returned should such supported that the there this ' +
    "to trying type unable undefined unexpected unknown use value was wasn't when while with without wrong you your"
  ).split(' '),
)
/** A number behind one of these is a name. */
const CODED = /(?:code|status|exit|errno|signal|port|http|version|sqlstate)[ :=]{1,3}$|:$/i

/** What stands before it is the name of a program. */
const NOT_FOUND = /^: (?:command )?not found/

const NAME_WEIGHT = 3
const TYPE_WEIGHT = 3
const USUAL_WEIGHT = 0.3
const NUMBER_WEIGHT = 0.2
/** Of the cosine: what unrelated errors of one kind reach. */
const FLOOR = 0.4

export type Words = ReadonlyMap<string, number>

/** Each word with how much it tells. */
export function weighWords(text: string, type: string | undefined): Words {
  const words = new Map<string, number>()
  const add = (word: string, weight: number): void => void words.set(word, Math.max(weight, words.get(word) ?? 0))
  for (const match of text.matchAll(WORD)) {
    const { name, word, number } = match.groups ?? {}
    if (name !== undefined) add(name.trim().toLowerCase(), NAME_WEIGHT)
    else if (word !== undefined) {
      const isProgram = NOT_FOUND.test(text.slice(match.index + word.length, match.index + word.length + 24))
      add(trimWord(word), isProgram ? NAME_WEIGHT : weightOf(trimWord(word), word))
    } else if (number !== undefined)
      add(number, CODED.test(text.slice(Math.max(0, match.index - 12), match.index)) ? NAME_WEIGHT : NUMBER_WEIGHT)
  }
  if (type !== undefined) add(type, TYPE_WEIGHT)
  return words
}

/** 0 to 1. */
export function compareWords(one: Words, other: Words): number {
  let shared = 0
  for (const [word, weight] of one) shared += weight * (other.get(word) ?? 0)
  const length = Math.sqrt(sumOfSquares(one) * sumOfSquares(other))
  return length === 0 ? 0 : Math.min(1, Math.max(0, (shared / length - FLOOR) / (1 - FLOOR)))
}

/** Whether an error says enough to be told from others of its kind: `Error: failed` does not. */
export function isTelling(words: Words, type: string | undefined): boolean {
  const own = [...words].filter(([word]) => word !== type)
  return sumOfSquares(new Map(own)) >= 4
}

/** Those that tell most: what is rare is found soonest. Empty: none tells more than others. */
export function listNames(words: Words, type: string | undefined): string[] {
  return [...words].flatMap(([word, weight]) => (weight >= NAME_WEIGHT && word !== type ? [word] : []))
}

function trimWord(word: string): string {
  return word.replace(/[.-]{1,80}$/, '').toLowerCase()
}

function weightOf(word: string, written: string): number {
  if (USUAL.has(word)) return USUAL_WEIGHT
  return /[_$\d]|.\../.test(word) || /[a-z][A-Z]/.test(written) ? NAME_WEIGHT : 1
}

function sumOfSquares(words: Words): number {
  return [...words.values()].reduce((sum, weight) => sum + weight * weight, 0)
}
