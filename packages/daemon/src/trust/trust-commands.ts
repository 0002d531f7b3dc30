/** What a person may ask of trust at a terminal: `switchboard trust`. */

import { didYouMean, nearestName } from '@switchboard/base'
import { readFlag, readOptionalText, readText, readTexts } from '@switchboard/config/arguments'
import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { PersonCommands } from '../packs/person-commands.ts'
import type { TrustRegistry } from './trust-registry.ts'
import type { ServerTrust } from './trust-report.ts'

export function createTrustCommands(registry: TrustRegistry): PersonCommands {
  return {
    /** `server` and `name`: of one only. `whole`: with what differs. */
    list: async (params) => {
      const server = readOptionalText(params, 'server', 'list')
      const name = readOptionalText(params, 'name', 'list')
      const isWhole = readFlag(params, 'whole', 'list', false)
      const servers = registry.report({ server, isWhole })
      if (server !== undefined && servers.length === 0) throw createUnknownServer(registry, server)
      return { servers: servers.map((found) => (name === undefined ? found : only(found, name))) }
    },
    /** `hashes`: of what was shown; absent: all that waits. */
    accept: async (params) => {
      const server = readText(params, 'server', 'accept')
      throwOnUnknown(registry, server)
      const hashes = params.hashes === undefined ? undefined : readHashes(params)
      const accepted = await registry.accept(server, { name: readOptionalText(params, 'name', 'accept'), hashes })
      const [left] = registry.report({ server })
      return { server, accepted, left: left?.waiting.length ?? 0 }
    },
    revoke: async (params) => {
      const server = readText(params, 'server', 'revoke')
      if (!(await registry.revoke(server))) throw createUnknownServer(registry, server)
      const [left] = registry.report({ server })
      return { server, isConfigured: left?.isConfigured === true, held: left?.waiting.length ?? 0 }
    },
  }
}

/** None: only the remarks were shown. */
function readHashes(params: JsonObject): string[] {
  return Array.isArray(params.hashes) && params.hashes.length === 0 ? [] : readTexts(params, 'hashes', 'accept')
}

function only(trust: ServerTrust, name: string): ServerTrust {
  const isMeant = (one: { readonly name: string }): boolean => one.name === name
  return { ...trust, waiting: trust.waiting.filter(isMeant), remarks: trust.remarks.filter(isMeant) }
}

function throwOnUnknown(registry: TrustRegistry, server: string): void {
  if (registry.report({ server }).some(({ isConfigured }) => isConfigured)) return
  throw createUnknownServer(registry, server)
}

function createUnknownServer(registry: TrustRegistry, server: string): SwitchboardError {
  const known = registry.report().map((found) => found.server)
  const hint = didYouMean(nearestName(server, known))
  return new SwitchboardError('unknown_server', `No server is named "${server}".`, hint === undefined ? {} : { hint })
}
