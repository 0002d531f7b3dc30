/** What can be asked of a Switchboard wherever it runs: on the daemon's socket, and in the process of a command. */
import type { Method } from '../ipc/ipc-connection.ts'
import { readFlag, readOptionalText, readText } from '../ipc/read-params.ts'
import { findTool, listUnknownServers, wakeServer } from '../tools/find-tool.ts'
import type { SwitchboardControl } from './switchboard-control.ts'

export type ControlMethod = 'status' | 'tools' | 'find_tool' | 'restart_server' | 'apply_configuration'

export function createControlMethods(control: SwitchboardControl): Readonly<Record<ControlMethod, Method>> {
  const { switchboard } = control
  const { pool } = switchboard
  return {
    status: () => control.status(),
    tools: (params, { signal }) => {
      if (readFlag(params, 'wake', 'tools', false)) {
        const only = readOptionalText(params, 'server', 'tools')
        for (const { name } of listUnknownServers({ pool, servers: control.config.servers })) {
          if (only !== undefined && name !== only) continue
          // How it goes is told by events and by the status.
          wakeServer(pool, name, signal).catch(() => undefined)
        }
      }
      return { tools: [...pool.tools(), ...switchboard.ownTools] }
    },
    find_tool: async (params, { signal }) => {
      const name = readText(params, 'name', 'find_tool')
      const server = readOptionalText(params, 'server', 'find_tool')
      const finder = { pool, servers: control.config.servers, own: switchboard.ownTools }
      const own = server === undefined ? switchboard.describeOwnTool(name) : undefined
      return { tool: own ?? (await findTool(finder, { name, server }, signal)) }
    },
    restart_server: (params) => {
      pool.restartServer(readText(params, 'server', 'restart_server'))
      return {}
    },
    apply_configuration: () => control.applyConfiguration(),
  }
}
