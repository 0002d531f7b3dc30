/** What a person may ask of the lens at a terminal: `switchboard lens …`. */
import type { JsonObject } from '@switchboard/protocol'
import type { PersonCall, PersonCommand } from '@switchboard/toolkit'
import type { Host } from '../host.ts'
import { rebuild } from '../rebuild.ts'
import { createOverviewCommands } from './overview.ts'
import { createPlaysetCommands } from './playset-commands.ts'
import { readFilter, readRows, toJson } from './read-params.ts'

const FOR_EVER_MS = 24 * 3_600_000

export function createPersonCommands(host: Host): Readonly<Record<string, PersonCommand>> {
  const { index, workspaces } = host
  const scopeOf = (params: JsonObject, call: PersonCall) =>
    workspaces.scopeOf(readFilter(params, 'folder') ?? call.workspace, call.signal)
  return {
    ...createPlaysetCommands(host),
    ...createOverviewCommands(host),
    status: async (params, call) => {
      const scope = await workspaces.knownScopeOf(readFilter(params, 'folder') ?? call.workspace)
      const state = await index.refresh()
      if (scope.length === 0) return { isIndexed: false }
      // Plain data, as everything that a thread answers with.
      return { isIndexed: true, facts: toJson(await index.read('status', [scope])), state: toJson(state ?? null) }
    },
    build: async (params, call) => {
      const scope = await scopeOf(params, call)
      const { build, isIdle } = await rebuild(index, {
        roots: scope.map(({ root }) => root),
        path: undefined,
        isFresh: params.fresh === true,
        isStarted: true,
        waitMs: params.wait === false ? 0 : FOR_EVER_MS,
        signal: call.signal,
        onProgress: ({ done, total }) => call.progress({ done, total, message: 'files' }),
      })
      return { isIdle, build: toJson(build ?? null), facts: toJson(await index.read('status', [scope])) }
    },
    search: async (params, call) => {
      const scope = await scopeOf(params, call)
      const query = {
        query: readFilter(params, 'query') ?? '',
        scope,
        groups: ['symbols', 'text', 'files'] as const,
        limit: readRows(params, 'limit', 10),
        offset: 0,
        kind: readFilter(params, 'kind'),
        path: readFilter(params, 'path'),
      }
      return { found: toJson(await index.read('search', [query], call.signal)) }
    },
    diagnostics: async (params, call) => {
      const scope = await scopeOf(params, call)
      const query = {
        scope,
        limit: readRows(params, 'limit', 50),
        offset: 0,
        code: readFilter(params, 'code'),
        severity: readFilter(params, 'severity'),
        path: readFilter(params, 'path'),
      }
      return { found: toJson(await index.read('diagnostics', [query], call.signal)) }
    },
  }
}
