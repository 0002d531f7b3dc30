// Change detection by content: a checkout or a touch that leaves the text as it was builds nothing again.

import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** @param {string} directory @returns {string[]} the files below it, in a stable order */
export function listFiles(directory) {
  let entries
  try {
    entries = readdirSync(directory, { withFileTypes: true })
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  return entries.flatMap((entry) => {
    const path = join(directory, entry.name)
    if (entry.isDirectory()) return listFiles(path)
    return entry.isFile() ? [path] : []
  })
}

/**
 * @param {string} root
 * @param {readonly string[]} paths relative to root; a missing file counts as such
 */
export function fingerprint(root, paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    const content = readIfThere(join(root, path))
    hash.update(`${path}\0${content === undefined ? 'missing' : content.length}\0`)
    if (content !== undefined) hash.update(content)
  }
  return hash.digest('hex')
}

/** @param {string} stampPath @param {string} value */
export function isStamped(stampPath, value) {
  return readIfThere(stampPath)?.toString() === value
}

/** @param {string} stampPath @param {string} value */
export function writeStamp(stampPath, value) {
  mkdirSync(dirname(stampPath), { recursive: true })
  // By rename: an interrupted write leaves no stamp, rather than half of one.
  const temporary = `${stampPath}.${process.pid}`
  writeFileSync(temporary, value)
  renameSync(temporary, stampPath)
}
