/**
 * Requests that come in together go on together. Every connection is read in a callback of its own, and what a call writes
 * to its server leaves at the end of that callback: with many connections, a write for each. The first of a turn of the
 * event loop goes on at once, so that one alone waits for nothing; all others at the turn's end, with one write between them.
 */
export class Turn {
  #isOpen = false
  #later: (() => void)[] = []

  /** True: go on at once. False: `task` is run at the turn's end; it must not throw, since others wait behind it. */
  isFirst(task: () => void): boolean {
    if (this.#isOpen) {
      this.#later.push(task)
      return false
    }
    this.#isOpen = true
    setImmediate(this.#end)
    return true
  }

  readonly #end = (): void => {
    this.#isOpen = false
    if (this.#later.length === 0) return
    const tasks = this.#later
    this.#later = []
    for (const task of tasks) task()
  }
}
