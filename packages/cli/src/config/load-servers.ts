import { readPoolConfig, type ServerConfig } from '@switchboard/pool'
import { nearestName, SwitchboardError } from '@switchboard/protocol'
import type { CommandContext } from '../context/command-context.ts'
import { editOptions, readConfigText } from './config-file.ts'

/** The servers as they are configured; a variable that is not set stays as it is written. */
export async function loadServers(context: CommandContext): Promise<readonly ServerConfig[]> {
  const text = await readConfigText(context)
  if (text === undefined) return []
  const { file = '', baseDirectory = '' } = editOptions(context)
  return readPoolConfig({ text, file, env: context.io.env, baseDirectory, unresolvedVariables: 'keep' }).servers
}

export async function loadServer(context: CommandContext, name: string): Promise<ServerConfig> {
  const servers = await loadServers(context)
  const found = servers.find((server) => server.name === name)
  if (found !== undefined) return found
  const names = servers.map((server) => server.name)
  const nearest = nearestName(name, names)
  throw new SwitchboardError('unknown_server', `There is no server "${name}" in ${context.home.configFile}.`, {
    hint: nearest === undefined ? 'switchboard server list shows those that are there.' : `Did you mean "${nearest}"?`,
    details: { server: name, known: names },
  })
}
