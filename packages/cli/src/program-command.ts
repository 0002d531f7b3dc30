/** How this very program is started again, by us or by a person who copies the line: the same from every folder. */
import { fileURLToPath } from 'node:url'

/** The file that `npx switchboard` runs. Sources and bundle are both one folder away from it. */
export const PROGRAM_FILE = fileURLToPath(new URL('../bin/switchboard.mjs', import.meta.url))

/** With absolute paths, for an agent's configuration: it needs no PATH, no npx and no certain folder. */
export function programCommand(...args: string[]): string[] {
  return [process.execPath, PROGRAM_FILE, ...args]
}
