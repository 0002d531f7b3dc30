import { BRIDGE_FOLDER, describeHealth, readBridgeHealth } from '@switchboard/bridge'
import type { ToolOutcome } from '@switchboard/toolkit'
import type { DebugContext } from '../debug-host.ts'
import type { BridgeStatusData } from '../generated/types.ts'

/** Looks at files only, so that it works while VS Code is dead. */
export async function run(
  _params: object,
  { workspace, call, host }: DebugContext,
): Promise<ToolOutcome<BridgeStatusData>> {
  const health = workspace === undefined ? undefined : await readBridgeHealth(workspace, call.caller.instance)
  const isHealthy = health?.state === 'healthy'
  const lastSeen = health === undefined || health.state === 'none' ? undefined : health.lastSeen
  const said = health === undefined ? 'This caller belongs to no workspace' : describeHealth(health)
  return {
    data: {
      healthy: isHealthy,
      lastSeen: lastSeen === undefined ? null : new Date(lastSeen).toISOString(),
      lastSeenAgo: lastSeen === undefined ? null : Math.max(0, Math.round(Date.now() - lastSeen)),
      bridgeRoot: workspace === undefined ? null : BRIDGE_FOLDER,
      transport: isHealthy ? 'files' : 'none',
      backend: host.backend,
    },
    text: `${said}. ${isHealthy ? 'Editor tools are available' : 'Editor tools are not available'}; the debugger runs ${host.backend === 'headless' ? 'headless, without it, unless `backend` says vscode' : 'in it, unless `backend` says headless'}.`,
  }
}
