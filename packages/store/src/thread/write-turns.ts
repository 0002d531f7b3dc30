import { FairQueue } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { toError } from './thread-space.ts'

const MAX_WRITES = 1_000
/** Milliseconds that a write waits for its place. */
const MAX_WAIT = 30_000

/** So many writes wait for the engine; owners take turns for the next place, and who waits too long is told to come later. */
export class WriteTurns {
  readonly #queue = new FairQueue(MAX_WRITES)
  readonly #engine: string

  /** `engine`: what they wait for, as a person is told. */
  constructor(engine: string) {
    this.#engine = engine
  }

  /** That the engine has. */
  get active(): number {
    return this.#queue.active
  }

  /** For a place. */
  get waiting(): number {
    return this.#queue.waiting
  }

  async take<Result>(owner: string, write: () => Promise<Result>): Promise<Result> {
    if (!this.#queue.tryEnter(owner)) {
      await this.#queue.wait(owner, {
        timeout: MAX_WAIT,
        createAbortError: toError,
        createTimeoutError: () => new SwitchboardError('store_busy', `${MAX_WRITES} writes wait for ${this.#engine}`),
      })
    }
    try {
      return await write()
    } finally {
      this.#queue.exit(owner)
    }
  }
}
