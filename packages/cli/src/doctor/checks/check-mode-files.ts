/** A mode never outlives its window: a file that a window left behind for a day is nobody's. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { formatCount } from '../../terminal/format.ts'
import type { DoctorContext } from '../doctor-context.ts'
import { type Finding, ok, warn } from '../finding.ts'

const MODE_FILE = /^agent_mode_.+\.json(\..*)?$/
const OLD_MS = 24 * 3_600_000

export async function checkModeFiles({ paths, now }: DoctorContext): Promise<Finding[]> {
  const names = (await readdir(paths.modes).catch(() => [])).filter((name) => MODE_FILE.test(name))
  const old: string[] = []
  for (const name of names) {
    const path = join(paths.modes, name)
    const found = await stat(path).catch(() => undefined)
    if (found?.isFile() && now - found.mtimeMs > OLD_MS) old.push(path)
  }
  if (old.length === 0)
    return [ok(names.length === 0 ? 'no window has a mode' : formatCount(names.length, 'mode file'))]
  const files = formatCount(old.length, 'mode file')
  return [
    warn(`${files} of windows that are long gone in ${paths.modes}`, 'Delete them.', async () => {
      await Promise.all(old.map((path) => rm(path, { force: true })))
      return `${files} deleted`
    }),
  ]
}
