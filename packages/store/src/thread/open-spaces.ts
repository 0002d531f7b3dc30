import { SwitchboardError } from '@switchboard/protocol/errors'
import { SPACE_NAME, type Space } from '../store.ts'

/** The spaces of a store by their names: each is opened once, and again after it could not be. */
export class OpenSpaces {
  readonly #spaces = new Map<string, Promise<Space>>()
  readonly #open: (name: string) => Promise<Space>

  constructor(open: (name: string) => Promise<Space>) {
    this.#open = open
  }

  get(name: string): Promise<Space> {
    if (!SPACE_NAME.test(name)) throw new SwitchboardError('internal', `"${name}" is no name of a space`)
    const known = this.#spaces.get(name) ?? this.#openNew(name)
    this.#spaces.set(name, known)
    return known
  }

  async #openNew(name: string): Promise<Space> {
    try {
      return await this.#open(name)
    } catch (error) {
      this.#spaces.delete(name)
      throw error
    }
  }
}
