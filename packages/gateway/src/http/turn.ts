/**
 * Requests that come in together go on together. Every connection is read in a callback of its own, and what a call writes
 * to its server leaves at the end of that callback: with many connections, a write for each. The first of a turn of the
 * event loop goes on at once, so that one alone waits for nothing; all others at the turn's end, with one write between them.
 */
export class Turn {
  #isOpen = false
  #later: (() => void)[] = []

  /** `task` must not throw: others wait behind it. */
  run(task: () => void): void {
    if (this.#isOpen) {
      this.#later.push(task)
      return
    }
    this.#isOpen = true
    setImmediate(this.#end)
    task()
  }

  readonly #end = (): void => {
    this.#isOpen = false
    if (this.#later.length === 0) return
    const tasks = this.#later
    this.#later = []
    for (const task of tasks) task()
  }
}
