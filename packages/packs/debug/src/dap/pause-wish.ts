/** That a program shall stand still. Some debuggers forget it now and then; some tell its stop as something else. */
import type { DapTraits } from './traits.ts'

const AGAIN_MS = 1_000
const TRIES = 5

export class PauseWish {
  readonly #traits: DapTraits
  #isOpen = false

  constructor(traits: DapTraits) {
    this.#traits = traits
  }

  /** `ask` tells the debugger; again, where that is needed, until there is a stop or `isOver`. */
  async tell(ask: () => Promise<unknown>, isOver: () => boolean): Promise<void> {
    this.#isOpen = true
    await ask()
    if (this.#traits.losesPauses) this.#repeat(ask, isOver, TRIES)
  }

  /** A stop has come: true when it is the one that was wished for, whatever it is called. */
  isFulfilledBy(reason: string, text: string, breakpointIds: readonly string[]): boolean {
    const wasOpen = this.#isOpen
    this.#isOpen = false
    const { isPauseSignal } = this.#traits
    if (!wasOpen || isPauseSignal === undefined) return false
    // In the middle of a step it is told as a breakpoint that nobody has set.
    return reason === 'exception' ? isPauseSignal(text) : reason.includes('breakpoint') && breakpointIds.length === 0
  }

  #repeat(ask: () => Promise<unknown>, isOver: () => boolean, tries: number): void {
    const timer = setTimeout(() => {
      if (!this.#isOpen || tries === 0 || isOver()) return
      ask().then(
        () => this.#repeat(ask, isOver, tries - 1),
        // Whoever waits for the stop hears of the end.
        () => undefined,
      )
    }, AGAIN_MS)
    timer.unref()
  }
}
