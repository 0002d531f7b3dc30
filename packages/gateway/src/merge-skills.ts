/**
 * `skills/list` where several declare the extension: all of all on one page, for a cursor is good for one server only. A server
 * that does not answer leaves the others'; where none does, the first failure is the answer.
 */
import { type Call, isJsonObject, type JsonObject, type Provider } from '@switchboard/protocol'
import type { View } from './router/view.ts'

export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills'

/** Of one server: a listing may be arbitrarily large, an answer may not. */
const MAX_PAGES = 20

export async function mergeSkills(view: View, call: Call): Promise<JsonObject> {
  const lists = await Promise.allSettled(
    view.withExtension(SKILLS_EXTENSION).map((provider) => listPages(provider, call)),
  )
  const pages = lists.flatMap((list) => (list.status === 'fulfilled' ? list.value : []))
  const [failed] = lists.flatMap((list) => (list.status === 'rejected' ? [list.reason] : []))
  if (pages.length === 0 && failed !== undefined) throw failed
  return { skills: pages.flatMap(({ skills }) => (Array.isArray(skills) ? skills : [])) }
}

async function listPages(provider: Provider, call: Call): Promise<JsonObject[]> {
  const pages: JsonObject[] = []
  let cursor: unknown
  while (pages.length < MAX_PAGES) {
    const page = await provider.request('skills/list', cursor === undefined ? {} : { cursor }, call)
    if (!isJsonObject(page)) break
    pages.push(page)
    cursor = page.nextCursor
    if (typeof cursor !== 'string') break
  }
  return pages
}
