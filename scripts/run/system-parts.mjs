// What the tests need of the machine besides Node: debuggers, compilers, a browser with a VS Code for it, and Wine with a Node of
// Windows. Found where they are; installed where we may (root on a Debian with apt-get; VS Code and the Node of Windows into the
// clone); else said, with the command, and their suites skip with the same reason. Looks at files only, so that a run on a complete
// machine pays next to nothing.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { runInForeground } from './child.mjs'
import { ExpectedFailure, formatDuration, say, step } from './console.mjs'
import { withLock } from './lock.mjs'
import { installOnnxRuntime, isOnnxRuntimeMissing } from './onnx-runtime.mjs'
import { buildPgvector, isPgvectorMissing } from './pgvector.mjs'
import { findWindowsNode, installWindowsNode } from './toolchain.mjs'
import { findVsCode, installVsCode } from './vscode-parts.mjs'

/**
 * @typedef {object} Machine
 * @property {NodeJS.Platform} platform
 * @property {string} architecture as in process.arch
 * @property {(pattern: RegExp) => boolean} hasCommand is there a program of such a name on the PATH?
 * @property {(path: string) => boolean} hasFile
 * @property {(module: string) => boolean} hasPythonModule asked of the Python on the PATH; runs it
 */

/**
 * @typedef {object} SystemPart
 * @property {string} name
 * @property {string} usedFor
 * @property {(machine: Machine) => boolean} isThere
 * @property {(machine: Machine) => boolean} [isNeeded] absent: on every machine
 * @property {readonly string[]} debian packages of Debian and Ubuntu
 * @property {string} elsewhere how to get it on other systems
 */

/** Debian's modules belong to /usr/bin/python3, whatever Python comes first on the PATH. */
const debianModules = '/usr/lib/python3/dist-packages'

/** @param {string} module @returns {(machine: Machine) => boolean} */
const pythonModule = (module) => (machine) =>
  machine.hasFile(`${debianModules}/${module}/__init__.py`) || machine.hasPythonModule(module)

/** Those with which the store works and the tests know how to start a cluster. */
const postgresVersions = [15, 16, 17, 18]

/** @type {readonly SystemPart[]} */
export const systemParts = [
  {
    name: 'debugpy',
    usedFor: 'debugging Python',
    isThere: pythonModule('debugpy'),
    debian: ['python3', 'python3-debugpy'],
    elsewhere: 'python3 -m pip install debugpy',
  },
  {
    name: 'pytest',
    usedFor: 'debugging single tests of Python',
    isThere: pythonModule('pytest'),
    debian: ['python3', 'python3-pytest'],
    elsewhere: 'python3 -m pip install pytest',
  },
  {
    name: 'lldb-dap',
    usedFor: 'debugging C, C++ and Rust',
    isThere: (machine) => machine.hasCommand(/^lldb-dap(?:-\d+)?$/),
    debian: ['lldb-19'],
    elsewhere: 'macOS: xcode-select --install; Windows: winget install LLVM.LLVM',
  },
  {
    name: 'g++',
    usedFor: 'the C and C++ programs that are debugged',
    isThere: (machine) => machine.hasCommand(/^g\+\+$/),
    debian: ['g++'],
    elsewhere: 'macOS: xcode-select --install; Windows: install MinGW-w64',
  },
  {
    name: 'rustc',
    usedFor: 'the Rust programs that are debugged',
    isThere: (machine) => machine.hasCommand(/^rustc$/),
    debian: ['rustc'],
    elsewhere: 'install Rust with rustup',
  },
  {
    name: 'go',
    usedFor: 'the Go programs that are debugged',
    isThere: (machine) => machine.hasCommand(/^go$/),
    debian: ['golang-go'],
    elsewhere: 'macOS: brew install go; Windows: winget install GoLang.Go',
  },
  {
    name: 'delve',
    usedFor: 'debugging Go',
    isThere: (machine) => machine.hasCommand(/^dlv$/),
    debian: ['delve'],
    elsewhere: 'go install github.com/go-delve/delve/cmd/dlv@latest',
  },
  {
    name: 'rdbg',
    usedFor: 'debugging Ruby',
    isThere: (machine) => machine.hasCommand(/^rdbg(?:[\d.]+)?$/),
    debian: ['ruby'],
    elsewhere: 'gem install debug',
  },
  {
    name: 'ctags',
    usedFor: 'symbols to compare ours with',
    // Others of that name know fewer languages; where one of them is first on the PATH, the suite says so.
    isThere: (machine) => machine.hasCommand(/^ctags-universal$/) || machine.hasCommand(/^ctags$/),
    debian: ['universal-ctags'],
    elsewhere: 'macOS: brew install universal-ctags; Windows: winget install UniversalCtags.Ctags',
  },
  {
    name: 'chromium',
    usedFor: 'web pages that attack, and the windows of VS Code',
    isThere: (machine) =>
      machine.hasCommand(/^(?:chromium|chromium-browser|chromium-headless-shell|google-chrome|chrome)$/),
    debian: ['chromium-headless-shell'],
    elsewhere: 'install Chromium or Chrome, and have it on the PATH',
  },
  {
    name: 'wine',
    usedFor: 'running what is for Windows',
    // It runs programs of the processor that it has, and there is no Node of Windows for others that it could run.
    isNeeded: ({ platform, architecture }) => platform === 'linux' && architecture === 'x64',
    isThere: (machine) => machine.hasCommand(/^wine$/),
    debian: ['wine', 'wine64'],
    elsewhere: 'install Wine 8 or later, for 64 bits',
  },
  {
    name: 'keyring',
    usedFor: 'secrets that are sealed with a key in the keychain',
    // On macOS its tests would write into the keychain of the person.
    isNeeded: ({ platform }) => platform === 'linux',
    isThere: (machine) =>
      [/^secret-tool$/, /^gnome-keyring-daemon$/, /^dbus-daemon$/, /^dbus-send$/].every(machine.hasCommand),
    debian: ['libsecret-tools', 'gnome-keyring', 'dbus'],
    elsewhere: 'install secret-tool (libsecret), GNOME Keyring and D-Bus',
  },
  {
    name: 'postgresql',
    usedFor: 'the store on PostgreSQL',
    // A cluster for tests is put together from the files of Debian's package: see packages/testkit/src/postgres.
    isNeeded: ({ platform }) => platform === 'linux',
    isThere: (machine) =>
      postgresVersions.some((version) => machine.hasFile(`/usr/lib/postgresql/${version}/bin/postgres`)),
    debian: ['postgresql', 'g++', 'openssl'],
    elsewhere: 'its tests need Debian or Ubuntu',
  },
]

/**
 * What to do about what is missing.
 *
 * @param {readonly SystemPart[]} missing
 * @param {{ platform: NodeJS.Platform, isRoot: boolean, hasApt: boolean }} rights
 * @returns {{ act: 'nothing' } | { act: 'install', packages: string[] } | { act: 'tell', lines: string[] }}
 */
export function decide(missing, { platform, isRoot, hasApt }) {
  if (missing.length === 0) return { act: 'nothing' }
  const packages = [...new Set(missing.flatMap((part) => part.debian))].sort()
  if (hasApt && isRoot) return { act: 'install', packages }
  const names = missing.map((part) => `${part.name} (${part.usedFor})`).join(', ')
  const lines = [`Missing on this machine, so the tests that need them are skipped: ${names}.`]
  if (hasApt) lines.push(`Install them with: sudo apt-get install --no-install-recommends ${packages.join(' ')}`)
  else for (const part of missing) lines.push(`  ${part.name}: ${part.elsewhere}`)
  if (platform === 'linux' && !hasApt) lines.push('or with the package manager of your system.')
  return { act: 'tell', lines }
}

/** @param {Machine} machine @param {readonly SystemPart[]} parts */
export function findMissing(machine, parts = systemParts) {
  return parts.filter((part) => part.isNeeded?.(machine) !== false && !part.isThere(machine))
}

/**
 * Never fails a run: what could not be installed is said, and its suites skip (with CI=true a skip fails).
 *
 * @param {string} root
 * @param {NodeJS.ProcessEnv} environment
 */
export async function ensureSystemParts(root, environment) {
  await ensureInstalled(environment)
  await ensurePgvector(root, environment)
  if (isOnnxRuntimeMissing(root)) {
    await underLock(root, async () => {
      if (isOnnxRuntimeMissing(root)) await installOnnxRuntime(root)
    })
  }
  const machine = thisMachine(environment)
  const isThere = (/** @type {string} */ name) =>
    systemParts.some((part) => part.name === name && part.isNeeded?.(machine) !== false && part.isThere(machine))
  if (isThere('wine') && findWindowsNode(root) === undefined) {
    await underLock(root, async () => {
      if (findWindowsNode(root) === undefined) await installWindowsNode(root)
    })
  }
  if (isThere('chromium') && machine.platform === 'linux' && findVsCode(root) === undefined) {
    await underLock(root, async () => {
      if (findVsCode(root) === undefined) await installVsCode(root)
    })
  }
}

/** Where there is a PostgreSQL. @param {string} root @param {NodeJS.ProcessEnv} environment */
export async function ensurePgvector(root, environment) {
  if (!isPgvectorMissing(root)) return
  await underLock(root, async () => {
    if (isPgvectorMissing(root)) await buildPgvector(root, environment)
  })
}

/** @param {string} root @param {() => Promise<void>} work */
async function underLock(root, work) {
  try {
    await withLock(join(root, '.toolchain', 'set-up.lock'), work)
  } catch (error) {
    if (!(error instanceof ExpectedFailure)) throw error
    say(`${error.message}\nWhat needs it is left out.`)
  }
}

/** @param {NodeJS.ProcessEnv} environment */
async function ensureInstalled(environment) {
  const machine = thisMachine(environment)
  const decision = decide(findMissing(machine), {
    platform: machine.platform,
    isRoot: process.getuid?.() === 0,
    hasApt: machine.platform === 'linux' && machine.hasFile('/usr/bin/apt-get'),
  })
  if (decision.act === 'tell') for (const line of decision.lines) say(line)
  if (decision.act !== 'install') return
  const started = performance.now()
  await step(`Installing for the tests: ${decision.packages.join(' ')}`, () => install(decision.packages, environment))
  const left = findMissing(thisMachine(environment))
  if (left.length > 0) {
    const names = left.map((part) => part.name).join(', ')
    say(`Still missing after ${formatDuration(performance.now() - started)}: ${names}. Their tests are skipped.`)
  }
}

/**
 * A rustc of rustup's needs the home folder that it was installed for. Where it does not run, its folder is left out of
 * the PATH, so that another one is found, or installed.
 *
 * @param {NodeJS.ProcessEnv} environment
 * @param {(program: string, environment: NodeJS.ProcessEnv) => boolean} runs
 * @returns {NodeJS.ProcessEnv}
 */
export function withoutDeadProxies(environment, runs = canRun) {
  const folders = (environment.PATH ?? '').split(delimiter)
  const kept = folders.filter((folder) => {
    const program = join(folder, process.platform === 'win32' ? 'rustc.exe' : 'rustc')
    return !existsSync(program) || runs(program, environment)
  })
  return kept.length === folders.length ? environment : { ...environment, PATH: kept.join(delimiter) }
}

/** @param {string} program @param {NodeJS.ProcessEnv} environment */
function canRun(program, environment) {
  return spawnSync(program, ['--version'], { env: environment, stdio: 'ignore', timeout: 30_000 }).status === 0
}

/** @param {readonly string[]} packages @param {NodeJS.ProcessEnv} environment */
async function install(packages, environment) {
  // Another run may be installing just now: its lock is waited for.
  const quiet = ['-y', '-qq', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Dpkg::Use-Pty=0']
  const options = {
    env: { ...environment, DEBIAN_FRONTEND: 'noninteractive' },
    stdin: /** @type {const} */ ('ignore'),
    stdoutToStderr: true,
  }
  const wanted = ['install', ...quiet, '--no-install-recommends', ...packages]
  if ((await runInForeground('apt-get', wanted, options)) === 0) return
  say('  The package lists may be old or missing: reading them anew.')
  if ((await runInForeground('apt-get', ['update', ...quiet], options)) !== 0) return
  await runInForeground('apt-get', wanted, options)
}

/** @param {NodeJS.ProcessEnv} environment @returns {Machine} */
export function thisMachine(environment) {
  const pathName = Object.keys(environment).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH'
  const folders = (environment[pathName] ?? '').split(delimiter).filter(Boolean)
  /** @type {Set<string> | undefined} */
  let commands
  return {
    platform: process.platform,
    architecture: process.arch,
    hasFile: existsSync,
    hasCommand(pattern) {
      commands ??= new Set(folders.flatMap(listPrograms))
      return [...commands].some((name) => pattern.test(name))
    },
    hasPythonModule(module) {
      const program = `import importlib.util, sys; sys.exit(importlib.util.find_spec(${JSON.stringify(module)}) is None)`
      const python = process.platform === 'win32' ? 'python' : 'python3'
      return spawnSync(python, ['-c', program], { env: environment, stdio: 'ignore', timeout: 20_000 }).status === 0
    },
  }
}

/** @param {string} folder */
function listPrograms(folder) {
  try {
    return readdirSync(folder).map((name) => name.replace(/\.exe$/i, ''))
  } catch {
    return []
  }
}
