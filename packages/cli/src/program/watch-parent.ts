import { isProcessAlive } from '@switchboard/base'

/** A parent that was killed may leave our input open: another of its children can have inherited the other end. */

const INTERVAL_MS = 1_000

/** Calls back once, when the process that started us is gone. `parent`: who it was, should it have gone already. */
export function watchParent(onGone: () => void, parent: number = process.ppid): Disposable {
  const timer = setInterval(() => {
    // A process whose parent dies gets another one; on Windows it keeps the number of the dead.
    if (process.ppid === parent && (process.platform !== 'win32' || isProcessAlive(parent))) return
    clearInterval(timer)
    onGone()
  }, INTERVAL_MS)
  timer.unref()
  return { [Symbol.dispose]: () => clearInterval(timer) }
}
