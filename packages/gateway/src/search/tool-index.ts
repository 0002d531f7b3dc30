/**
 * BM25 over names, titles, descriptions and parameters. Names weigh most. A word of the query also counts, for less, where
 * a tool has another that means the same, one that begins with it, or, when no tool has the word at all, one that is
 * a typing mistake away.
 *
 * Servers say how long all this is, and callers what is looked for: both are bounded, and others have their turns between.
 */
import { boundedDistance, Slices } from '@switchboard/base'
import { isJsonObject } from '@switchboard/protocol'
import type { Tool } from '@switchboard/protocol/mcp'
import { SYNONYMS, splitQuery, splitWords } from './search-words.ts'

export interface ToolIndex {
  search(query: string, limit: number): Promise<Tool[]>
}

const K1 = 1.2
/** Low: a long description says more, and is no reason to come later. */
const B = 0.3
const WEIGHTS = { name: 4, title: 3, description: 1.5, parameters: 1, values: 0.5 } as const
/** Of a word that stands in for one of the query. */
const LIKENESS = { synonym: 0.5, beginning: 0.6, mistake: 0.7, joined: 0.8 } as const
const MAX_QUERY_WORDS = 32
const MAX_VALUES = 50
const MAX_EXPANDED = 1_000
const MAX_QUERY_CHARACTERS = 1_000
/** Of each text of a tool, in characters: what it does is said at its beginning. */
const MAX_TEXT = 4_000
/** Of a tool. */
const MAX_PARAMETERS = 200
/** That a word is compared with: each takes its time. Those of the first servers. */
const MAX_COMPARED = 50_000

interface Document {
  readonly tool: Tool
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

export async function createToolIndex(tools: readonly Tool[]): Promise<ToolIndex> {
  const documents: Document[] = []
  const frequency = new Map<string, number>()
  const slices = new Slices()
  for (const tool of tools) {
    await slices.pause()
    const document = createDocument(tool)
    documents.push(document)
    for (const term of document.counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  }
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length)
  const rarity = (term: string): number => {
    const count = frequency.get(term) ?? 0
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5))
  }
  const scoreOf = ({ counts, length }: Document, wanted: readonly Wanted[]): number => {
    let score = 0
    let found = 0
    for (const alternatives of wanted) {
      let best = 0
      for (const [term, likeness] of alternatives) {
        const count = counts.get(term)
        if (count === undefined) continue
        const weight = (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average))
        best = Math.max(best, likeness * rarity(term) * weight)
      }
      score += best
      if (best > 0) found++
    }
    // Of two with the same score, the one that has more of the words is meant.
    return score * (1 + found / Math.max(1, wanted.length))
  }
  const expanded = new Map<string, Wanted>()
  const expandOnce = (word: string): Wanted => {
    const known = expanded.get(word)
    if (known !== undefined) return known
    // Comparing a word with all others is what takes the time, and agents ask in the same words.
    if (expanded.size >= MAX_EXPANDED) expanded.clear()
    const terms = expand(word, frequency)
    expanded.set(word, terms)
    return terms
  }
  /** `file system` for what is called `filesystem`. */
  const join = (terms: Wanted, word: string, before = '', after = ''): Wanted => {
    const joined = [before + word, word + after].filter((term) => term !== word && frequency.has(term))
    if (joined.length === 0) return terms
    return new Map([
      ...terms,
      ...joined.map((term) => [term, Math.max(terms.get(term) ?? 0, LIKENESS.joined)] as const),
    ])
  }
  return {
    async search(query, limit) {
      const words = splitQuery(query.slice(0, MAX_QUERY_CHARACTERS)).slice(0, MAX_QUERY_WORDS)
      const slices = new Slices()
      const wanted: Wanted[] = []
      for (const [index, word] of words.entries()) {
        await slices.pause()
        wanted.push(join(expandOnce(word), word, words[index - 1], words[index + 1]))
      }
      const scored: { readonly tool: Tool; readonly score: number; readonly order: number }[] = []
      for (const [order, document] of documents.entries()) {
        await slices.pause()
        const score = scoreOf(document, wanted)
        if (score > 0) scored.push({ tool: document.tool, score, order })
      }
      return scored
        .sort((a, b) => b.score - a.score || a.order - b.order)
        .slice(0, limit)
        .map(({ tool }) => tool)
    },
  }
}

/** The terms by which one word of a query may be met, each with how much it counts. */
type Wanted = ReadonlyMap<string, number>

function expand(word: string, known: ReadonlyMap<string, number>): Wanted {
  const terms = new Map<string, number>()
  const add = (term: string, likeness: number): void => {
    if (likeness > (terms.get(term) ?? 0) && known.has(term)) terms.set(term, likeness)
  }
  add(word, 1)
  for (const synonym of SYNONYMS.get(word) ?? []) add(synonym, LIKENESS.synonym)
  const isKnown = terms.size > 0
  let left = MAX_COMPARED
  for (const term of known.keys()) {
    if (left-- === 0) break
    if (word.length >= 4 && term.startsWith(word)) add(term, LIKENESS.beginning)
    else if (!isKnown && term.length >= 4 && word.startsWith(term)) add(term, LIKENESS.beginning)
    else if (!isKnown) add(term, mistakeOf(word, term))
  }
  if (terms.size > 0) return terms
  // The mistake may be in a word that no tool has, but another for it.
  for (const [other, synonyms] of SYNONYMS) {
    const likeness = mistakeOf(word, other) * LIKENESS.synonym
    if (likeness > 0) for (const synonym of synonyms) add(synonym, likeness)
  }
  return terms
}

/** How much a term counts for a word that is mistyped; 0: it is another word. */
function mistakeOf(word: string, term: string): number {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2
  if (most === 0 || term.length < 3 || Math.abs(term.length - word.length) > most) return 0
  const distance = boundedDistance(word, term, most)
  return distance === undefined ? 0 : LIKENESS.mistake / Math.max(1, distance)
}

function createDocument(tool: Tool): Document {
  const counts = new Map<string, number>()
  let length = 0
  const add = (text: string | undefined, weight: number): void => {
    for (const word of splitWords(text?.slice(0, MAX_TEXT) ?? '')) {
      counts.set(word, (counts.get(word) ?? 0) + weight)
      length += weight
    }
  }
  add(tool.name, WEIGHTS.name)
  add(tool.title, WEIGHTS.title)
  add(tool.description, WEIGHTS.description)
  const { properties } = tool.inputSchema
  for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {}).slice(0, MAX_PARAMETERS)) {
    add(name, WEIGHTS.parameters)
    if (!isJsonObject(schema)) continue
    if (typeof schema.description === 'string') add(schema.description, WEIGHTS.parameters)
    // What a tool with an `action` can do is in its values.
    for (const value of Array.isArray(schema.enum) ? schema.enum.slice(0, MAX_VALUES) : []) {
      if (typeof value === 'string') add(value, WEIGHTS.values)
    }
  }
  return { tool, counts, length }
}
