#!/usr/bin/env node
// Every npm script goes through here: choose a Node, install what the lockfile says, build what changed, then run.
// Plain JavaScript without dependencies that works from Node 20 on, because it runs before anything is installed.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBinary } from './run/binary.mjs'
import { buildBundle, hasCommand, isBundleCurrent, missingCommand, programPath } from './run/bundle.mjs'
import { becomeOrRun, runInForeground, toExitCode } from './run/child.mjs'
import { dim, ExpectedFailure, say, sayFailure, step } from './run/console.mjs'
import { areDependenciesCurrent, installDependencies } from './run/dependencies.mjs'
import { withLock } from './run/lock.mjs'
import { areManifestsCurrent } from './run/manifests.mjs'
import { ensurePgvector } from './run/system-parts.mjs'
import { runTests } from './run/tests.mjs'
import { environmentFor, findNode, installNode } from './run/toolchain.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const sourceCondition = '--conditions=switchboard-source'
const generateScript = join(root, 'scripts', 'generate.mjs')

const usage = `Usage: node scripts/run.mjs <command>

  start                 build and run Switchboard in the foreground
  test [vitest args]    type check, build and run the tests
  build                 type check and build
  bench [args]          run the benchmarks
  generate [--check]    write the generated files, or check that they are current
  package-vscode        make the extension of VS Code, as one .vsix file
  release [--dry-run]   make all files of a release, with checksums and the change log
  exec <name> [args]    run a command of node_modules/.bin
  setup                 install Node and the dependencies, and build the manifests of the packs`

/**
 * @typedef {object} Place
 * @property {string} node
 * @property {NodeJS.ProcessEnv} environment
 */

/**
 * Does what is still to do, one run at a time in a clone; takes no lock when there is nothing to do.
 *
 * @param {{ typeCheck?: boolean, bundle?: boolean }} wanted
 * @returns {Promise<Place>}
 */
async function setUp(wanted = {}) {
  const bundle = wanted.bundle === true && hasCommand(root)
  const found = findNode(root)
  const isDone = () => areDependenciesCurrent(root) && areManifestsCurrent(root) && (!bundle || isBundleCurrent(root))
  if (found !== undefined && !wanted.typeCheck && isDone()) return placeFor(found)
  return withLock(join(root, '.toolchain', 'set-up.lock'), async () => {
    const place = placeFor(findNode(root) ?? (await installNode(root)))
    if (!areDependenciesCurrent(root)) await installDependencies(root, place.node, place.environment)
    if (!areManifestsCurrent(root)) await buildManifests(place)
    if (wanted.typeCheck) await typeCheck(place)
    if (bundle && !isBundleCurrent(root)) await buildBundle(root)
    if (interruptedBy !== undefined) throw new ExpectedFailure('Interrupted.')
    return place
  })
}

/** @param {string} node @returns {Place} */
function placeFor(node) {
  return { node, environment: environmentFor(node) }
}

/** @param {Place} place */
async function typeCheck(place) {
  await step('Checking types and building the packages (tsc -b)', async () => {
    const exitCode = await runNode(place, [findBinary(root, 'tsc'), '-b'], { isStep: true })
    if (exitCode !== 0) throw new ExpectedFailure('The type check found the errors above.')
  })
}

/** @param {Place} place */
async function buildManifests(place) {
  await step('Building the manifests of the packs', async () => {
    const exitCode = await runNode(place, [sourceCondition, generateScript, '--manifests'], { isStep: true })
    if (exitCode !== 0) throw new ExpectedFailure('The declarations of the packs have the problems above.')
  })
}

/** @param {Place} place @param {readonly string[]} args @param {{ isStep?: boolean }} [options] */
function runNode(place, args, options = {}) {
  return runInForeground(place.node, args, { cwd: root, env: place.environment, ...options })
}

/** @type {Record<string, (args: string[]) => Promise<number>>} */
const commands = {
  async start(args) {
    const place = await setUp({ bundle: true })
    if (!hasCommand(root)) throw new ExpectedFailure(missingCommand)
    const command = [programPath(root), ...(args.length > 0 ? args : ['up', '--foreground'])]
    return becomeOrRun(place.node, command, { cwd: root, env: place.environment })
  },
  async test(args) {
    const place = await setUp({ typeCheck: true, bundle: true })
    if (!hasCommand(root)) say(dim(missingCommand))
    return runTests(root, place.node, place.environment, args)
  },
  async build() {
    await setUp({ typeCheck: true, bundle: true })
    if (!hasCommand(root)) say(dim(missingCommand))
    return 0
  },
  async bench(args) {
    const place = await setUp({ bundle: true })
    if (args.includes('store')) await ensurePgvector(root, place.environment)
    return runNode(place, [sourceCondition, join(root, 'bench', 'src', 'main.ts'), ...args])
  },
  async generate(args) {
    return runNode(await setUp(), [sourceCondition, generateScript, ...args])
  },
  async 'package-vscode'(args) {
    return runNode(await setUp({ bundle: true }), [join(root, 'scripts', 'package-vscode.mjs'), ...args])
  },
  async release(args) {
    return runNode(await setUp({ typeCheck: true, bundle: true }), [join(root, 'scripts', 'release.mjs'), ...args])
  },
  async exec([name, ...args]) {
    if (name === undefined) throw new ExpectedFailure(`exec needs the name of a command.\n\n${usage}`, 2)
    const place = await setUp()
    return runNode(place, [findBinary(root, name), ...args])
  },
  async setup() {
    await setUp()
    return 0
  },
}

// Without a handler a signal would end us at once, and leave the lock behind.
/** @type {NodeJS.Signals | undefined} */
let interruptedBy
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.on(signal, () => {
    interruptedBy ??= signal
    // While a child runs there is a second listener, which waits for the child's end.
    if (process.listenerCount(signal) === 1) process.exit(toExitCode(null, signal))
  })
}

const [name = '', ...args] = process.argv.slice(2)
try {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command === undefined) {
    throw new ExpectedFailure(name === '' ? usage : `There is no command ${JSON.stringify(name)}.\n\n${usage}`, 2)
  }
  process.exitCode = await command(args)
} catch (error) {
  if (!(error instanceof ExpectedFailure)) throw error
  sayFailure(interruptedBy === undefined ? error.message : 'Interrupted.')
  process.exitCode = interruptedBy === undefined ? error.exitCode : toExitCode(null, interruptedBy)
}
