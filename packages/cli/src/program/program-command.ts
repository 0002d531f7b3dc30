/** How this very program is started again, by us or by a person who copies the line: the same from every folder. */
import { fileURLToPath } from 'node:url'

const isBundle = import.meta.url.endsWith('.mjs')
/** The file that `npx switchboard` runs, as it is found from the bundle, or from this source. */
export const PROGRAM_FILE = fileURLToPath(
  new URL(isBundle ? '../bin/switchboard.mjs' : '../../bin/switchboard.mjs', import.meta.url),
)

/** With absolute paths, for an agent's configuration: it needs no PATH, no npx and no certain folder. */
export function programCommand(...args: string[]): string[] {
  return [process.execPath, PROGRAM_FILE, ...args]
}
