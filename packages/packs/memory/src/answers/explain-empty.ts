/** Why nothing was found: an agent that knows it does not try the same in other words. */
export interface EmptySearch {
  /** What was looked for, in the plural: `checkpoints`. */
  readonly what: string
  /** How many the caller may see of those that fit every filter; undefined: nobody has counted. */
  readonly searched: number | undefined
  /** How many matched and were under the threshold. */
  readonly belowScore?: number
  /** By what the search was narrowed: `tags: ci`, `category: network`. */
  readonly filters?: readonly string[]
  /** What to do where nothing is stored yet. */
  readonly next?: string
  /** What to do where others are stored. */
  readonly otherwise?: string
}

export function explainEmpty({ what, searched, belowScore = 0, filters = [], next, otherwise }: EmptySearch): string {
  const narrowed = filters.length === 0 ? '' : ` with ${filters.join(', ')}`
  if (belowScore > 0)
    return `Nothing fits well enough: ${countOf(belowScore, what)} ${belowScore === 1 ? 'shares' : 'share'} words with it. Give a lower minScore to see them.`
  if (searched === undefined || searched > 0) {
    const count = searched === undefined ? `the ${what}` : countOf(searched, what)
    if (otherwise !== undefined) return `Nothing matched among ${count}${narrowed}. ${otherwise}`
    return `Nothing matched among ${count}${narrowed}. Try other or fewer words${narrowed === '' ? '' : ', or fewer filters'}.`
  }
  if (narrowed !== '') return `There are no ${what}${narrowed}. Leave the filter out to see others.`
  return `No ${what} are stored for this project yet.${next === undefined ? '' : ` ${next}`}`
}

/** `what`: in the plural. */
function countOf(count: number, what: string): string {
  return `${count} ${count === 1 ? what.replace(/s$/, '') : what}`
}
