/** The view "This Window": which instance it is, which mode it has, and which daemon it talks to. */
import { basename } from 'node:path'
import type { BridgeHostState } from '@switchboard/bridge'
import type { LinkState } from '../daemon/daemon-link.ts'
import type { ViewRow } from './row.ts'

export interface WindowLook {
  readonly instance: string
  readonly mode: string | undefined
  readonly link: LinkState
  /** Absent: the window has no folder, or one that is not trusted. */
  readonly bridge?: BridgeHostState | undefined
  /** Of the extension. */
  readonly version: string
}

export function createWindowRows({ instance, mode, link, bridge, version }: WindowLook): ViewRow[] {
  return [
    {
      id: 'instance',
      label: instance,
      description: describeFront(instance, link),
      tooltip: 'The id of this window. It is a fresh one after every reload, and stands in every line of the logs.',
      icon: 'window',
      kind: 'instance',
      subject: instance,
    },
    createDaemonRow(link, version),
    ...createBridgeRows(bridge),
    ...createModeRows(mode, link),
  ]
}

function describeFront(instance: string, link: LinkState): string {
  if (link.kind !== 'connected') return ''
  const front = link.status.instances.find((candidate) => candidate.instance === instance)
  if (front === undefined) return 'no agent yet'
  const calls = front.calls === 1 ? '1 call' : `${front.calls} calls`
  return front.client === undefined ? calls : `${front.client.name}, ${calls}`
}

function createDaemonRow(link: LinkState, version: string): ViewRow {
  const row = { id: 'daemon' }
  switch (link.kind) {
    case 'connecting':
      return { ...row, label: 'Daemon is starting', icon: 'loading~spin', kind: 'daemon-starting' }
    case 'stopped':
      return {
        ...row,
        label: 'Daemon was stopped',
        description: 'click to start it',
        icon: 'debug-stop',
        color: 'list.warningForeground',
        kind: 'daemon-stopped',
        command: { id: 'switchboard.startDaemon', title: 'Start the Daemon' },
      }
    case 'failed':
      return {
        ...row,
        label: 'Daemon cannot be reached',
        description: link.error.message,
        tooltip: [link.error.message, link.error.hint].filter(Boolean).join('\n\n'),
        icon: 'error',
        color: 'list.errorForeground',
        kind: 'daemon-stopped',
        command: { id: 'switchboard.startDaemon', title: 'Start the Daemon' },
      }
    case 'connected': {
      const { daemon, configuration } = link.status
      const isOther = daemon.version !== version
      const refusal = configuration.state === 'refused' ? configuration.error.message : undefined
      // Of a long path only the beginning would be seen, and not what is wrong.
      const shortRefusal = refusal?.replaceAll(daemon.config_file, basename(daemon.config_file))
      const url = daemon.http !== null && 'url' in daemon.http ? daemon.http.url : undefined
      return {
        ...row,
        label: refusal === undefined ? 'Daemon runs' : 'The configuration is refused',
        description:
          shortRefusal ?? `${daemon.version}, pid ${daemon.pid}${isOther ? `, the extension is ${version}` : ''}`,
        tooltip: [
          ...(refusal === undefined ? [] : [`${refusal}\nThe configuration before it goes on.`]),
          ...(isOther ? [`The daemon is ${daemon.version}, the extension brings ${version}: restart the daemon.`] : []),
          `Since ${daemon.started_at}`,
          ...(url === undefined ? [] : [url]),
          daemon.config_file,
        ].join('\n\n'),
        icon: refusal !== undefined || isOther ? 'warning' : 'pass',
        color: refusal !== undefined || isOther ? 'list.warningForeground' : 'testing.iconPassed',
        kind: 'daemon-running',
        ...(refusal === undefined
          ? {}
          : { command: { id: 'switchboard.openConfiguration', title: 'Open the Configuration' } }),
      }
    }
  }
}

/** Only where agents of this window cannot have the tools of the editor. */
function createBridgeRows(bridge: BridgeHostState | undefined): ViewRow[] {
  if (bridge?.kind !== 'waiting') return []
  const { owner, reason } = bridge
  return [
    {
      id: 'bridge',
      label: owner === undefined ? 'No editor tools for agents' : 'Editor tools are with another window',
      description: owner === undefined ? reason : owner.instance,
      tooltip:
        owner === undefined
          ? `${reason}\n\nAgents can do without; the debugger runs headless.`
          : `The window ${owner.instance} has this folder open as well, and answers agents that ask for the editor. This one takes over when it is closed.`,
      icon: owner === undefined ? 'warning' : 'multiple-windows',
      ...(owner === undefined ? { color: 'list.warningForeground' } : {}),
      kind: 'bridge',
    },
  ]
}

function createModeRows(mode: string | undefined, link: LinkState): ViewRow[] {
  if (link.kind !== 'connected') return []
  const { modes } = link.status
  if (modes.length === 0) {
    return [
      {
        // Not the id of the row with modes: VS Code would keep that closed, as this one without children is.
        id: 'no-modes',
        label: 'No modes are configured',
        description: 'nothing is asked of agents',
        icon: 'circle-slash',
        kind: 'no-modes',
      },
    ]
  }
  return [
    {
      id: 'modes',
      label: mode === undefined ? 'No mode is set' : `Mode: ${mode}`,
      ...(mode === undefined ? { description: 'choose one, or let the agent declare it' } : {}),
      icon: mode === undefined ? 'question' : 'shield',
      ...(mode === undefined ? { color: 'list.warningForeground' } : {}),
      kind: mode === undefined ? 'mode-unset' : 'mode-set',
      children: modes.map(({ name, description, approval }) => ({
        id: `mode/${name}`,
        label: name,
        description: name === mode ? `set · ${description}` : description,
        tooltip: approval === 'person' ? `${description}\n\nAn agent needs your approval for it.` : description,
        icon: name === mode ? 'pass-filled' : 'circle-large-outline',
        ...(name === mode ? { color: 'testing.iconPassed' } : {}),
        kind: name === mode ? 'mode-chosen' : 'mode',
        subject: name,
        command: { id: 'switchboard.setMode', title: 'Set This Mode' },
      })),
    },
  ]
}
