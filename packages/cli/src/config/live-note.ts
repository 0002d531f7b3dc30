import type { CommandContext } from '../context/command-context.ts'

export const LIVE_NOTE = 'the daemon is running and applies it now'

/** Whether a daemon runs that watches the file. The file is changed already: that a daemon does not answer is no failure. */
export async function isAppliedLive(context: CommandContext): Promise<boolean> {
  const { openDaemonBackend } = await import('../backend/open-daemon-backend.ts')
  const backend = await openDaemonBackend(context, undefined).catch(() => undefined)
  await backend?.close()
  return backend !== undefined
}
