import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** As `sha256sum --check` reads them. @param {string} folder @param {readonly string[]} names */
export function formatChecksums(folder, names) {
  const hash = (/** @type {string} */ name) =>
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')
  return names.map((name) => `${hash(name)}  ${name}\n`).join('')
}
