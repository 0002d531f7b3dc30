/** What is remembered of encoders between two runs: how long the vectors of a model are, and whether they were seen to help. */
import type { Clock } from '@switchboard/base'
import type { JsonObject } from '@switchboard/protocol'
import type { Space } from '@switchboard/store'

/** What an evaluation found out about one space, with one model. */
export interface Verdict {
  readonly model: string
  /** Whether search by words and meaning was better than by words alone, and not by chance. */
  readonly helps: boolean
  readonly queries: number
  /** nDCG@10. */
  readonly text: number
  readonly meaning: number
  readonly fused: number
}

/** Of the cosines of questions and texts that have nothing to do with each other. */
export interface Nearness {
  readonly usual: number
  /** The standard deviation. */
  readonly spread: number
}

const SCOPE = 'encoders'

export class EncoderNotes {
  readonly #open: () => Promise<Space>
  readonly #clock: Clock

  constructor(open: () => Promise<Space>, clock: Clock) {
    this.#open = open
    this.#clock = clock
  }

  async readDimension(model: string): Promise<number | undefined> {
    const { dimension } = await this.#read(`dimension:${model}`)
    return typeof dimension === 'number' ? dimension : undefined
  }

  writeDimension(model: string, dimension: number): Promise<void> {
    return this.#write(`dimension:${model}`, 'dimension', { dimension })
  }

  async readNearness(model: string): Promise<Nearness | undefined> {
    const { usual, spread } = await this.#read(`nearness:${model}`)
    return typeof usual === 'number' && typeof spread === 'number' ? { usual, spread } : undefined
  }

  writeNearness(model: string, nearness: Nearness): Promise<void> {
    return this.#write(`nearness:${model}`, 'nearness', { ...nearness })
  }

  /** Of the last evaluation, whatever its model. */
  async readVerdict(space: string): Promise<Verdict | undefined> {
    const { model, helps, queries, text, meaning, fused } = await this.#read(`verdict:${space}`)
    if (typeof model !== 'string' || typeof helps !== 'boolean') return undefined
    return {
      model,
      helps,
      queries: Number(queries),
      text: Number(text),
      meaning: Number(meaning),
      fused: Number(fused),
    }
  }

  writeVerdict(space: string, verdict: Verdict): Promise<void> {
    return this.#write(`verdict:${space}`, 'verdict', { ...verdict })
  }

  async #read(id: string): Promise<JsonObject> {
    const space = await this.#open()
    return (await space.get(id))?.data ?? {}
  }

  async #write(id: string, kind: string, data: JsonObject): Promise<void> {
    const space = await this.#open()
    const now = this.#clock.wallTime()
    await space.put([{ id, kind, scope: SCOPE, text: '', tags: [], data, createdAt: now, updatedAt: now }])
  }
}
