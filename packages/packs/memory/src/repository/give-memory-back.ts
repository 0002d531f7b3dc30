/**
 * What a thread held is kept by the engine after its end, for the next one: tens of megabytes after a large repository has been
 * read. A thorough collection gives it back to the system. It stops this thread for some tens of milliseconds, so it is done when
 * nobody waits for what was read any more, and not for a little.
 */
import { Session } from 'node:inspector/promises'

export async function giveMemoryBack(): Promise<void> {
  const session = new Session()
  session.connect()
  try {
    await session.post('HeapProfiler.collectGarbage')
  } finally {
    session.disconnect()
  }
}
