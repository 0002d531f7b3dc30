/** How the command is started by another of our processes: as the bundle it is in, or from the sources. */
import { fileURLToPath } from 'node:url'
import { PROGRAM_FILE } from '../program/program-command.ts'

export interface ProgramCommand {
  readonly file: string
  readonly args: readonly string[]
}

/** What belongs to one process alone: its debugger, its profile, its inline code. */
const OWN_OPTION = /^--(?:inspect|cpu-prof|heap-prof|heapsnapshot|eval|print|input-type|test|watch)/

/** `node`: what runs it. Default: what runs us. */
export function findDaemonProgram(node: string = process.execPath): ProgramCommand {
  const here = import.meta.url
  const isBundle = /\/[^/]+\.mjs$/.test(here)
  const program = isBundle ? PROGRAM_FILE : fileURLToPath(new URL(`../main${here.slice(-3)}`, here))
  const options = process.execArgv.filter((option) => option.startsWith('--') && !OWN_OPTION.test(option))
  const condition = '--conditions=switchboard-source'
  const isMissing = program.endsWith('.ts') && !options.includes(condition)
  return { file: node, args: [...options, ...(isMissing ? [condition] : []), program] }
}
