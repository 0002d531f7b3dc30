// Writes every generated file that is committed, or with --check compares them and lists the stale ones. A generator is a
// function in a package that returns text; it never writes. What is built and not committed (the manifests of the packs) is
// made before, because generators need it; with --manifests nothing else is. Runs on the project's Node, which reads our
// TypeScript sources directly: npm run generate.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { ExpectedFailure, say, sayFailure } from './run/console.mjs'
import { writeManifests } from './run/manifests.mjs'

/**
 * @typedef {object} GeneratedFile
 * @property {string} path relative to the root of the repository, with forward slashes
 * @property {string} content
 */

/**
 * @typedef {object} Generator
 * @property {string} source the module that knows what the files say
 * @property {string} exportName the function in it
 * @property {(generate: Function, currentText: (path: string) => string | undefined, root: string) => Promise<readonly GeneratedFile[]>} files
 */

/** @type {readonly Generator[]} */
export const generators = [
  {
    source: 'packages/protocol/src/errors/document.ts',
    exportName: 'createErrorsDocument',
    files: async (createErrorsDocument) => [{ path: 'docs/errors.md', content: await createErrorsDocument() }],
  },
  {
    source: 'packages/daemon/src/configuration/generate-configuration-files.ts',
    exportName: 'generateConfigurationFiles',
    // Part of that page is written by hand, so the generator is given what it says now.
    files: async (generateConfigurationFiles, currentText) =>
      await generateConfigurationFiles(currentText('docs/configuration.md') ?? ''),
  },
  {
    source: 'packages/cli/src/help/command-document.ts',
    exportName: 'createCommandDocument',
    files: async (createCommandDocument) => [{ path: 'docs/command.md', content: createCommandDocument() }],
  },
  {
    source: 'packages/cli/src/clients/clients-document.ts',
    exportName: 'createClientsDocument',
    files: async (createClientsDocument) => [{ path: 'docs/clients.md', content: await createClientsDocument() }],
  },
  {
    source: 'packages/toolkit/src/generate/generate-tool-files.ts',
    exportName: 'generateToolFiles',
    files: async (generateToolFiles, _currentText, root) => generateToolFiles(root),
  },
  {
    source: 'packages/packs/memory/src/diagnosis/patterns-document.ts',
    exportName: 'createPatternsDocument',
    files: async (createPatternsDocument) => [{ path: 'docs/memory-patterns.md', content: createPatternsDocument() }],
  },
]

/**
 * @param {string} root
 * @param {Generator} generator
 * @returns {Promise<readonly GeneratedFile[]>}
 */
export async function runGenerator(root, generator) {
  const path = join(root, generator.source)
  if (!existsSync(path)) {
    say(`  ${generator.source} does not exist yet: nothing generated from it`)
    return []
  }
  const module = await import(pathToFileURL(path).href)
  const generate = module[generator.exportName]
  if (typeof generate !== 'function') {
    throw new ExpectedFailure(
      `${generator.source} has no function ${generator.exportName}: export it, or correct scripts/generate.mjs.`,
    )
  }
  const files = await withPlainProblems(() => generator.files(generate, (path) => readText(root, path), root))
  for (const file of files) {
    if (typeof file?.path !== 'string' || typeof file.content !== 'string') {
      throw new ExpectedFailure(`${generator.exportName} of ${generator.source} must give files as { path, content }.`)
    }
  }
  return files
}

/**
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
async function withPlainProblems(work) {
  try {
    return await work()
  } catch (error) {
    // A mistake in a declaration has its file and line in the message; the stack would only hide them.
    if (error instanceof Error && error.name === 'MetaError') throw new ExpectedFailure(error.message)
    throw error
  }
}

/** @param {string} root @param {string} path @returns {string | undefined} */
function readText(root, path) {
  const absolute = join(root, path)
  // A checkout with Windows line ends is as current as any other.
  return existsSync(absolute) ? readFileSync(absolute, 'utf8').replaceAll('\r\n', '\n') : undefined
}

/**
 * @param {string} root
 * @param {readonly Generator[]} registry
 * @returns {Promise<GeneratedFile[]>} the files whose text on disk is another one
 */
export async function findStaleFiles(root, registry = generators) {
  const stale = []
  for (const generator of registry) {
    for (const file of await runGenerator(root, generator)) {
      if (readText(root, file.path) !== file.content) stale.push(file)
    }
  }
  return stale
}

/** @param {readonly string[]} args @returns {Promise<number>} the exit code */
async function main(args) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const unknown = args.find((argument) => argument !== '--check' && argument !== '--manifests')
  if (unknown !== undefined) throw new ExpectedFailure(`generate knows --check only, not ${unknown}.`, 2)
  await withPlainProblems(() => writeManifests(root))
  if (args.includes('--manifests')) return 0
  const stale = await findStaleFiles(root)
  if (args.includes('--check')) {
    for (const file of stale) say(`  stale: ${file.path}`)
    if (stale.length > 0) sayFailure(`${stale.length} generated file(s) are not current. Run: npm run generate`)
    return stale.length > 0 ? 1 : 0
  }
  for (const file of stale) {
    mkdirSync(dirname(join(root, file.path)), { recursive: true })
    writeFileSync(join(root, file.path), file.content)
    say(`  wrote ${file.path}`)
  }
  if (stale.length === 0) say('  every generated file is current')
  return 0
}

if (process.argv[1] !== undefined && pathToFileURL(process.argv[1]).href === import.meta.url) {
  try {
    process.exitCode = await main(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof ExpectedFailure)) throw error
    sayFailure(error.message)
    process.exitCode = error.exitCode
  }
}
