/** Stored results as resources: `switchboard://results/<pack>/<id>`, whole or a piece of it by `?offset=…&length=…`. */
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { ReadResourceResult, ResourceTemplate } from '@switchboard/protocol/mcp'
import type { ResultStore } from './result-store.ts'

export function toResultUri(pack: string, id: string): string {
  return `switchboard://results/${pack}/${id}`
}

export function isResultUri(pack: string, uri: string): boolean {
  return uri.startsWith(toResultUri(pack, ''))
}

export function createResultTemplate(pack: string): ResourceTemplate {
  return {
    uriTemplate: `switchboard://results/${pack}/{id}{?offset,length}`,
    name: `${pack}_results`,
    description: 'The rest of a result that was too long; offset and length are in characters.',
  }
}

/** Throws `unknown_resource`, also for what belongs to somebody else. */
export function readStoredResult(pack: string, store: ResultStore, owner: string, uri: string): ReadResourceResult {
  const [path = '', query = ''] = uri.split('?', 2)
  const prefix = toResultUri(pack, '')
  const found = path.startsWith(prefix) ? store.get(owner, path.slice(prefix.length)) : undefined
  if (found === undefined) {
    throw new SwitchboardError('unknown_resource', `There is no stored result ${uri}`, {
      hint: 'Stored results are kept for an hour after they were last read, as long as there is room, for the window that got them only. Call the tool again.',
      details: { uri },
    })
  }
  const { offset, length } = readRange(query, uri)
  const text = length === undefined && offset === 0 ? found.text : found.text.slice(offset, end(offset, length))
  return {
    contents: [
      { uri, mimeType: found.mimeType, text, _meta: { total: found.text.length, offset, length: text.length } },
    ],
  }
}

function end(offset: number, length: number | undefined): number | undefined {
  return length === undefined ? undefined : offset + length
}

function readRange(query: string, uri: string): { offset: number; length: number | undefined } {
  const values = new URLSearchParams(query)
  const read = (name: string): number | undefined => {
    const text = values.get(name)
    if (text === null) return undefined
    if (/^\d{1,15}$/.test(text)) return Number(text)
    throw new SwitchboardError('invalid_request', `${name} in ${uri} must be a whole number, not "${text}"`)
  }
  return { offset: read('offset') ?? 0, length: read('length') }
}
