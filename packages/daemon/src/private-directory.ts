/** Folders that only their user may enter: a socket in one is reachable by nobody else. */
import { chmod, lstat, mkdir } from 'node:fs/promises'
import { SwitchboardError } from '@switchboard/protocol'

const OTHERS = 0o077

/** Makes it (0700), or takes what others may do with it away. Rejects when it is somebody else's, or no folder. */
export async function ensurePrivateDirectory(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    // Windows has neither owner nor mode here: what is below the user's profile is the user's.
    if (process.platform === 'win32') return
    const { mode, uid } = await lstat(directory)
    if (uid !== process.getuid?.()) throw new Error(`it belongs to the user ${uid}`)
    if ((mode & OTHERS) !== 0) await chmod(directory, 0o700)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new SwitchboardError('daemon_unavailable', `The folder ${directory} cannot be used: ${reason}.`, {
      hint: 'It must be a folder of your own; name another home with --home or SWITCHBOARD_HOME.',
      cause: error,
    })
  }
}
