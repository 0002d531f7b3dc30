/** One store of one size: filled, searched, written to one by one, and read by many while it is written to at full speed. */
import type { Item, Space } from '@switchboard/store'
import { percentile } from '../statistics.ts'
import { Corpus } from './corpus.ts'
import type { Engine } from './engines.ts'
import type { StoreRow, Times } from './report.ts'

export interface MeasureOptions {
  readonly rows: number
  readonly seed: number
  readonly quick: boolean
}

const BATCH = 1_000
const SCOPES = 10
const READERS = 50
const READ_MS = 5_000
const DIMENSION = 384
/** More vectors than that are more than a minute of writing. */
const MOST_VECTORS = 100_000

export async function measureStore(engine: Engine, { rows, seed, quick }: MeasureOptions): Promise<StoreRow> {
  const corpus = new Corpus(seed)
  const before = process.memoryUsage.rss()
  const { store, space: name, remove } = await engine.open()
  try {
    const space = await store.space(name)
    const searches = quick ? 10 : 200
    const insertMs = await insert(space, corpus, rows)
    const search = async (scopes: readonly string[] | 'all'): Promise<Times> =>
      await timesOf(searches, async () => {
        const text = Array.from({ length: 4 }, () => corpus.midWord()).join(' ')
        await space.search({ text, scopes, limit: 10 })
      })
    // What was read once is in the engine's memory, as it is for whoever works with it.
    await search('all')
    const [all, oneScope] = [await search('all'), await search(['p3'])]
    const { bytes } = await store.status()
    let saved = 0
    const save = await timesOf(searches, () => space.put([itemOf(corpus, rows + saved++)]))
    const meaning = rows > MOST_VECTORS ? undefined : await measureMeaning(space, corpus, rows, searches)
    const readers = await measureReaders(space, corpus, rows + saved, quick)
    const memoryMB = (process.memoryUsage.rss() - before) / 2 ** 20
    return {
      engine: engine.name,
      rows,
      insertPerSecond: rows / (insertMs / 1_000),
      save,
      all,
      oneScope,
      meaning,
      ...readers,
      megabytes: bytes / 2 ** 20,
      memoryMB,
    }
  } finally {
    await remove()
  }
}

function itemOf(corpus: Corpus, number: number): Item {
  const scope = `p${number % SCOPES}`
  const at = number
  return {
    id: `n${number}`,
    kind: 'note',
    scope,
    text: corpus.text(),
    tags: [],
    data: { number },
    createdAt: at,
    updatedAt: at,
  }
}

/** Milliseconds of writing alone: the texts are made before the clock runs. */
async function insert(space: Space, corpus: Corpus, rows: number): Promise<number> {
  let total = 0
  for (let from = 0; from < rows; from += BATCH) {
    const count = Math.min(BATCH, rows - from)
    const items = Array.from({ length: count }, (_, index) => itemOf(corpus, from + index))
    const begun = performance.now()
    await space.put(items)
    total += performance.now() - begun
  }
  return total
}

async function timesOf(count: number, work: () => Promise<unknown>): Promise<Times> {
  const times: number[] = []
  for (let index = 0; index < count; index++) {
    const begun = performance.now()
    await work()
    times.push(performance.now() - begun)
  }
  return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) }
}

/** A search by words and meaning, all vectors of the model being compared. */
async function measureMeaning(space: Space, corpus: Corpus, rows: number, searches: number): Promise<Times> {
  const vector = (): Float32Array => Float32Array.from({ length: DIMENSION }, () => corpus.number() - 0.5)
  for (let from = 0; from < rows; from += BATCH) {
    const ids = Array.from({ length: Math.min(BATCH, rows - from) }, (_, index) => `n${from + index}`)
    await space.putVectors(
      'bench',
      ids.map((id) => ({ id, revision: 1, values: vector() })),
    )
  }
  const search = async (): Promise<void> => {
    const query = { model: 'bench', values: vector() }
    await space.search({ text: `${corpus.midWord()} ${corpus.midWord()}`, scopes: 'all', limit: 10, vector: query })
  }
  // The first one reads them all.
  await search()
  return await timesOf(searches, search)
}

/** Fifty that read one after the other without a pause, alone and beside a writer that never stops. */
async function measureReaders(
  space: Space,
  corpus: Corpus,
  from: number,
  quick: boolean,
): Promise<Pick<StoreRow, 'readersIdle' | 'readersBusy' | 'rowsBeside'>> {
  const duration = quick ? 200 : READ_MS
  const readAll = async (): Promise<Times> => {
    const end = performance.now() + duration
    const times: number[] = []
    const readOn = async (): Promise<void> => {
      while (performance.now() < end) {
        const begun = performance.now()
        await space.search({ text: `${corpus.midWord()} ${corpus.midWord()}`, scopes: ['p3'], limit: 5 })
        times.push(performance.now() - begun)
      }
    }
    await Promise.all(Array.from({ length: READERS }, readOn))
    return { p50Ms: percentile(times, 0.5), p99Ms: percentile(times, 0.99) }
  }
  const readersIdle = await readAll()
  let isDone = false
  let rowsBeside = 0
  const writing = (async () => {
    while (!isDone) {
      await space.put(Array.from({ length: 100 }, () => itemOf(corpus, from + rowsBeside++)))
    }
  })()
  const readersBusy = await readAll()
  isDone = true
  await writing
  return { readersIdle, readersBusy, rowsBeside }
}
