/** What happened, in a line. */

import { wordOfState } from '@switchboard/daemon/state-words'
import type { BackendEvent, BackendServer } from '../backend/backend.ts'
import { formatCount } from '../terminal/format.ts'
import { firstLine } from '../terminal/safe-text.ts'

/** Undefined: not worth a line. */
export function describeEvent(event: BackendEvent, servers: readonly BackendServer[]): string | undefined {
  switch (event.type) {
    case 'state_changed': {
      const server = servers.find(({ name }) => name === event.server)
      return `${event.server} ${wordOfState(event.state)}${describeDetails(event.state, server)}`
    }
    case 'catalog_changed': {
      const tools = servers.find(({ name }) => name === event.server)?.tools
      return tools === undefined ? undefined : `${event.server} lists ${formatCount(tools, 'tool')}`
    }
    case 'configuration_applied': {
      const { added, removed, changed, misconfigured, sections } = event.change
      const parts = [
        ...added.map((name) => `+${name}`),
        ...removed.map((name) => `-${name}`),
        ...changed.map((name) => `~${name}`),
        ...sections,
      ]
      const wrong = misconfigured.map((name) => describeWrongEntry(name, servers))
      const rest = event.needsRestart === true ? ['some of it holds after switchboard restart'] : []
      return `configuration applied: ${[parts.join(' '), ...wrong, ...rest].filter((part) => part !== '').join('; ')}`
    }
    case 'configuration_unchanged':
      return undefined
    case 'configuration_refused':
      return `configuration refused: ${event.error.message}`
    case 'instance_attached':
      return `window ${event.instance} attached${event.client === undefined ? '' : ` (${event.client})`}`
    case 'instance_detached':
      return `window ${event.instance} detached`
    case 'mode_changed':
      return `window ${event.instance}: ${event.mode === undefined ? 'no mode' : `mode ${event.mode}`}`
    case 'stopping':
      return 'the daemon is stopping'
  }
}

function describeWrongEntry(name: string, servers: readonly BackendServer[]): string {
  const { reason, entryProblem } = servers.find((server) => server.name === name) ?? {}
  const why = entryProblem ?? reason
  return `${name} is misconfigured${why === undefined ? '' : `: ${firstLine(why)}`}`
}

function describeDetails(state: BackendServer['state'], server: BackendServer | undefined): string {
  if (server === undefined || server.state !== state) return ''
  if (state === 'ready')
    return server.pid === undefined ? '' : ` (pid ${server.pid}, ${formatCount(server.tools, 'tool')})`
  if (state === 'starting') return server.attempt === 0 ? '' : ` (attempt ${server.attempt})`
  return server.reason === undefined ? '' : `: ${firstLine(server.reason)}`
}
