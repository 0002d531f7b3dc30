/** Files that several processes change, one at a time. */
export { changeFile } from './exclusive-file.ts'
export { FileLockedError, readIfPresent, withFileLock } from './file-lock.ts'
