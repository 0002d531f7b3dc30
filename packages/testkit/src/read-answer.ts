import { isJsonObject } from '@switchboard/protocol'

/** The text of the first block of a tool's result; empty where there is none. */
export function textOf({ content }: { readonly content?: unknown }): string {
  const [block] = Array.isArray(content) ? content : []
  return isJsonObject(block) && typeof block.text === 'string' ? block.text : ''
}

/** The text of a tool's answer; without one, the error or the result as JSON. */
export function textOfAnswer(answer: { readonly result?: unknown; readonly error?: unknown }): string {
  const { result } = answer
  const [block] = isJsonObject(result) && Array.isArray(result.content) ? result.content : []
  if (isJsonObject(block) && typeof block.text === 'string') return block.text
  return JSON.stringify(answer.error ?? result)
}
