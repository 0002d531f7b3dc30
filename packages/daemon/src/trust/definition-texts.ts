import { isJsonObject, type JsonObject } from '@switchboard/protocol'

/** Every text of a definition that a model reads, names of parameters included, a line or more each. */
export function collectTexts(name: string, content: JsonObject): string {
  const texts: string[] = [name]
  const visit = (value: unknown): void => {
    if (typeof value === 'string') texts.push(value)
    else if (Array.isArray(value)) for (const item of value) visit(item)
    else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        texts.push(key)
        visit(member)
      }
    }
  }
  visit(content)
  return texts.join('\n')
}
