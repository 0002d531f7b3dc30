/** One output stream with its style and its width. */
import { once } from 'node:events'
import type { OutputStream } from '../io.ts'
import { createStyle, type Style, type StyleOptions } from './style.ts'

export class Terminal {
  readonly stream: OutputStream
  readonly style: Style
  readonly #env: StyleOptions['env']
  readonly #signal: AbortSignal

  constructor(stream: OutputStream, options: StyleOptions & { readonly signal: AbortSignal }) {
    this.stream = stream
    this.style = createStyle(stream, options)
    this.#env = options.env
    this.#signal = options.signal
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

  write(text: string | Uint8Array): void {
    this.stream.write(text)
  }

  line(text = ''): void {
    this.stream.write(`${text}\n`)
  }

  /** For output that may be long: waits while the reader is slow, and no longer than there is one. */
  async writeSlowly(text: string | Uint8Array): Promise<void> {
    if (this.stream.write(text) || this.#signal.aborted) return
    await once(this.stream, 'drain', { signal: this.#signal }).catch(() => undefined)
  }
}
