import { nearestName } from '@switchboard/base'
import { createEntryError, switchboardFile } from '@switchboard/daemon/configuration'
import type { MisconfiguredServer, ServerConfig } from '@switchboard/pool'
import { SwitchboardError } from '@switchboard/protocol/errors'
import type { CommandContext } from '../context/command-context.ts'
import { editOptions, readConfigFile } from './change-config.ts'

export interface ConfiguredServers {
  readonly servers: readonly ServerConfig[]
  /** Whose entries are wrong. */
  readonly misconfigured: readonly MisconfiguredServer[]
}

/** The servers as they are configured; a variable that is not set stays as it is written. */
export async function loadServers(context: CommandContext): Promise<ConfiguredServers> {
  const text = await readConfigFile(context)
  if (text === undefined) return { servers: [], misconfigured: [] }
  const { file = '', baseDirectory = '' } = editOptions(context)
  const place = { text, file, env: context.io.env, baseDirectory }
  return switchboardFile.read({ ...place, unresolvedVariables: 'keep', wrongEntries: 'settle' })
}

export async function loadServer(context: CommandContext, name: string): Promise<ServerConfig> {
  const { servers, misconfigured } = await loadServers(context)
  const wrong = misconfigured.find((server) => server.name === name)
  if (wrong !== undefined) throw createEntryError(wrong)
  const found = servers.find((server) => server.name === name)
  if (found !== undefined) return found
  const names = [...servers, ...misconfigured].map((server) => server.name)
  const nearest = nearestName(name, names)
  throw new SwitchboardError('unknown_server', `There is no server "${name}" in ${context.home.configFile}.`, {
    hint: nearest === undefined ? 'switchboard server list shows those that are there.' : `Did you mean "${nearest}"?`,
    details: { server: name, known: names },
  })
}
