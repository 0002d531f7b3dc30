// The change log of a version, from the files in `.changeset`: the same form that changesets has, gathered for one product.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * @typedef {object} Changeset
 * @property {string} file
 * @property {'major' | 'minor' | 'patch'} bump the largest of its packages
 * @property {string} title
 * @property {string} text what follows the title
 */

const BUMPS = /** @type {const} */ (['major', 'minor', 'patch'])

/** In the order of their names. @param {string} folder @returns {Changeset[]} */
export function readChangesets(folder) {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .map((name) => parseChangeset(join(folder, name), readFileSync(join(folder, name), 'utf8')))
}

/** @param {string} file @param {string} content @returns {Changeset} */
export function parseChangeset(file, content) {
  const lines = content.replaceAll('\r\n', '\n').split('\n')
  const end = lines.indexOf('---', 1)
  if (lines[0] !== '---' || end === -1) throw new Error(`${file} does not begin with the packages that it is about`)
  const bumps = lines.slice(1, end).map((line) => /^"[^"]+": (major|minor|patch)$/.exec(line)?.[1])
  const bump = BUMPS.find((one) => bumps.includes(one))
  const [title = '', ...rest] = lines
    .slice(end + 1)
    .join('\n')
    .trim()
    .split('\n')
  if (bump === undefined || title === '') throw new Error(`${file} names no package, or has no title`)
  return { file, bump, title, text: rest.join('\n').trim() }
}

/** @param {string} version @param {readonly Changeset[]} changesets */
export function formatChangelog(version, changesets) {
  const isBreaking = (/** @type {Changeset} */ { title, bump }) => bump === 'major' || title.startsWith('Breaking:')
  const groups = /** @type {const} */ ([
    ['What you may have to change', changesets.filter(isBreaking)],
    ['New', changesets.filter((one) => !isBreaking(one) && one.bump === 'minor')],
    ['Repaired', changesets.filter((one) => !isBreaking(one) && one.bump === 'patch')],
  ])
  const parts = groups.flatMap(([heading, own]) =>
    own.length === 0
      ? []
      : [
          `## ${heading}`,
          ...own.map(({ title, text }) => `### ${toHeading(title)}${text === '' ? '' : `\n\n${text}`}`),
        ],
  )
  return `${[`# ${version}`, ...parts].join('\n\n')}\n`
}

/** Under its heading it is plain that it breaks something. @param {string} title */
function toHeading(title) {
  const own = title.replace(/^Breaking: /, '')
  return own.charAt(0).toUpperCase() + own.slice(1)
}

/** In front of what is there. @param {string} file @param {string} changelog */
export function insertChangelog(file, changelog) {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  writeFileSync(file, before === '' ? changelog : `${changelog}\n${before}`)
}
