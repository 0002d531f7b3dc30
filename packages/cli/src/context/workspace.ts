import { homedir } from 'node:os'
import { dirname, resolve } from 'node:path'

/**
 * The folder that an agent works in: the one that was named, else where it was started. Clients without a project start
 * their servers in the home or at the root of a disk; whoever works "there" has no workspace.
 */
export function chooseWorkspace(named: string | undefined, cwd: string, home: string = homedir()): string | undefined {
  if (named !== undefined) return resolve(cwd, named)
  const folder = resolve(cwd)
  return folder === resolve(home) || folder === dirname(folder) ? undefined : folder
}
