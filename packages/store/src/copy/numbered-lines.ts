/** The lines of a file as its bytes come, empty ones counted too, so that a number is that of an editor. Memory is bounded. */
export type FileLine =
  | { readonly number: number; readonly text: string }
  | { readonly number: number; readonly bytes: number }

const NEWLINE = 10

/** One of more than `limit` bytes is told by its size alone. */
export async function* numberedLines(chunks: AsyncIterable<Uint8Array>, limit: number): AsyncGenerator<FileLine> {
  let parts: Uint8Array[] = []
  let bytes = 0
  let number = 0
  const keep = (part: Uint8Array): void => {
    bytes += part.length
    if (bytes <= limit) parts.push(part)
    else parts = []
  }
  const finish = (): FileLine => {
    number++
    const line = bytes > limit ? { number, bytes } : { number, text: Buffer.concat(parts).toString() }
    parts = []
    bytes = 0
    return line
  }
  for await (const chunk of chunks) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end))
      yield finish()
      start = end + 1
    }
    // The chunk may be used again for the next bytes.
    keep(Buffer.from(chunk.subarray(start)))
  }
  if (bytes > 0) yield finish()
}
