/** Search by meaning on a real store and a real server. */
import { systemClock } from '@switchboard/base'
import { createNodeOfValue, ProblemList } from '@switchboard/config'
import type { JsonObject } from '@switchboard/protocol'
import { openSqliteStore, type Space } from '@switchboard/store'
import { createMemoryLogger, type MemoryLogger } from '@switchboard/telemetry'
import { createTemporaryDirectory, waitFor } from '@switchboard/testkit'
import { type EncoderConfig, encoderType } from '../../src/encoders/encoder-config.ts'
import { Finder, type Found } from '../../src/search/finder.ts'
import { Meaning } from '../../src/search/meaning.ts'
import { type EncoderServer, startEncoderServer } from './encoder-server.ts'

export interface MeaningBench extends AsyncDisposable {
  readonly server: EncoderServer
  readonly log: MemoryLogger
  readonly meaning: Meaning
  readonly space: Space
  save(id: string, text: string): Promise<void>
  find(text: string): Promise<Found>
  /** Until everything that is stored has a vector of the encoder's model. */
  waitUntilEncoded(): Promise<void>
  /** The same home with another encoder. */
  reopen(config?: JsonObject): Promise<void>
}

export interface MeaningBenchOptions {
  readonly config?: JsonObject
}

/** As a person writes it; what is wrong is thrown. */
export function readEncoderConfig(written: JsonObject): EncoderConfig {
  const problems = new ProblemList()
  const context = { problems, env: {}, unresolved: 'refuse', baseDirectory: '/' } as const
  const reading = encoderType.read(createNodeOfValue(written), ['encoder'], context)
  const [problem] = problems.list()
  if (problem !== undefined || reading === undefined) throw new Error(JSON.stringify(problem))
  return reading.value
}

export async function openMeaningBench({ config: first = {} }: MeaningBenchOptions = {}): Promise<MeaningBench> {
  const directory = await createTemporaryDirectory()
  const server = await startEncoderServer()
  const store = await openSqliteStore({ file: directory.file('store.db') })
  const log = createMemoryLogger()
  const open = (config: JsonObject) => {
    const written = { kind: 'openai', url: `${server.url}/v1`, model: 'words', queryTimeout: '5s', ...config }
    const meaning = new Meaning({
      config: readEncoderConfig(written),
      openSpace: (name) => store.space(name),
      cacheFolder: directory.file('cache'),
      clock: systemClock,
      log,
      pauses: { first: 40, longest: 200 },
    })
    meaning.start()
    return meaning
  }
  let meaning = open(first)
  let space = await meaning.space('checkpoints')
  return {
    server,
    log,
    get meaning() {
      return meaning
    },
    get space() {
      return space
    },
    async save(id, text) {
      const now = Date.now()
      await space.put([{ id, kind: 'note', scope: 'here', text, tags: [], data: {}, createdAt: now, updatedAt: now }])
    },
    find: (text) => new Finder(meaning).find(space, { text, scopes: ['here'], limit: 10 }),
    async waitUntilEncoded() {
      await waitFor(
        async () => {
          const { model } = meaning.status()
          return model !== undefined && (await space.listWithoutVector(model, 1)).length === 0
        },
        { what: 'a vector of everything' },
      )
    },
    async reopen(config = {}) {
      await meaning.close()
      meaning = open(config)
      space = await meaning.space('checkpoints')
    },
    async [Symbol.asyncDispose]() {
      await meaning.close()
      await store.close()
      await server[Symbol.asyncDispose]()
      await directory.remove()
    },
  }
}
