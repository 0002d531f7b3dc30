/** Threads that read files leave the machine to those who answer agents. */
import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** By the system's scale. */
const NICENESS = 10

/** Of this thread alone, where the system counts threads as it counts processes. */
export function giveWay(): void {
  if (process.platform !== 'linux') return
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, NICENESS)
  } catch {
    // Then it takes its turns like all others.
  }
}
