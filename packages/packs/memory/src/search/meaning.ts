/** Search by meaning, as the pack has it: a query's vector, vectors for what is stored, and where both are used. */
import { join } from 'node:path'
import type { Clock } from '@switchboard/base'
import { errorMessage } from '@switchboard/base'
import type { QueryVector, Space } from '@switchboard/store'
import type { Logger } from '@switchboard/telemetry'
import { createEncoder } from '../encoders/create-encoder.ts'
import { DocumentEncoder } from '../encoders/document-encoder.ts'
import { EncoderError } from '../encoders/encoder.ts'
import { ENCODED_SPACES, type EncodedSpace, type EncoderConfig } from '../encoders/encoder-config.ts'
import type { EncoderMetrics } from '../encoders/encoder-metrics.ts'
import { EncoderNotes, type Verdict } from '../encoders/encoder-notes.ts'
import { GuardedEncoder, type Pauses } from '../encoders/guarded-encoder.ts'
import { QueryEncoder } from '../encoders/query-encoder.ts'
import { Background } from './background.ts'
import { Embedder } from './embedder.ts'
import type { EvaluateOptions, SpaceEvaluation } from './evaluate/evaluate-meaning.ts'
import { watchSpace } from './watch-space.ts'

export interface MeaningOptions {
  readonly config: EncoderConfig
  readonly openSpace: (name: string) => Promise<Space>
  readonly cacheFolder: string
  readonly clock: Clock
  readonly log: Logger
  /** For tests. */
  readonly pauses?: Pauses
}

export interface Insight {
  /** Absent: words alone decide. */
  readonly vector?: QueryVector
  /** What the agent should know. */
  readonly note?: string
}

export interface MeaningStatus {
  /** Where the encoder is. */
  readonly place: string
  /** With the length of its vectors; absent: nobody has asked it yet. */
  readonly model: string | undefined
  /** Why it is not asked for now. */
  readonly problem: string | undefined
  readonly spaces: Readonly<Partial<Record<EncodedSpace, SpaceMeaning>>>
}

export interface SpaceMeaning {
  /** Whether what was stored has its vectors. */
  readonly isComplete: boolean
  readonly isUsed: boolean
  readonly verdict: Verdict | undefined
}

const PAUSES: Pauses = { first: 1_000, longest: 60_000 }
/** Of what a server says of itself, so much is told to agents. */
const MAX_REASON = 100

export class Meaning {
  readonly metrics: EncoderMetrics
  readonly notes: EncoderNotes
  readonly background: Background
  readonly documents: DocumentEncoder
  readonly #options: MeaningOptions
  readonly #encoder: ReturnType<typeof createEncoder>
  readonly #guarded: GuardedEncoder
  readonly #queries: QueryEncoder
  readonly #embedder: Embedder
  readonly #closing = new AbortController()
  readonly #names = new WeakMap<Space, EncodedSpace>()
  readonly #spaces = new Map<EncodedSpace, Promise<Space>>()
  readonly #verdicts = new Map<EncodedSpace, Verdict>()

  constructor(options: MeaningOptions) {
    const { config, clock, log, openSpace, pauses = PAUSES } = options
    const { signal: closing } = this.#closing
    const { documentPrefix, maxCharacters, timeout, dimensions } = config
    this.#options = options
    this.notes = new EncoderNotes(() => openSpace('encoders'), clock)
    this.#encoder = createEncoder(config)
    this.#guarded = new GuardedEncoder({
      encoder: this.#encoder,
      notes: this.notes,
      clock,
      log,
      dimensions,
      documentPrefix,
      timeout,
      pauses,
      closing,
    })
    this.metrics = this.#guarded.counts
    this.#queries = new QueryEncoder({
      encoder: this.#guarded,
      clock,
      rules: { prefix: config.queryPrefix, maxCharacters },
      timeout: config.queryTimeout,
      pauses,
      closing,
    })
    this.documents = new DocumentEncoder({
      encoder: this.#guarded,
      rules: { prefix: documentPrefix, maxCharacters },
      cacheFolder: join(options.cacheFolder, 'vectors'),
      log,
    })
    this.background = new Background(this.notes, async (question) => {
      const { values } = await this.encodePatiently(question, closing)
      return values
    })
    this.#embedder = new Embedder({
      encoder: this.#guarded,
      documents: this.documents,
      spaces: config.use === 'auto' ? ENCODED_SPACES : config.use,
      openSpace: (name) => openSpace(name),
      batch: config.batch,
      onDidEncode: (model, vectors) => this.background.learn(model, vectors),
      clock,
      log,
      pauses,
    })
  }

  start(): void {
    this.#embedder.start()
    this.#readVerdicts().catch((error: unknown) => {
      this.#options.log.warn('memory.encoder', `What an evaluation found is not known: ${errorMessage(error)}`)
    })
  }

  /** The space; in one that is searched by meaning, whatever is stored gets its vector. */
  space(named: string): Promise<Space> {
    const name = ENCODED_SPACES.find((one) => one === named)
    if (name === undefined) return this.#options.openSpace(named)
    const known = this.#spaces.get(name)
    if (known !== undefined) return known
    const opened = this.#options.openSpace(name).then((space) => {
      const watched = watchSpace(space, () => this.#embedder.touch(name))
      this.#names.set(watched, name)
      return watched
    })
    this.#spaces.set(name, opened)
    // The next one tries again.
    opened.catch(() => this.#spaces.delete(name))
    return opened
  }

  /** Never throws for an encoder. */
  async understand(space: Space, text: string, signal?: AbortSignal): Promise<Insight> {
    const name = this.#names.get(space)
    if (name === undefined || !this.isUsed(name)) return {}
    try {
      const vector = await this.#queries.encode(text, signal)
      await this.background.recall(vector.model)
      if (this.#embedder.isComplete(name)) return { vector }
      return { vector, note: 'Not all of it is encoded yet: some was searched by words alone.' }
    } catch (error) {
      if (!(error instanceof EncoderError)) throw error
      return { note: `Searched by words alone: the encoder ${shorten(error.message)}.` }
    }
  }

  /** For whoever has time. Throws EncoderError. */
  encodePatiently(text: string, signal: AbortSignal): Promise<QueryVector> {
    return this.#queries.encodePatiently(text, signal)
  }

  /** Whether search in it goes by meaning as well. */
  isUsed(name: EncodedSpace): boolean {
    const { use } = this.#options.config
    if (use !== 'auto') return use.includes(name)
    const verdict = this.#verdicts.get(name)
    // What was said of another model says nothing of this one.
    return verdict === undefined || verdict.model !== this.#guarded.model || verdict.helps
  }

  async decide(name: EncodedSpace, verdict: Verdict): Promise<void> {
    await this.notes.writeVerdict(name, verdict)
    this.#verdicts.set(name, verdict)
  }

  /** Whether it helps on what is stored; what comes out decides from then on where it is used. Throws EncoderError. */
  async evaluate(options: Omit<EvaluateOptions, 'meaning' | 'folder'>): Promise<SpaceEvaluation[]> {
    // Nobody needs it in every daemon.
    const { evaluateMeaning } = await import('./evaluate/evaluate-meaning.ts')
    return evaluateMeaning({ ...options, meaning: this, folder: this.#options.cacheFolder })
  }

  status(): MeaningStatus {
    const spaces = ENCODED_SPACES.map((name) => [
      name,
      { isComplete: this.#embedder.isComplete(name), isUsed: this.isUsed(name), verdict: this.#verdicts.get(name) },
    ])
    const { place, model } = this.#guarded
    return { place, model, problem: this.#guarded.refusal()?.reason, spaces: Object.fromEntries(spaces) }
  }

  async close(): Promise<void> {
    this.#closing.abort(new EncoderError('waiting', 'is being closed'))
    await this.#embedder.close()
    await this.#queries.end()
    await this.documents.close()
    await this.#encoder.close()
  }

  async #readVerdicts(): Promise<void> {
    for (const name of ENCODED_SPACES) {
      const verdict = await this.notes.readVerdict(name)
      if (verdict !== undefined && !this.#verdicts.has(name)) this.#verdicts.set(name, verdict)
    }
  }
}

function shorten(reason: string): string {
  return reason.length > MAX_REASON ? `${reason.slice(0, MAX_REASON)}…` : reason
}
