/** What a text to be looked for asks: its terms, and those of them by which texts are found. */
import { tokenize, tokenizeQuery } from './tokenize.ts'

export interface QueryTerm {
  readonly text: string
  readonly isName: boolean
  /** How often the query has it. */
  readonly count: number
  /** In how many texts it stands. */
  readonly frequency: number
}

export interface TextQuery {
  /** All of them, also those that stand nowhere. */
  readonly terms: readonly QueryTerm[]
  /** The rarest ones that stand anywhere at all, the rarest first: more of them change nothing but the time. */
  readonly rarest: readonly QueryTerm[]
  /** As the query has them, one after the other. */
  readonly order: readonly string[]
}

const MAX_SEARCHED_TERMS = 24
/** Of a longer text (a whole log) the beginning asks. */
const MAX_QUERY_LENGTH = 20_000

/** `frequenciesOf`: in how many texts each of these terms stands; one that it leaves out stands in none. */
export function readQuery(
  text: string,
  frequenciesOf: (terms: readonly string[]) => ReadonlyMap<string, number>,
): TextQuery {
  const begin = text.slice(0, MAX_QUERY_LENGTH)
  const found = tokenizeQuery(begin)
  const frequencies = frequenciesOf([...found.keys()])
  const terms = [...found].map(([term, { isName, count }]) => ({
    text: term,
    isName,
    count,
    frequency: frequencies.get(term) ?? 0,
  }))
  const rarest = terms
    .filter(({ frequency }) => frequency > 0)
    .sort((a, b) => a.frequency - b.frequency)
    .slice(0, MAX_SEARCHED_TERMS)
  return { terms, rarest, order: tokenize(begin) }
}
