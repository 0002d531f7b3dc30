import { isJsonObject, type JsonObject } from '@switchboard/protocol'

/** Of the texts and data in the content. To write the result out once more, only to count it, would double its cost. */
export function measureContent(result: JsonObject): number {
  let bytes = 0
  for (const block of Array.isArray(result.content) ? result.content : []) {
    if (!isJsonObject(block)) continue
    const inner = isJsonObject(block.resource) ? block.resource : block
    for (const part of [inner.text, inner.data, inner.blob]) if (typeof part === 'string') bytes += part.length
  }
  return bytes
}
