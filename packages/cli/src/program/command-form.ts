/**
 * How the person who reads what we print calls the command: in one form, and one that works where they stand. By its name where
 * that is on their PATH, by npx in a clone, and by its whole path anywhere else.
 */
import { readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join, resolve, sep } from 'node:path'
import { quoteCommand } from '../clients/quote-command.ts'
import { PROGRAM_FILE, programCommand } from './program-command.ts'

const NAME = 'switchboard'

export interface Standpoint {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  readonly platform?: NodeJS.Platform
  /** The file behind the command. */
  readonly program?: string
}

export function findCommandForm(standpoint: Standpoint): string {
  const { cwd, platform = process.platform, program = PROGRAM_FILE } = standpoint
  if (isOnPath(standpoint)) return NAME
  const clone = resolve(dirname(program), '..', '..', '..')
  if (`${resolve(cwd)}${sep}`.startsWith(`${clone}${sep}`)) return `npx ${NAME}`
  return quoteCommand(programCommand(), platform)
}

/** What npm and npx put on it for the programs that they run is not on that of the person. */
function isOnPath({ env, platform = process.platform, program = PROGRAM_FILE }: Standpoint): boolean {
  const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const folders = (env[key] ?? '').split(delimiter)
  return folders.some((folder) => folder !== '' && !/[\\/]node_modules[\\/]\.bin$/.test(folder) && leads(folder))

  function leads(folder: string): boolean {
    try {
      // On Windows npm writes a script that names the file; elsewhere it makes a link to it.
      if (platform === 'win32') return readFileSync(join(folder, `${NAME}.cmd`), 'utf8').includes(`${NAME}.mjs`)
      return realpathSync(join(folder, NAME)) === realpathSync(program)
    } catch {
      return false
    }
  }
}

/** Our own sentences name the command with what is to follow it; a colour may begin just before it. What is in the form of npx stays. */
const MENTIONED = new RegExp(
  `(?<!npx )(?:(?<![\\w./@\\\\-])|(?<=\\u001b\\[\\d{1,2}m))${NAME}(?= (?:--help|<command>|(?:${[
    ...[
      'call',
      'completion',
      'daemon',
      'dashboard',
      'demo',
      'dev',
      'doctor',
      'down',
      'export',
      'help',
      'import',
      'init',
    ],
    ...['lens', 'logs', 'ls', 'mcp', 'memory', 'mode', 'playset', 'ps', 'restart', 'rm', 'serve', 'server', 'skill'],
    ...['secret', 'status', 'token', 'tools', 'trace', 'trust', 'uninstall', 'up', 'upgrade', 'version'],
  ].join('|')})\\b))`,
  'g',
)

/** The same text as that person would type what it names. */
export function sayInForm(text: string, form: () => string): string {
  return text.search(MENTIONED) < 0 ? text : text.replace(MENTIONED, () => form())
}
