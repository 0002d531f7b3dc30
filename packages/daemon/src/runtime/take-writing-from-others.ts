/**
 * Whoever writes the configuration decides what runs here, and with whose rights. A folder or file that was made for all to
 * write is therefore taken back before it is read. What belongs to somebody else stays as it is, and the doctor tells of it; so
 * does a folder that everybody shares (the sticky bit): it is not ours to close. Windows has no such modes.
 */
import { chmod, stat } from 'node:fs/promises'
import type { Logger } from '@switchboard/telemetry'

const WRITTEN_BY_OTHERS = 0o022
const SHARED = 0o1000

export async function takeWritingFromOthers(paths: readonly string[], log: Logger): Promise<void> {
  if (process.platform === 'win32') return
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined)
    if (found === undefined || (found.mode & WRITTEN_BY_OTHERS) === 0) continue
    const mode = (found.mode & 0o777).toString(8)
    if (found.uid !== process.getuid?.() || (found.mode & SHARED) !== 0) {
      log.warn('daemon.home', `others may write ${path} (mode ${mode}), and with it decide what runs here`)
      continue
    }
    await chmod(path, found.mode & 0o777 & ~WRITTEN_BY_OTHERS)
    log.warn('daemon.home', `others could write ${path} (mode ${mode}); that right was taken away`)
  }
}
