import type { OpenOptions } from '@switchboard/daemon'
import { VERSION } from '../program/program-version.ts'
import type { CommandContext } from './command-context.ts'

/** What a Switchboard in the process of a command is opened with, whatever the command is. */
export function createSwitchboardOptions({ home, io, inst, log, logHold }: CommandContext): OpenOptions {
  return { paths: home, isConfigExplicit: home.isConfigExplicit, inst, version: VERSION, log, logHold, env: io.env }
}
