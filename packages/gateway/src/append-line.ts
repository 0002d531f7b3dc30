import { isJsonObject, type JsonObject } from '@switchboard/protocol'

/** A line at the end of the last text of a tool's answer, or a text of its own where there is none. Nothing else is touched. */
export function appendLine(result: JsonObject, line: string): JsonObject {
  const content: readonly unknown[] = Array.isArray(result.content) ? result.content : []
  const at = content.findLastIndex((block) => isJsonObject(block) && block.type === 'text')
  const last = content[at]
  if (!isJsonObject(last)) return { ...result, content: [...content, { type: 'text', text: line }] }
  const text = `${typeof last.text === 'string' ? last.text.trimEnd() : ''}\n${line}`
  return { ...result, content: content.with(at, { ...last, text }) }
}
