import type { ToolOutcome } from '@switchboard/toolkit'
import type { BridgeStatusData } from '../generated/types.ts'

/** There is no bridge to a window yet, and so none that could be healthy. */
export function run(): ToolOutcome<BridgeStatusData> {
  return {
    data: {
      healthy: false,
      lastSeen: null,
      lastSeenAgo: null,
      bridgeRoot: null,
      transport: 'none',
      backend: 'headless',
    },
    text: 'No VS Code window is connected; the debugger runs headless, without one. Editor tools are not available.',
  }
}
