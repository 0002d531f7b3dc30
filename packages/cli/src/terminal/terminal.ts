/** One output stream with its style and its width. */
import { once } from 'node:events'
import { sayInForm } from '../program/command-form.ts'
import type { OutputStream } from '../program/io.ts'
import { toTerminalText } from './safe-text.ts'
import { createStyle, type Style, type StyleOptions } from './style.ts'

export interface TerminalOptions extends StyleOptions {
  readonly signal: AbortSignal
  /** How whoever reads it calls the command; asked once it is mentioned. */
  readonly form?: () => string
}

export class Terminal {
  readonly stream: OutputStream
  readonly style: Style
  readonly #env: StyleOptions['env']
  readonly #signal: AbortSignal
  readonly #form: (() => string) | undefined

  constructor(stream: OutputStream, options: TerminalOptions) {
    this.stream = stream
    this.style = createStyle(stream, options)
    this.#env = options.env
    this.#signal = options.signal
    this.#form = options.form
  }

  get isTTY(): boolean {
    return this.stream.isTTY === true
  }

  /** A pipe has no width: nothing is cut there, unless COLUMNS asks for it. */
  get width(): number {
    if (this.isTTY) return this.stream.columns || 80
    const columns = Number(this.#env.COLUMNS)
    return Number.isInteger(columns) && columns > 0 ? columns : Number.POSITIVE_INFINITY
  }

  get height(): number {
    return this.stream.rows || 24
  }

  /** What is written here is ours: commands of ours that it names are to be typed by who reads it. */
  inForm(text: string): string {
    return this.isTTY && this.#form !== undefined ? sayInForm(text, this.#form) : text
  }

  write(text: string | Uint8Array): void {
    this.stream.write(this.#show(typeof text === 'string' ? this.inForm(text) : text))
  }

  line(text = ''): void {
    this.stream.write(this.#show(`${this.inForm(text)}\n`))
  }

  /** For output that may be long: waits while the reader is slow, and no longer than there is one. */
  async writeSlowly(text: string | Uint8Array): Promise<void> {
    if (this.stream.write(this.#show(text)) || this.#signal.aborted) return
    await once(this.stream, 'drain', { signal: this.#signal }).catch(() => undefined)
  }

  /** A pipe gets what was written. */
  #show(text: string | Uint8Array): string | Uint8Array {
    return this.isTTY && typeof text === 'string' ? toTerminalText(text) : text
  }
}
