import { homedir } from 'node:os'
import type { Environment } from './variables.ts'

/** `~`, `~/x` and on Windows `~\x`; `~name` is somebody else's and stays as it is. */
export function expandHome(text: string, env: Environment): string {
  const isHome = text === '~' || text.startsWith('~/') || (process.platform === 'win32' && text.startsWith('~\\'))
  if (!isHome) return text
  const home = process.platform === 'win32' ? env.USERPROFILE : env.HOME
  return `${home === undefined || home === '' ? homedir() : home}${text.slice(1)}`
}
