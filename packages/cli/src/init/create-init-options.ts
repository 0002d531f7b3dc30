import { nearestName } from '@switchboard/base'
import { CLIENT_IDS, type ClientId, type Machine } from '../clients/client-places.ts'
import type { OptionValues } from '../command-line/option-values.ts'
import { UsageError } from '../command-line/usage-error.ts'
import { readConfigFile } from '../config/change-config.ts'
import { loadConfig } from '../config/load-config.ts'
import type { CommandContext } from '../context/command-context.ts'
import { homeArguments } from '../context/home.ts'
import { programCommand } from '../program/program-command.ts'
import type { InitOptions } from './plan-init.ts'

export async function createInitOptions(context: CommandContext, options: OptionValues): Promise<InitOptions> {
  const { home, io } = context
  const configText = await readConfigFile(context)
  const { gateway } = await loadConfig({ ...context, home: { ...home, isConfigExplicit: false } })
  return {
    machine: machineOf(context),
    cwd: io.cwd,
    run: programCommand('mcp', ...homeArguments(home)),
    port: gateway.port,
    configFile: home.configFile,
    configText,
    clients: options.list('client').map(readClient),
    skip: options.list('skip'),
    isProjectTaken: options.flag('projects'),
    isRemoteTaken: options.flag('remote'),
    usesVariables: options.flag('variables'),
  }
}

export function machineOf({ home, io }: CommandContext): Machine {
  return { env: io.env, platform: process.platform, home: home.userHome }
}

function readClient(text: string): ClientId {
  const found = CLIENT_IDS.find((id) => id === text)
  if (found !== undefined) return found
  const nearest = nearestName(text, CLIENT_IDS)
  throw new UsageError(`No client is called "${text}".`, {
    command: 'init',
    hint: nearest === undefined ? `One of ${CLIENT_IDS.join(', ')}.` : `Did you mean "${nearest}"?`,
  })
}
