import { type FSWatcher, watch } from 'node:fs'

/** Calls back when something in the folder changes, and every `pollMs` in any case: not every file system tells. */
export function watchClosely(folder: string, pollMs: number, look: () => void): { close(): void } {
  let watcher: FSWatcher | undefined
  try {
    watcher = watch(folder, look)
    watcher.on('error', () => watcher?.close())
  } catch {
    // No more watches to be had, or the folder is gone: the clock alone will do.
  }
  const timer = setInterval(look, pollMs)
  return {
    close: () => {
      clearInterval(timer)
      watcher?.close()
    },
  }
}
