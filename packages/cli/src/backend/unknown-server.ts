import { nearestName } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'

/** Told before anything is started or shown. */
export function throwOnUnknownServer(server: string, known: readonly string[]): void {
  if (known.includes(server)) return
  const hint = findHint(server, known)
  throw new SwitchboardError('unknown_server', `No server is named "${server}".`, {
    ...(hint === undefined ? {} : { hint }),
    details: { server, known },
  })
}

function findHint(server: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(server, known)
  if (nearest !== undefined) return `Did you mean "${nearest}"?`
  // Names of tools have an underscore, and people try them where a server is asked for.
  return server.includes('_') ? `Is it a tool? switchboard help ${server} tells about one.` : undefined
}
