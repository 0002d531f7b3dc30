import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExpectedFailure } from './console.mjs'

/** @param {string} modules @returns {string[]} the folders of the packages directly in node_modules */
function listPackages(modules) {
  if (!existsSync(modules)) return []
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) =>
      name.startsWith('@')
        ? readdirSync(join(modules, name)).map((scoped) => join(modules, name, scoped))
        : [join(modules, name)],
    )
}

/**
 * The JavaScript file behind a command of node_modules/.bin. It is found through package.json, because the links in
 * .bin are shell scripts on Windows.
 *
 * @param {string} root
 * @param {string} name
 */
export function findBinary(root, name) {
  for (const directory of listPackages(join(root, 'node_modules'))) {
    const manifestPath = join(directory, 'package.json')
    if (!existsSync(manifestPath)) continue
    const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'))
    const binaries = typeof manifest.bin === 'string' ? { [unscoped(manifest.name)]: manifest.bin } : manifest.bin
    if (binaries && Object.hasOwn(binaries, name)) return join(directory, binaries[name])
  }
  throw new ExpectedFailure(`No installed package has a command ${name}. Commands are listed in node_modules/.bin.`, 2)
}

/** @param {string} packageName */
function unscoped(packageName) {
  return packageName.replace(/^@[^/]+\//, '')
}
