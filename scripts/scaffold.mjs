// Writes a new tool of a pack, or a new pack. `switchboard dev new-tool` and `dev new-pack` run it: the toolkit's sources are
// those of the clone, and the command itself need not carry what only a developer of Switchboard uses. Says what happened as
// one line of JSON.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { areDependenciesCurrent, linkWorkspacePackage } from './run/dependencies.mjs'
import { writeManifests } from './run/manifests.mjs'

const [given = '', kind = '', ...args] = process.argv.slice(2)
const root = resolve(given)
const source = join(root, 'packages', 'toolkit', 'src', 'generate', 'index.ts')
const { generatePack, readPack, scaffoldPack, scaffoldTool } = await import(pathToFileURL(source).href)

/** @type {Record<string, (...args: string[]) => Promise<object>>} */
const scaffolds = {
  async tool(pack = '', alias = '') {
    const { name, files } = scaffoldTool(root, pack, alias)
    writeNew(files)
    return { name, files: pathsOf(files) }
  },
  async pack(name = '') {
    const { tool, directory, packageName, files, changes } = scaffoldPack(root, name)
    const isInstalled = areDependenciesCurrent(root)
    writeNew(files)
    for (const { path, content } of changes) writeFileSync(join(root, path), content)
    // Nothing but a link is missing of what npm would do now.
    if (isInstalled) linkWorkspacePackage(root, packageName, directory)
    const generated = generatePack(readPack(root, directory))
    writeNew(generated)
    await writeManifests(root)
    return { name, tool, files: pathsOf([...files, ...generated]), changed: pathsOf(changes) }
  },
}

try {
  const outcome = await scaffolds[kind]?.(...args)
  if (outcome === undefined) throw new TypeError(`There is no scaffold of a ${kind}.`)
  say({ ok: true, ...outcome })
} catch (error) {
  // What is wrong with the command line or with the declarations is an answer; anything else is shown as it is.
  const isExpected = error.code === 'invalid_arguments' || error.name === 'MetaError'
  if (!isExpected) throw error
  say({
    ok: false,
    message: error.message,
    hint: error.hint ?? 'Mend these first: npm run generate shows them as well.',
  })
}

/** Never over a file that appeared since it was looked for. @param {readonly { path: string, content: string }[]} files */
function writeNew(files) {
  for (const { path, content } of files) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), content, { flag: 'wx' })
  }
}

/** @param {readonly { path: string }[]} files */
function pathsOf(files) {
  return files.map(({ path }) => path)
}

/** @param {object} outcome */
function say(outcome) {
  process.stdout.write(`${JSON.stringify(outcome)}\n`)
}
