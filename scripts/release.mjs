// `npm run release`: everything that a release consists of, in `release/`: the package of npm, the extension of VS Code, the change log
// and checksums. With --dry-run nothing in the clone is changed; without it the change log goes into CHANGELOG.md and the change
// sets that it was made from are removed, for a person to look at and commit. Nothing is published, here or there.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { formatChangelog, insertChangelog, readChangesets } from './run/changelog.mjs'
import { formatChecksums } from './run/checksums.mjs'
import { runInForeground } from './run/child.mjs'
import { ExpectedFailure, say, sayFailure, step } from './run/console.mjs'
import { withLock } from './run/lock.mjs'
import { npmCommand } from './run/npm.mjs'
import { buildVsix, vsixPath } from './run/vsix.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const changesetFolder = join(root, '.changeset')

/** @param {string} folder */
async function pack(folder) {
  const npm = npmCommand(process.execPath)
  const quiet = ['--no-update-notifier', '--loglevel=error', '--silent', '--ignore-scripts']
  const args = [...npm.args, 'pack', '--pack-destination', folder, ...quiet]
  const code = await runInForeground(npm.command, args, { cwd: root, env: process.env, isStep: true })
  if (code !== 0) throw new ExpectedFailure(`npm pack ended with ${code}.`)
}

/** @param {string} folder */
async function addExtension(folder) {
  await withLock(join(root, '.toolchain', 'set-up.lock'), async () => buildVsix(root))
  copyFileSync(vsixPath(root), join(folder, basename(vsixPath(root))))
}

async function release() {
  const { values } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, out: { type: 'string', default: 'release' } },
  })
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const folder = resolve(root, values.out)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  await step('Packing the command (npm pack)', () => pack(folder))
  await step('Packing the extension of VS Code', () => addExtension(folder))
  const changesets = readChangesets(changesetFolder)
  const changelog = formatChangelog(version, changesets)
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog)
  const files = readdirSync(folder).sort()
  writeFileSync(join(folder, 'SHA256SUMS'), formatChecksums(folder, files))
  for (const name of readdirSync(folder).sort()) {
    say(`  ${relative(process.cwd(), join(folder, name))}  ${(statSync(join(folder, name)).size / 1024).toFixed(0)} kB`)
  }
  if (values['dry-run']) {
    say(`${version} with ${changesets.length} change sets. Nothing else was changed (--dry-run).`)
    return
  }
  insertChangelog(join(root, 'CHANGELOG.md'), changelog)
  for (const { file } of changesets) rmSync(file)
  say(
    `${version}: CHANGELOG.md has ${changesets.length} change sets, which are removed. Look at it, commit it, then publish what is in ${relative(process.cwd(), folder)} by hand.`,
  )
}

try {
  await release()
} catch (error) {
  if (!(error instanceof ExpectedFailure)) throw error
  sayFailure(error.message)
  process.exitCode = error.exitCode
}
