import type { ToolOutcome } from '@switchboard/toolkit'

interface BridgeStatus {
  readonly healthy: boolean
  readonly lastSeen: string | null
  readonly bridgeRoot: string | null
  readonly transport: 'none'
  readonly backend: 'headless'
}

/** There is no bridge to a window yet, and so none that could be healthy. */
export function run(): ToolOutcome<BridgeStatus> {
  return {
    data: { healthy: false, lastSeen: null, bridgeRoot: null, transport: 'none', backend: 'headless' },
    text: 'No VS Code window is connected; the debugger runs headless, without one. Editor tools are not available.',
  }
}
