/**
 * Where lines go when their file cannot be written: stderr, and when that fails too, nowhere. A broken pipe arrives as an
 * `error` event and would end the process; a reader that does not read would let the stream's buffer grow for ever.
 */

export interface TextSink {
  write(text: string): unknown
}

const MAX_BUFFERED = 1024 * 1024
const guarded = new WeakSet<object>()

/** Returns whether the text was handed over. Never throws. */
export function writeToFallback(sink: TextSink | undefined, text: string): boolean {
  try {
    if (sink) {
      sink.write(text)
      return true
    }
    // The getter itself throws when descriptor 2 was closed within the process.
    const stderr = process.stderr
    if (!guarded.has(stderr)) {
      guarded.add(stderr)
      stderr.on('error', () => undefined)
    }
    if (stderr.destroyed || stderr.writableEnded || stderr.writableLength > MAX_BUFFERED) return false
    stderr.write(text)
    return true
  } catch {
    return false
  }
}
