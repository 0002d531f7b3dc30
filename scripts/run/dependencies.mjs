// node_modules as the lockfile says. The stamp is removed before an install and written after it, so that an
// interrupted one is done again; it lies inside node_modules, so that removing that folder removes it too.

import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { runInForeground } from './child.mjs'
import { ExpectedFailure, step } from './console.mjs'
import { fingerprint, isStamped, writeStamp } from './fingerprint.mjs'
import { npmCommand } from './npm.mjs'

/** @param {string} root */
const stampPath = (root) => join(root, 'node_modules', '.cache', 'switchboard', 'install-stamp')

/** @param {string} root */
const lockfileFingerprint = (root) => fingerprint(root, ['package-lock.json'])

/** @param {string} root */
export function areDependenciesCurrent(root) {
  return isStamped(stampPath(root), lockfileFingerprint(root))
}

/**
 * Call it under the set-up lock only.
 *
 * @param {string} root
 * @param {string} node
 * @param {NodeJS.ProcessEnv} environment
 */
export async function installDependencies(root, node, environment) {
  await step('Installing dependencies with npm ci', async () => {
    const installed = lockfileFingerprint(root)
    rmSync(stampPath(root), { force: true })
    const npm = npmCommand(node)
    // The build and the tests need the development dependencies, whatever NODE_ENV says.
    const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']
    const exitCode = await runInForeground(npm.command, [...npm.args, ...args], {
      cwd: root,
      env: environment,
      shell: npm.shell,
      stdin: 'ignore',
      stdoutToStderr: true,
      isStep: true,
    })
    if (exitCode !== 0) {
      throw new ExpectedFailure(
        `npm ci ended with exit code ${exitCode}; its own message is above. If package.json and package-lock.json disagree, run npm install and commit the lockfile.`,
      )
    }
    writeStamp(stampPath(root), installed)
  })
}

/**
 * What an install would do for a package of ours that was added to a clone whose dependencies were current.
 *
 * @param {string} root
 * @param {string} name
 * @param {string} folder relative to root
 */
export function linkWorkspacePackage(root, name, folder) {
  const link = join(root, 'node_modules', ...name.split('/'))
  mkdirSync(dirname(link), { recursive: true })
  rmSync(link, { recursive: true, force: true })
  symlinkSync(join(root, folder), link, 'junction')
  writeStamp(stampPath(root), lockfileFingerprint(root))
}
