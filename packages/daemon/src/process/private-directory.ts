/** Folders that only their user may enter: a socket in one is reachable by nobody else. */
import { ensurePrivateFolder, errorMessage } from '@switchboard/base'
import { SwitchboardError } from '@switchboard/protocol/errors'

/** As `ensurePrivateFolder`, with an error that a person can act on. */
export async function ensurePrivateDirectory(directory: string): Promise<void> {
  try {
    await ensurePrivateFolder(directory)
  } catch (error) {
    const reason = errorMessage(error)
    throw new SwitchboardError('daemon_unavailable', `The folder ${directory} cannot be used: ${reason}.`, {
      hint: 'It must be a folder of your own; name another home with --home or SWITCHBOARD_HOME.',
      cause: error,
    })
  }
}
