/** More than this share of what the game itself has counts as wrong, and our table is. */
const TRUSTED_SHARE = 0.02

/** Whether a table of ours is believed: the game is held against it first. */
export class Trust {
  readonly #ofGame = new Map<string, { all: number; wrong: number }>()
  readonly #least: number

  /** `least`: fewer things of the game tell nothing. */
  constructor(least = 1) {
    this.#least = least
  }

  /** Something of the game's own, by the line of the table. */
  count(about: string, isWrong: boolean): void {
    const count = this.#ofGame.get(about) ?? { all: 0, wrong: 0 }
    this.#ofGame.set(about, { all: count.all + 1, wrong: count.wrong + (isWrong ? 1 : 0) })
  }

  has(about: string): boolean {
    const count = this.#ofGame.get(about)
    return count === undefined || count.all < this.#least || count.wrong <= count.all * TRUSTED_SHARE
  }

  lost(): string[] {
    return [...this.#ofGame.keys()].filter((about) => !this.has(about))
  }
}
