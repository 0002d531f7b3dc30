// One set-up at a time in a clone: a directory that holds its owner's pid. It is put in place whole by one rename, so
// a lock without an owner is never seen; the lock of a process that is gone is moved aside, and put back if somebody
// was faster and it is not the one that was seen stale.

import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { say } from './console.mjs'

const pollMilliseconds = 100

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive all the same.
    return error.code === 'EPERM'
  }
}

/** @param {string} directory @returns {number | undefined} */
function readOwner(directory) {
  try {
    return Number(readFileSync(join(directory, 'pid'), 'utf8'))
  } catch {
    return undefined
  }
}

/** @param {string} directory @returns {boolean} whether the lock is now ours */
export function tryLock(directory, pid = process.pid) {
  const prepared = `${directory}.${pid}`
  mkdirSync(dirname(directory), { recursive: true })
  rmSync(prepared, { recursive: true, force: true })
  mkdirSync(prepared)
  writeFileSync(join(prepared, 'pid'), String(pid))
  try {
    renameSync(prepared, directory)
    return true
  } catch {
    rmSync(prepared, { recursive: true, force: true })
    return false
  }
}

/** Removes the lock of a process that is gone. @param {string} directory */
export function removeStaleLock(directory) {
  const owner = readOwner(directory)
  if (owner === undefined || isAlive(owner)) return
  const aside = `${directory}.stale.${process.pid}`
  try {
    renameSync(directory, aside)
    if (readOwner(aside) === owner) rmSync(aside, { recursive: true, force: true })
    else renameSync(aside, directory)
  } catch {
    // Another waiter was faster; the next try sees what it left.
  }
}

/**
 * @template T
 * @param {string} directory
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withLock(directory, work) {
  let told = false
  while (!tryLock(directory)) {
    removeStaleLock(directory)
    const owner = readOwner(directory)
    if (owner !== undefined && isAlive(owner) && !told) {
      told = true
      say(`• Waiting for process ${owner}, which is setting up this clone (if it is not, remove ${directory}) …`)
    }
    await wait(pollMilliseconds)
  }
  const release = () => rmSync(directory, { recursive: true, force: true })
  // A signal that ends us goes through exit, so that the next run need not find out that we are gone.
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}
