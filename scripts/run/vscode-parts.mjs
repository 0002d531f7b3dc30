// The VS Code that tests run in: the server of code-server from npm, pinned by the hash of its archive, in .toolchain. What it
// needs in turn is pinned by the lockfile that it brings (which lacks one package, so `npm ci` refuses it). No script of any of them runs: nothing that we use has to be compiled.

import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { runInForeground } from './child.mjs'
import { ExpectedFailure, step } from './console.mjs'
import { downloadPackage, runNpm } from './toolchain.mjs'

/** Its version is that of the VS Code in it. */
const codeServer = {
  name: 'code-server',
  version: '4.139.1',
  integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
}

/** What an installation of ours holds; another one is made anew. */
const content = `${codeServer.integrity} with its extensions`

/** @param {string} root */
const folderOf = (root) => join(root, '.toolchain', 'vscode')

/** Written when all of it is there. @param {string} root */
const stampOf = (root) => join(folderOf(root), 'installed')

/** @param {string} root @returns {string | undefined} the program of the server; nothing when it must be installed first */
export function findVsCode(root) {
  const isInstalled = existsSync(stampOf(root)) && readFileSync(stampOf(root), 'utf8') === content
  return isInstalled ? join(folderOf(root), 'package', 'lib', 'vscode', 'out', 'server-main.js') : undefined
}

/** Call it under the set-up lock only. @param {string} root */
export async function installVsCode(root) {
  const folder = folderOf(root)
  const specifier = `${codeServer.name}@${codeServer.version}`
  await step(`Installing for the tests: ${specifier} into ${relative(root, folder)}`, async () => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    await downloadPackage(root, codeServer, async (archive) => {
      const exitCode = await runInForeground('tar', ['-xzf', archive, '-C', folder], { isStep: true, stdin: 'ignore' })
      if (exitCode !== 0) throw new ExpectedFailure(`${specifier} could not be unpacked (exit code ${exitCode}).`)
    })
    const server = join(folder, 'package', 'lib', 'vscode')
    // The second has TypeScript, for the language server of the tests.
    for (const place of [server, join(server, 'extensions')]) {
      const quiet = ['--omit=dev', '--ignore-scripts', '--no-save', '--no-audit', '--no-fund']
      await runNpm(place, specifier, ['install', ...quiet])
    }
    writeFileSync(stampOf(root), content)
  })
}
