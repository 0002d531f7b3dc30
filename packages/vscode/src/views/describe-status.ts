/** What the status bar says: the mode where there are modes, and what needs a look. */
import type { LinkState } from '../daemon/daemon-link.ts'

export interface StatusLook {
  readonly instance: string
  readonly mode: string | undefined
  readonly link: LinkState
}

export interface StatusText {
  readonly text: string
  readonly tooltip: string
  readonly isWarning: boolean
}

/** Of a server: it will not come up by itself. */
const BROKEN: ReadonlySet<string> = new Set(['failed', 'misconfigured', 'not_installed', 'auth_required'])

export function describeStatus({ instance, mode, link }: StatusLook): StatusText {
  const window = `window ${instance}`
  switch (link.kind) {
    case 'connecting':
      return { text: '$(loading~spin) Switchboard', tooltip: `The daemon is starting; ${window}`, isWarning: false }
    case 'stopped':
      return { text: '$(debug-stop) Switchboard', tooltip: `The daemon was stopped; ${window}`, isWarning: true }
    case 'failed':
      return { text: '$(error) Switchboard', tooltip: `${link.error.message}\n${window}`, isWarning: true }
    case 'connected': {
      const { servers, modes, configuration } = link.status
      const broken = servers.filter(({ state }) => BROKEN.has(state)).map(({ name, state }) => `${name}: ${state}`)
      const isRefused = configuration.state === 'refused'
      const label = modes.length === 0 ? 'Switchboard' : `Switchboard: ${mode ?? 'no mode'}`
      const up = servers.filter(({ state }) => state === 'ready' || state === 'probing').length
      return {
        text: `${broken.length > 0 || isRefused ? '$(warning)' : '$(plug)'} ${label}`,
        tooltip: [
          window,
          `${up} of ${servers.length} servers up`,
          ...broken.map((line) => line.replaceAll('_', ' ')),
          ...(isRefused ? [`The configuration is refused: ${configuration.error.message}`] : []),
        ].join('\n'),
        isWarning: false,
      }
    }
  }
}
