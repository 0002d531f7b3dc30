/** One line at a time from the person at the terminal. Questions go to stderr: stdout is for the answer of the tool. */
import { createInterface, type Interface } from 'node:readline'
import type { Io } from '../program/io.ts'
import type { Terminal } from '../terminal/terminal.ts'

export class TerminalPrompt {
  readonly #terminal: Terminal
  readonly #lines: Interface
  #waiting: ((answer: string | undefined) => void) | undefined
  #isClosed = false

  constructor(io: Io, terminal: Terminal) {
    this.#terminal = terminal
    this.#lines = createInterface({ input: io.stdin, output: terminal.stream, terminal: true, historySize: 0 })
    // The keyboard is read raw here, so Ctrl-C is ours to pass on.
    this.#lines.on('SIGINT', () => io.interrupt({ kind: 'signal', signal: 'SIGINT' }))
    this.#lines.on('close', () => {
      this.#isClosed = true
      this.#settle(undefined)
    })
  }

  get style(): Terminal['style'] {
    return this.#terminal.style
  }

  say(text: string): void {
    this.#terminal.line(text)
  }

  /** Undefined: Ctrl-D, or the call is over. */
  ask(question: string): Promise<string | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#waiting = resolve
      this.#lines.question(question, (answer) => this.#settle(answer))
    })
  }

  close(): void {
    if (!this.#isClosed) this.#lines.close()
  }

  #settle(answer: string | undefined): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined && answer === undefined) this.#terminal.line()
    waiting?.(answer)
  }
}
