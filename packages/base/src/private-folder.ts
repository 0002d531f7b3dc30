/** Folders that only their user may enter: what lies in one is nobody else's to read, to exchange or to wait at. */
import { chmod, lstat, mkdir, stat } from 'node:fs/promises'

const OTHERS = 0o077

/** Makes it (0700), or takes what others may do with it away. Throws when it, or what it links to, is somebody else's or no folder. */
export async function ensurePrivateFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  // Windows has neither owner nor mode here: what is below the user's profile is the user's.
  if (process.platform === 'win32') return
  const own = process.getuid?.()
  const named = await lstat(path)
  const found = named.isSymbolicLink() ? await stat(path) : named
  for (const { uid } of [named, found]) if (uid !== own) throw new Error(`it belongs to the user ${uid}`)
  if ((found.mode & OTHERS) !== 0) await chmod(path, 0o700)
}
