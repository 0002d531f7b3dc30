/** The view "Servers": each with how it is, and why it is not up. */
import type { DaemonStatus } from '@switchboard/daemon/client'
import { wordOfState } from '@switchboard/daemon/state-words'
import type { LinkState } from '../daemon/daemon-link.ts'
import type { ViewRow } from './row.ts'

type Server = DaemonStatus['servers'][number]

/** Of each state: how it is drawn. A state that is not here is one of a newer daemon. */
const LOOKS: Readonly<Record<string, { readonly icon: string; readonly color?: string }>> = {
  ready: { icon: 'pass', color: 'testing.iconPassed' },
  probing: { icon: 'pass', color: 'testing.iconPassed' },
  idle: { icon: 'circle-outline' },
  starting: { icon: 'loading~spin' },
  backoff: { icon: 'sync', color: 'list.warningForeground' },
  stopping: { icon: 'loading~spin' },
  stopped: { icon: 'debug-stop' },
  disabled: { icon: 'circle-slash' },
  failed: { icon: 'error', color: 'list.errorForeground' },
  misconfigured: { icon: 'error', color: 'list.errorForeground' },
  not_installed: { icon: 'cloud-download', color: 'list.warningForeground' },
  auth_required: { icon: 'lock', color: 'list.warningForeground' },
}

export function createServerRows(link: LinkState): ViewRow[] {
  if (link.kind !== 'connected') return []
  return link.status.servers.map(createServerRow)
}

function createServerRow(server: Server): ViewRow {
  const { name, owner, state, reason, tools, calls, failures, pid } = server
  const look = LOOKS[state] ?? { icon: 'question' }
  const words = wordOfState(state)
  const doings = [
    words,
    ...(tools > 0 ? [count(tools, 'tool')] : []),
    ...(calls > 0 ? [`${count(calls, 'call')}${failures > 0 ? `, ${failures} failed` : ''}`] : []),
  ]
  return {
    id: `server/${name}/${owner ?? ''}`,
    label: name,
    description: reason === undefined ? doings.join(' · ') : `${doings.join(' · ')}: ${reason}`,
    tooltip: [
      `${name}: ${words}`,
      ...(reason === undefined ? [] : [reason]),
      ...(owner === undefined ? [] : [`Private to the window ${owner}`]),
      ...(pid === undefined ? [] : [`pid ${pid}`]),
      ...(server.p50Ms === undefined ? [] : [`median ${Math.round(server.p50Ms)} ms`]),
      ...server.lastStderr.slice(-5),
    ].join('\n'),
    icon: look.icon,
    ...(look.color === undefined ? {} : { color: look.color }),
    kind: state === 'disabled' ? 'server-disabled' : 'server',
    subject: name,
    command: { id: 'switchboard.showServerLog', title: 'Show Its Log' },
  }
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
