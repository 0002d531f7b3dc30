import { errorCode } from './error-code.ts'

/** Whether there is a process of that number, also one that is a zombie. It may be somebody else's by now. */
export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It lives, and is another user's.
    return errorCode(error) === 'EPERM'
  }
}
