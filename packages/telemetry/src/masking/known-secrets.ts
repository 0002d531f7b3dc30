/**
 * Secrets by their values: what a server was given under the name of a secret is one wherever it turns up, also where it is said
 * back without that name and in a form that nobody knows.
 */
const uses = new Map<string, number>()
/** Undefined: there is none. */
let pattern: RegExp | undefined
let isCurrent = true

/** What is shorter could be a word of any text; what is longer is a file. */
const SHORTEST = 6
const LONGEST = 8_192
/** Of one process; more would make every line of a log cost. */
const MOST = 1_000
const WORD = /^(?:[A-Za-z]{1,15}|\d{1,11})$/

/** Until what it returns is called. */
export function rememberSecrets(values: Iterable<string>): () => void {
  const taken = new Set([...values].filter(isTelling).flatMap(listSpellings))
  for (const value of taken) uses.set(value, (uses.get(value) ?? 0) + 1)
  isCurrent = taken.size === 0 && isCurrent
  return () => {
    for (const value of taken) {
      const left = (uses.get(value) ?? 1) - 1
      if (left === 0) uses.delete(value)
      else uses.set(value, left)
    }
    isCurrent = taken.size === 0 && isCurrent
    taken.clear()
  }
}

export function replaceKnown(text: string, mask: string): string {
  if (!isCurrent) {
    pattern = compile()
    isCurrent = true
  }
  return pattern === undefined || text.length < SHORTEST ? text : text.replace(pattern, mask)
}

function isTelling(value: string): boolean {
  return value.length >= SHORTEST && value.length <= LONGEST && !WORD.test(value)
}

/** As it is, within JSON, and in an address. */
function listSpellings(value: string): string[] {
  return [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]
}

/** The longest first: one may begin as another does. */
function compile(): RegExp | undefined {
  const values = [...uses.keys()].sort((one, other) => other.length - one.length).slice(0, MOST)
  return values.length === 0 ? undefined : new RegExp(values.map(escapePattern).join('|'), 'g')
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
