/**
 * How near an encoder puts a question and a text that have nothing to do with each other. With one model that is 0.05, with another
 * 0.75, so a cosine alone says nothing: what is not clearly nearer than that was not found by its meaning. Learned from everyday
 * questions that no memory is about, and the first texts that are encoded; kept for the model.
 */
import type { EncoderNotes, Nearness } from '../encoders/encoder-notes.ts'

/** Of different fields, in the words of people. */
const QUESTIONS = [
  'How long do eggs have to boil?',
  'When does the train to the sea leave on Sunday?',
  'Which tea is good for a sore throat?',
  'What did the neighbours say about the garden party?',
  'How do I teach a parrot to sing?',
  'Where can we buy winter shoes for children?',
]
/** With fewer texts chance decides; with more nothing changes. */
const MIN_TEXTS = 8
const MAX_TEXTS = 64
/** So many times the usual spread above the usual is no chance. */
const SPREADS = 2

/** What is taken for granted of a model of which nothing is known yet. */
const ANY_MODEL: Nearness = { usual: 0.4, spread: 0.05 }

export class Background {
  readonly #notes: EncoderNotes
  readonly #encode: (question: string) => Promise<Float32Array>
  #model: string | undefined
  #texts: Float32Array[] = []
  #known: Nearness | undefined

  constructor(notes: EncoderNotes, encode: (question: string) => Promise<Float32Array>) {
    this.#notes = notes
    this.#encode = encode
  }

  /** Whether it was learned: else nothing may be left out for it. */
  get isKnown(): boolean {
    return this.#known !== undefined
  }

  /** What is known of a model from an earlier time. */
  async recall(model: string): Promise<void> {
    if (this.#model === model) return
    this.#model = model
    this.#texts = []
    this.#known = undefined
    this.#known = await this.#notes.readNearness(model)
  }

  /** Looks at what was just encoded: when there is enough of it, and once more when there is more. */
  async learn(model: string, vectors: readonly Float32Array[]): Promise<void> {
    await this.recall(model)
    const before = this.#texts.length
    if (before >= MAX_TEXTS || (before === 0 && this.isKnown)) return
    this.#texts.push(...vectors.slice(0, MAX_TEXTS - before))
    const now = this.#texts.length
    if (now < MIN_TEXTS || (before >= MIN_TEXTS && now < MAX_TEXTS)) return
    const values: number[] = []
    for (const question of QUESTIONS) {
      const asked = await this.#encode(question)
      for (const text of this.#texts) values.push(cosine(asked, text))
    }
    this.#known = describe(values)
    await this.#notes.writeNearness(model, this.#known)
  }

  /** 0: as near as anything; 1: the same. */
  weigh(similarity: number): number {
    const { usual, spread } = this.#known ?? ANY_MODEL
    const floor = Math.min(usual + SPREADS * spread, 0.99)
    return Math.max(0, Math.min(1, (similarity - floor) / (1 - floor)))
  }
}

function describe(values: readonly number[]): Nearness {
  const usual = values.reduce((sum, value) => sum + value, 0) / values.length
  const variance = values.reduce((sum, value) => sum + (value - usual) ** 2, 0) / values.length
  return { usual, spread: Math.sqrt(variance) }
}

/** Of vectors of length 1. */
function cosine(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0)
  return sum
}
