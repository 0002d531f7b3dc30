/** One after the other: whoever looks and then writes must not find what another is about to write. A failure ends its own turn only. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<Result>(act: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(act)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** When everything that was asked for so far is done. */
  async settle(): Promise<void> {
    await this.#last
  }
}
