/** What a program has printed since somebody last looked: the end of it, bounded. */
const MAX_CHARACTERS = 16_384

export class UnseenOutput {
  #chunks: string[] = []
  #length = 0
  #dropped = 0

  add(text: string): void {
    if (text.length > MAX_CHARACTERS) {
      this.#dropped += this.#length + text.length - MAX_CHARACTERS
      this.#chunks = [text.slice(-MAX_CHARACTERS)]
      this.#length = MAX_CHARACTERS
      return
    }
    this.#chunks.push(text)
    this.#length += text.length
    while (this.#length > MAX_CHARACTERS) {
      const first = this.#chunks.shift() ?? ''
      // A large piece is not dropped whole for a small one behind it.
      const kept = first.slice(this.#length - MAX_CHARACTERS)
      if (kept !== '') this.#chunks.unshift(kept)
      this.#length -= first.length - kept.length
      this.#dropped += first.length - kept.length
    }
  }

  /** And begins anew. `dropped`: characters before the text that were not kept. */
  take(): { readonly text: string; readonly dropped: number } {
    const taken = { text: this.#chunks.join(''), dropped: this.#dropped }
    this.#chunks = []
    this.#length = 0
    this.#dropped = 0
    return taken
  }
}
