import { type SwitchboardConfig, switchboardFile } from '@switchboard/daemon/configuration'
import type { CommandContext } from '../context/command-context.ts'

/** For commands that need no server of it: one whose entry is wrong, or lacks a variable here, is in nobody's way. */
export function loadConfig({ home, io }: CommandContext): Promise<SwitchboardConfig> {
  return switchboardFile.load({
    file: home.configFile,
    env: io.env,
    optional: !home.isConfigExplicit,
    unresolvedVariables: 'keep',
    wrongEntries: 'settle',
  })
}
