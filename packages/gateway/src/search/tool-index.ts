/** BM25 over names, titles, descriptions and parameters. Names weigh most; words of identifiers count one by one. */
import { isJsonObject, type Tool } from '@switchboard/protocol'

export interface ToolIndex {
  search(query: string, limit: number): Tool[]
}

const K1 = 1.2
const B = 0.6
const WEIGHTS = { name: 4, title: 3, description: 1.5, parameters: 1 } as const

interface Document {
  readonly tool: Tool
  readonly counts: ReadonlyMap<string, number>
  readonly length: number
}

export function createToolIndex(tools: readonly Tool[]): ToolIndex {
  const documents = tools.map(createDocument)
  const frequency = new Map<string, number>()
  for (const { counts } of documents)
    for (const term of counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1)
  const average = documents.reduce((sum, { length }) => sum + length, 0) / Math.max(1, documents.length)
  const rarity = (term: string): number => {
    const count = frequency.get(term) ?? 0
    return Math.log(1 + (documents.length - count + 0.5) / (count + 0.5))
  }
  return {
    search(query, limit) {
      const terms = [...new Set(splitWords(query))]
      const scored = documents.map(({ tool, counts, length }, order) => {
        let score = 0
        for (const term of terms) {
          const count = counts.get(term) ?? 0
          if (count > 0) score += (rarity(term) * count * (K1 + 1)) / (count + K1 * (1 - B + (B * length) / average))
        }
        return { tool, score, order }
      })
      return scored
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || a.order - b.order)
        .slice(0, limit)
        .map(({ tool }) => tool)
    },
  }
}

function createDocument(tool: Tool): Document {
  const counts = new Map<string, number>()
  let length = 0
  const add = (text: string | undefined, weight: number): void => {
    for (const word of splitWords(text ?? '')) {
      counts.set(word, (counts.get(word) ?? 0) + weight)
      length += weight
    }
  }
  add(tool.name, WEIGHTS.name)
  add(tool.title, WEIGHTS.title)
  add(tool.description, WEIGHTS.description)
  const { properties } = tool.inputSchema
  for (const [name, schema] of Object.entries(isJsonObject(properties) ? properties : {})) {
    add(name, WEIGHTS.parameters)
    if (isJsonObject(schema) && typeof schema.description === 'string') add(schema.description, WEIGHTS.parameters)
  }
  return { tool, counts, length }
}

/** `readFile`, `read_file` and `reading files` meet in `read` and `file`. */
function splitWords(text: string): string[] {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .map(stem)
}

function stem(word: string): string {
  if (word.length <= 3) return word
  return word.replace(/(?:ies)$/, 'y').replace(/(?:ing|ed|es|s)$/, '')
}
