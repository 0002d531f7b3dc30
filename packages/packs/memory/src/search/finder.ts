/** One way to search what is stored: by words, and by meaning where an encoder is configured and answers in time. */
import type { Hit, SearchQuery, Space } from '@switchboard/store'
import type { Meaning } from './meaning.ts'

export interface FindOptions extends Omit<SearchQuery, 'vector'> {
  /** By words alone, whatever is configured: for whoever saves, or has no time, and must not wait for an encoder. */
  readonly byWords?: boolean
  readonly signal?: AbortSignal | undefined
}

export interface Found {
  /** The best first. `similarity` is 0 for what an encoder says of any two texts, whatever the model, and 1 for the same. */
  readonly hits: readonly Hit[]
  /** Where nothing was found: how many were looked through. */
  readonly searched: number | undefined
  /** What the agent should know of how was searched, such as that the encoder is down. */
  readonly note: string | undefined
}

export class Finder {
  readonly #meaning: Meaning | undefined

  /** Without: words alone decide. */
  constructor(meaning?: Meaning) {
    this.#meaning = meaning
  }

  async find(space: Space, { signal, byWords = false, ...query }: FindOptions): Promise<Found> {
    const meaning = byWords ? undefined : this.#meaning
    const { vector, note } = (await meaning?.understand(space, query.text, signal)) ?? {}
    if (meaning === undefined || vector === undefined) return { ...(await searchByWords(space, query, signal)), note }
    const { hits } = await space.search({ ...query, vector }, { signal })
    const meant = weighHits(hits, meaning)
    // Everything is somewhere near: where nothing is near enough, words say how much was looked through.
    if (meant.length === 0) return { ...(await searchByWords(space, query, signal)), note }
    return { hits: meant, searched: undefined, note }
  }
}

async function searchByWords(space: Space, query: SearchQuery, signal: AbortSignal | undefined) {
  const { hits, searched } = await space.search(query, { signal })
  return { hits, searched }
}

/** Cosines of one model are not those of another: here they are how much nearer than anything. */
function weighHits(hits: readonly Hit[], { background }: Meaning): Hit[] {
  return hits.flatMap((hit) => {
    if (hit.similarity === undefined) return [hit]
    const similarity = background.weigh(hit.similarity)
    return hit.matched === 'meaning' && similarity === 0 && background.isKnown ? [] : [{ ...hit, similarity }]
  })
}
