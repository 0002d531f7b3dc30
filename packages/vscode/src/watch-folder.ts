import { mkdirSync, watch } from 'node:fs'
import type { Disposable } from '@switchboard/base'

/** Several changes within this time are one to whoever looks. */
const SETTLE_MS = 100
/** Some file systems tell nothing of their changes. */
const LOOK_AGAIN_MS = 5_000

/** Calls back soon after something in that folder of our home has changed, and every few seconds in any case. */
export function watchFolder(folder: string, onChange: () => void): Disposable {
  let settling: NodeJS.Timeout | undefined
  const tell = (): void => {
    settling ??= setTimeout(() => {
      settling = undefined
      onChange()
    }, SETTLE_MS)
  }
  const again = setInterval(onChange, LOOK_AGAIN_MS)
  let watcher: ReturnType<typeof watch> | undefined
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    watcher = watch(folder, tell)
    // A folder that is taken away is looked at again by the clock.
    watcher.on('error', () => watcher?.close())
  } catch {
    // No more watches to be had, or no folder: the clock alone will do.
  }
  return {
    dispose: () => {
      clearTimeout(settling)
      clearInterval(again)
      watcher?.close()
    },
  }
}
