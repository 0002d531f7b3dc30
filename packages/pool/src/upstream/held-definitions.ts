/**
 * What a server offers and nobody gets: its definition changed since it was accepted, or it was never accepted. Whoever has the
 * pool judge catalogs says what that is; here it is kept away from callers.
 */
import type { Catalog, HeldDefinitions, JsonObject } from '@switchboard/protocol'
import { createHeldError } from '@switchboard/protocol/errors'
import type { ServerConfig } from '../config/server-config.ts'

/** What of a catalog may be shown; the same object where nothing is held back. Waits for nothing, and never throws. */
export type JudgeCatalog = (server: ServerConfig, read: Catalog) => Catalog

/** For a library user who trusts all that a server says. */
export const judgeNothing: JudgeCatalog = (_server, read) => read

/** On the way of every call: one look where nothing is held back. */
export function throwOnHeld(
  server: string,
  { method, params }: { readonly method: string; readonly params: JsonObject },
  held: HeldDefinitions | undefined,
): void {
  if (held === undefined) return
  const kind = method === 'tools/call' ? 'tool' : method === 'prompts/get' ? 'prompt' : undefined
  if (kind === undefined) return
  const name = String(params.name)
  const reason = (kind === 'tool' ? held.tools : held.prompts).get(name)
  if (reason !== undefined) throw createHeldError({ server, kind, name, reason })
}

/** What of a catalog may be shown where that is held back; of a second connection to a server it is what the first one's list was judged by. */
export function withoutHeld(catalog: Catalog, held: HeldDefinitions | undefined): Catalog {
  if (held === undefined) return catalog
  return {
    ...catalog,
    held,
    tools: catalog.tools.filter(({ name }) => !held.tools.has(name)),
    prompts: catalog.prompts.filter(({ name }) => !held.prompts.has(name)),
  }
}
