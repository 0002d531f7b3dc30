import { nearestName, SwitchboardError } from '@switchboard/protocol'

/** Told before anything is started or shown. */
export function throwOnUnknownServer(server: string, known: readonly string[]): void {
  if (known.includes(server)) return
  const nearest = nearestName(server, known)
  throw new SwitchboardError('unknown_server', `No server is named "${server}".`, {
    ...(nearest === undefined ? {} : { hint: `Did you mean "${nearest}"?` }),
    details: { server, known },
  })
}
