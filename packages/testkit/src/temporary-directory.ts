import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TemporaryDirectory extends AsyncDisposable {
  readonly path: string
  /** A path inside it; nothing is created. */
  file(...parts: string[]): string
  remove(): Promise<void>
}

/** Made with its real path, so that a test may compare paths where the temporary directory is a link (macOS). */
export async function createTemporaryDirectory(prefix = 'switchboard-test-'): Promise<TemporaryDirectory> {
  const path = await realpath(await mkdtemp(join(tmpdir(), prefix)))
  // A process that is just ending may still hold a file on Windows, hence the retries.
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
  return { path, file: (...parts) => join(path, ...parts), remove, [Symbol.asyncDispose]: remove }
}
