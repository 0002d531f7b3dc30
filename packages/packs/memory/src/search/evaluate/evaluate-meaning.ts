/**
 * Whether search by meaning helps, measured on what is stored. In a copy, so that nothing that is stored is touched: each item that
 * can be asked for is put there without what it is asked by, and must be found by it among all others of the copy.
 */
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ensurePrivateFolder } from '@switchboard/base'
import { openSqliteStore, type QueryVector, type Space, type StoredItem } from '@switchboard/store'
import { ENCODED_SPACES, type EncodedSpace } from '../../encoders/encoder-config.ts'
import type { Meaning } from '../meaning.ts'
import { type Comparison, comparePlaces, judgePlaces, type Place, type Quality } from './compare.ts'
import { makeQuestion, type Question } from './make-question.ts'
import { sampleItems } from './sample-items.ts'

export interface EvaluateOptions {
  readonly meaning: Meaning
  /** In which the copy is made, and removed. */
  readonly folder: string
  /** Default: all. */
  readonly spaces?: readonly EncodedSpace[]
  /** Of each space at most. Defaults: 2,000 and 200. */
  readonly maxItems?: number
  readonly maxQuestions?: number
  readonly signal: AbortSignal
  readonly onProgress?: (progress: EvaluationProgress) => void
}

export interface EvaluationProgress {
  readonly space: EncodedSpace
  /** Texts and questions that are encoded, of all that are to be. */
  readonly done: number
  readonly total: number
}

export interface SpaceEvaluation {
  readonly space: EncodedSpace
  readonly items: number
  readonly questions: number
  /** Undefined: there are too few questions to tell. */
  readonly result: EvaluationResult | undefined
}

export interface EvaluationResult extends Comparison {
  readonly model: string
  readonly text: Quality
  readonly meaning: Quality
  readonly fused: Quality
}

/** With fewer, chance decides. */
export const MIN_QUESTIONS = 20
const MAX_ITEMS = 2_000
const MAX_QUESTIONS = 200
const BATCH = 32
const SCOPE = 'all'
const LIMIT = 10

/** What was found out is kept, and decides from then on where search goes by meaning. Throws EncoderError. */
export async function evaluateMeaning(options: EvaluateOptions): Promise<SpaceEvaluation[]> {
  const { meaning, spaces = ENCODED_SPACES } = options
  const evaluations: SpaceEvaluation[] = []
  for (const space of spaces) {
    const evaluation = await evaluateSpace(space, options)
    evaluations.push(evaluation)
    const { result, questions: queries } = evaluation
    if (result === undefined) continue
    const { model, text, meaning: alone, fused, outcome } = result
    const helps = outcome === 'better'
    await meaning.decide(space, { model, helps, queries, text: text.ndcg, meaning: alone.ndcg, fused: fused.ndcg })
  }
  return evaluations
}

interface Asked {
  readonly item: StoredItem
  readonly question: Question | undefined
}

async function evaluateSpace(name: EncodedSpace, options: EvaluateOptions): Promise<SpaceEvaluation> {
  const { meaning, folder, signal, maxItems = MAX_ITEMS, maxQuestions = MAX_QUESTIONS } = options
  const items = await sampleItems(await meaning.space(name), maxItems, signal)
  const asked = items.map((item): Asked => ({ item, question: makeQuestion(name, item) }))
  const questions = asked.filter(({ question }) => question !== undefined).slice(0, maxQuestions)
  const known = { space: name, items: items.length, questions: questions.length }
  if (questions.length < MIN_QUESTIONS) return { ...known, result: undefined }
  const place = join(folder, `evaluation-${randomUUID()}`)
  await ensurePrivateFolder(place)
  try {
    const store = await openSqliteStore({ file: join(place, 'copy.db') })
    try {
      const copy = await store.space('copy')
      let done = 0
      const tell = (more: number) => {
        done += more
        options.onProgress?.({ space: name, done, total: items.length + questions.length })
      }
      await fillCopy(copy, asked, meaning, signal, tell)
      return { ...known, result: await ask(copy, questions, meaning, signal, tell) }
    } finally {
      await store.close()
    }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

async function fillCopy(
  copy: Space,
  asked: readonly Asked[],
  meaning: Meaning,
  signal: AbortSignal,
  tell: (more: number) => void,
): Promise<void> {
  const items = asked.map(({ item, question }) => ({ ...item, scope: SCOPE, text: question?.rest ?? item.text }))
  for (let start = 0; start < items.length; start += BATCH) {
    signal.throwIfAborted()
    const batch = items.slice(start, start + BATCH)
    await copy.put(batch)
    const texts = batch.map(({ text }) => text)
    const { model, vectors } = await meaning.documents.encode(texts, signal)
    const stored = batch.flatMap(({ id }, index) => {
      const values = vectors[index]
      return values === undefined ? [] : [{ id, revision: 1, values }]
    })
    await copy.putVectors(model, stored)
    tell(batch.length)
  }
}

async function ask(
  copy: Space,
  questions: readonly Asked[],
  meaning: Meaning,
  signal: AbortSignal,
  tell: (more: number) => void,
): Promise<EvaluationResult> {
  const places: Readonly<Record<'text' | 'meaning' | 'fused', Place[]>> = { text: [], meaning: [], fused: [] }
  let model = ''
  for (const { item, question } of questions) {
    const text = question?.text ?? ''
    const vector = await meaning.encodePatiently(text, signal)
    model = vector.model
    places.text.push(await findPlace(copy, item.id, text, undefined, signal))
    places.meaning.push(await findPlace(copy, item.id, '', vector, signal))
    places.fused.push(await findPlace(copy, item.id, text, vector, signal))
    tell(1)
  }
  return {
    model,
    text: judgePlaces(places.text),
    meaning: judgePlaces(places.meaning),
    fused: judgePlaces(places.fused),
    ...comparePlaces(places.text, places.fused),
  }
}

async function findPlace(
  copy: Space,
  id: string,
  text: string,
  vector: QueryVector | undefined,
  signal: AbortSignal,
): Promise<Place> {
  const query = { text, scopes: [SCOPE], limit: LIMIT }
  const { hits } = await copy.search(vector === undefined ? query : { ...query, vector }, { signal })
  const place = hits.findIndex(({ item }) => item.id === id)
  return place === -1 ? undefined : place
}
