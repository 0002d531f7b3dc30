// The command as one file, so that it starts without resolving and reading hundreds of modules, and the front as another, so
// that a process which every window keeps does not hold the whole command in memory.

import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ExpectedFailure, step } from './console.mjs'
import { fingerprint, isStamped, listFiles, writeStamp } from './fingerprint.mjs'

const entryPoint = join('packages', 'cli', 'src', 'main.ts')
const outputFile = join('packages', 'cli', 'dist', 'switchboard.mjs')
const frontEntryPoint = join('packages', 'cli', 'src', 'front', 'main.ts')
const frontFile = join('packages', 'cli', 'dist', 'front.mjs')

// Large or optional: they stay in node_modules and are loaded when they are first used. package.json puts them into the package
// that `npm pack` makes (bundleDependencies).
export const packagesBeside = ['undici', 'ws', 'ajv', 'smol-toml']

/** @param {string} root */
export const bundlePath = (root) => join(root, outputFile)

/** @param {string} root */
const stampPath = (root) => `${bundlePath(root)}.stamp`

/** @param {string} root */
export const hasCommand = (root) => existsSync(join(root, entryPoint))

export const missingCommand = `${entryPoint} does not exist, so there is no switchboard command to build yet.`

/** @param {string} root @returns {string[]} what the bundle depends on, relative to root */
export function bundleInputs(root) {
  const packages = ['', 'packs']
    .filter((folder) => existsSync(join(root, 'packages', folder)))
    .flatMap((folder) => readdirSync(join(root, 'packages', folder)).map((name) => join(folder, name)))
    .filter((name) => existsSync(join(root, 'packages', name, 'src')))
    .sort()
  return [
    'package-lock.json',
    'tsconfig.base.json',
    join('scripts', 'run', 'bundle.mjs'),
    ...packages.flatMap((name) => [
      join('packages', name, 'package.json'),
      join('packages', name, 'tsconfig.json'),
      ...listFiles(join(root, 'packages', name, 'src')).map((path) => relative(root, path)),
    ]),
  ]
}

/** @param {string} root */
export function isBundleCurrent(root) {
  const isBuilt = existsSync(bundlePath(root)) && existsSync(join(root, frontFile))
  return isBuilt && isStamped(stampPath(root), fingerprint(root, bundleInputs(root)))
}

/** Call it under the set-up lock only. @param {string} root */
export async function buildBundle(root) {
  await step(`Bundling the command into ${outputFile}`, async () => {
    const built = fingerprint(root, bundleInputs(root))
    const resolveFromRoot = createRequire(join(root, 'package.json'))
    const esbuild = await import(pathToFileURL(resolveFromRoot.resolve('esbuild')).href)
    const results = [
      await bundleWith(esbuild, root, entryPoint, outputFile),
      await bundleWith(esbuild, root, frontEntryPoint, frontFile),
    ]
    mkdirSync(dirname(bundlePath(root)), { recursive: true })
    for (const file of results.flatMap(({ outputFiles }) => outputFiles)) {
      // By rename: a command that starts meanwhile reads the old file or the new one, never half of one.
      const temporary = `${file.path}.${process.pid}`
      writeFileSync(temporary, file.contents)
      renameSync(temporary, file.path)
    }
    writeStamp(stampPath(root), built)
  })
}

/** @param {typeof import('esbuild')} esbuild @param {string} root @param {string} entry @param {string} outfile */
async function bundleWith(esbuild, root, entry, outfile) {
  try {
    return await esbuild.build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      write: false,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      conditions: ['switchboard-source'],
      // Packages that offer both forms are bundled in their ES module form.
      mainFields: ['module', 'main'],
      external: packagesBeside.flatMap((name) => [name, `${name}/*`]),
      sourcemap: true,
      legalComments: 'none',
      logLevel: 'warning',
    })
  } catch (error) {
    // esbuild has printed what is wrong and where.
    throw new ExpectedFailure(`The command does not build: ${String(error.message).split('\n')[0]}`)
  }
}
