// The manifests of the packs: src/generated/manifest.ts, which follows from their declarations and is not committed. The first
// line of each says what it was built from, so that it is known to be current without building it again.

import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fingerprint, listFiles } from './fingerprint.mjs'

const packsFolder = join('packages', 'packs')
// What reads the declarations, with everything of ours below it.
const generatorPackages = ['base', 'config', 'protocol', 'telemetry', 'toolkit']

/** @param {string} root @returns {string[]} the folders of the packs, relative to root */
function listPacks(root) {
  if (!existsSync(join(root, packsFolder))) return []
  return readdirSync(join(root, packsFolder))
    .map((name) => join(packsFolder, name))
    .filter((folder) => existsSync(join(root, folder, 'src', 'pack.yaml')))
    .sort()
}

/** @param {string} root */
function createStamp(root) {
  const declarations = listPacks(root).flatMap((folder) => [
    ...listFiles(join(root, folder, 'src')).filter((path) => path.endsWith('.yaml')),
    ...listFiles(join(root, folder, 'guides')),
  ])
  const generator = generatorPackages.flatMap((name) => listFiles(join(root, 'packages', name, 'src')))
  const inputs = [...declarations, ...generator].map((path) => relative(root, path))
  return `// Inputs: ${fingerprint(root, inputs)}\n`
}

/** @param {string} path @returns {string} empty when it is not there */
function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

/** @param {string} root */
export function areManifestsCurrent(root) {
  const stamp = createStamp(root)
  return listPacks(root).every((folder) =>
    readText(join(root, folder, 'src', 'generated', 'manifest.ts')).startsWith(stamp),
  )
}

/**
 * On the project's Node only, which reads our TypeScript sources. Throws what the toolkit throws of a wrong declaration.
 *
 * @param {string} root
 */
export async function writeManifests(root) {
  if (areManifestsCurrent(root)) return
  const stamp = createStamp(root)
  const source = join(root, 'packages', 'toolkit', 'src', 'generate', 'index.ts')
  const { buildManifests } = await import(pathToFileURL(source).href)
  for (const { path, content } of buildManifests(root)) {
    const file = join(root, path)
    mkdirSync(dirname(file), { recursive: true })
    // By rename: two that build at once both write it whole.
    const temporary = `${file}.${process.pid}`
    writeFileSync(temporary, stamp + content)
    renameSync(temporary, file)
  }
}
