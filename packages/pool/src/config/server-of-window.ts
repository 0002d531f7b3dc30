/** Servers of which something is the folder of the window that calls (`${workspace}`). */
import { isAbsolute, resolve } from 'node:path'
import { WORKSPACE_MARK } from '@switchboard/config/text'
import type { ServerConfig, StdioServerConfig } from './server-config.ts'

export function holdsWorkspace({ cwd, args, env }: Pick<StdioServerConfig, 'cwd' | 'args' | 'env'>): boolean {
  return [cwd ?? '', ...args, ...Object.values(env)].some((text) => text.includes(WORKSPACE_MARK))
}

/** As it runs for a window of that folder. */
export function createServerOfWindow(server: ServerConfig, workspace: string): ServerConfig {
  if (server.type !== 'stdio') return server
  const put = (text: string): string => text.replaceAll(WORKSPACE_MARK, () => workspace)
  const { cwd } = server
  return {
    ...server,
    ...(cwd === undefined ? {} : { cwd: isAbsolute(put(cwd)) ? resolve(put(cwd)) : put(cwd) }),
    args: server.args.map(put),
    env: Object.fromEntries(Object.entries(server.env).map(([name, value]) => [name, put(value)])),
  }
}
