/** Keys, tokens and what agents said are in the home: nobody else on the machine may read it. Windows has no such modes. */
import { chmod, lstat, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatCount } from '../../terminal/format.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { error, type Finding, ok, warn } from '../finding.ts'

const OTHERS = 0o077
/** There is nothing in these that anybody might not know. */
const PUBLIC = /(?:\.schema\.json|\.lock|\.db)$/

export async function checkHomePermissions({ home, machine }: DoctorContext): Promise<Finding[]> {
  const { directory } = home
  if ((await lstat(directory).catch(() => undefined)) === undefined) {
    return [ok(`${directory} does not exist yet; it is made when it is needed`)]
  }
  // A link is fine as long as it leads to a folder.
  const shown = await stat(directory).catch(() => undefined)
  if (shown === undefined || !shown.isDirectory()) {
    return [error(`${directory} is no folder`, 'Move it away, or name another home with --home or SWITCHBOARD_HOME.')]
  }
  if (machine.platform === 'win32') return [ok(directory)]
  const own = process.getuid?.()
  if (shown.uid !== own) {
    const cure = `Give it to yourself (chown), or name another home with --home or SWITCHBOARD_HOME.`
    return [error(`${directory} belongs to the user ${shown.uid}, and you are ${own}`, cure)]
  }
  const findings: Finding[] = []
  if ((shown.mode & OTHERS) !== 0) {
    const mode = (shown.mode & 0o777).toString(8)
    findings.push(
      error(`others may look into ${directory} (mode ${mode})`, `chmod 700 ${directory}`, async () => {
        await chmod(directory, 0o700)
        return `${directory} is for you alone now (mode 700)`
      }),
    )
  }
  // The configuration is looked at for itself, wherever it is.
  const open = (await listOpen(directory)).filter((path) => path !== home.configFile)
  const [first] = open
  if (first !== undefined) {
    const message = `others may read ${formatCount(open.length, 'file')} there, such as ${first}`
    findings.push(
      warn(message, `chmod go= on them: chmod -R go= ${directory}`, async () => {
        for (const path of open) await close(path)
        return `${formatCount(open.length, 'file')} in ${directory} are for you alone now`
      }),
    )
  }
  return findings.length === 0 ? [ok(`${directory} is for you alone`)] : findings
}

/** Files of ours that others may read, in the home and one level below it. Links are somebody's decision. */
async function listOpen(directory: string, depth = 0): Promise<string[]> {
  const open: string[] = []
  const entries = await readdir(directory, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(directory, entry.name)
    if (entry.isDirectory() && depth === 0) open.push(...(await listOpen(path, 1)))
    if (!entry.isFile() || PUBLIC.test(entry.name)) continue
    const found = await lstat(path).catch(() => undefined)
    if (found !== undefined && (found.mode & OTHERS) !== 0) open.push(path)
  }
  return open
}

async function close(path: string): Promise<void> {
  const { mode } = await lstat(path)
  await chmod(path, mode & 0o700)
}
