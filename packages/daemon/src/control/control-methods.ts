/** What can be asked of a Switchboard wherever it runs: on the daemon's socket, and in the process of a command. */
import { readFlag, readObject, readOptionalText, readText } from '@switchboard/config/arguments'
import type { Method } from '../ipc/ipc-connection.ts'
import type { SwitchboardStatus } from '../ipc/ipc-results.ts'
import { waitForLogin } from '../logins/login-service.ts'
import type { Switchboard } from '../runtime/switchboard.ts'
import { findTool, listUnknownServers, wakeServer } from '../tools/find-tool.ts'
import type { SwitchboardControl } from './switchboard-control.ts'

export type ControlMethod =
  | 'status'
  | 'tools'
  | 'find_tool'
  | 'restart_server'
  | 'apply_configuration'
  | 'run_command'
  | 'login'
  | 'logout'

export function createControlMethods(control: SwitchboardControl): Readonly<Record<ControlMethod, Method>> {
  const { switchboard } = control
  const { pool } = switchboard
  return {
    status: async () => ({ ...control.status(), ...(await describeOwn(switchboard)) }),
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
    login: async (params, { signal, progress }) => {
      const visit = await switchboard.logins.join(readText(params, 'server', 'login'), signal)
      try {
        progress?.({ url: visit.url, issuer: visit.issuer })
        await waitForLogin(visit, signal)
        return { issuer: visit.issuer, kept: (await switchboard.secrets.place({ signal })).text }
      } finally {
        visit.leave()
      }
    },
    logout: (params, { signal }) => switchboard.logins.logOut(readText(params, 'server', 'logout'), signal),
    apply_configuration: () => control.applyConfiguration(),
    run_command: (params, { signal, progress }) => {
      const [of, command] = [readText(params, 'of', 'run_command'), readText(params, 'command', 'run_command')]
      const asked = { of, command, params: readObject(params, 'params', 'run_command') }
      const workspace = readText(params, 'workspace', 'run_command')
      return switchboard.runCommand(asked, { workspace, signal, progress: (told) => progress?.({ ...told }) })
    },
  }
}

/** What Switchboard itself has: the store, and how the packs are. */
export async function describeOwn(switchboard: Switchboard): Promise<Pick<SwitchboardStatus, 'store' | 'packs'>> {
  return { packs: switchboard.packStatus(), store: await switchboard.describeStore() }
}
