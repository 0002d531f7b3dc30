/**
 * At most `limit` inside at once; the others wait. Callers take turns, and what one caller brings keeps its order, so that
 * one agent's flood does not starve another. A place that is freed goes straight to the next in line.
 */
export interface PlaceInLine {
  /** Gives up waiting. Without effect once admitted. */
  leave(): void
}

export class FairQueue {
  /** By caller; the one whose turn is next stands first. */
  readonly #lines = new Map<string, Set<() => void>>()
  readonly #mayEnter: (caller: string) => boolean
  #limit: number
  #active = 0
  #waiting = 0

  /** `mayEnter`: whether that caller may have a place now that one is free. Whoever may not is passed over, and asked again. */
  constructor(limit: number, mayEnter: (caller: string) => boolean = () => true) {
    this.#limit = limit
    this.#mayEnter = mayEnter
  }

  get active(): number {
    return this.#active
  }

  get waiting(): number {
    return this.#waiting
  }

  isWaiting(caller: string): boolean {
    return this.#lines.has(caller)
  }

  /** Fewer places apply as others leave; more apply at once. */
  setLimit(limit: number): void {
    this.#limit = limit
    this.#admitNext()
  }

  /** True: the place is taken, without waiting. */
  tryEnter(): boolean {
    if (this.#active >= this.#limit) return false
    this.#active++
    return true
  }

  /** In spite of the limit: for those who are owed a place. */
  enterAnyway(): void {
    this.#active++
  }

  /** `admitted` is called when the place is taken. */
  lineUp(caller: string, admitted: () => void): PlaceInLine {
    const line = this.#lines.get(caller)
    if (line === undefined) this.#lines.set(caller, new Set([admitted]))
    else line.add(admitted)
    this.#waiting++
    return { leave: () => void this.#remove(caller, admitted) }
  }

  /** In spite of the limit and of whose turn it is: the first of that caller, if it waits. */
  admitAnyway(caller: string): void {
    const [next] = this.#lines.get(caller) ?? []
    if (next === undefined || !this.#remove(caller, next)) return
    this.#active++
    next()
  }

  exit(): void {
    this.#active--
    this.#admitNext()
  }

  /** Lets in whoever may enter now: for a `mayEnter` that changed its mind. */
  reconsider(): void {
    this.#admitNext()
  }

  #admitNext(): void {
    while (this.#active < this.#limit) {
      const turn = this.#findTurn()
      if (turn === undefined) return
      const [caller, line] = turn
      const [next] = line
      // To the back, if it has more.
      this.#lines.delete(caller)
      this.#lines.set(caller, line)
      if (next === undefined || !this.#remove(caller, next)) continue
      this.#active++
      next()
    }
  }

  #findTurn(): [string, Set<() => void>] | undefined {
    for (const line of this.#lines) if (this.#mayEnter(line[0])) return line
    return undefined
  }

  #remove(caller: string, admitted: () => void): boolean {
    const line = this.#lines.get(caller)
    if (!line?.delete(admitted)) return false
    this.#waiting--
    if (line.size === 0) this.#lines.delete(caller)
    return true
  }
}
