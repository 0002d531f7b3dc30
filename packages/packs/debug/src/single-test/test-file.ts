/** Which framework a file's tests are of, told by its name, its imports and what its package depends on. */
import { existsSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { isJsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
import { MAX_UNDERSTOOD_BYTES, readManifest, readSourceTextOf } from '../workspace/source-text.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import type { FoundTest, TestFramework } from './found-test.ts'
import { findGoTests } from './go-tests.ts'
import { findPythonTests } from './python-tests.ts'
import { findScriptTests } from './script-tests.ts'

export interface TestFile {
  readonly framework: TestFramework
  /** Absolute. */
  readonly path: string
  readonly tests: readonly FoundTest[]
}

/** Nothing is run. Throws E_DISCOVERY_FAILED for a file that is of none of the frameworks. */
export function readTestFile(path: string, paths: WorkspacePaths): TestFile {
  const text = readSourceTextOf(path, paths, MAX_UNDERSTOOD_BYTES)
  const framework = findFramework(path, text, paths.root)
  return { framework, path, tests: findTests(framework, text) }
}

function findTests(framework: TestFramework, text: string): FoundTest[] {
  if (framework === 'pytest') return findPythonTests(text)
  return framework === 'go test' ? findGoTests(text) : findScriptTests(text)
}

function findFramework(path: string, text: string, workspace: string): TestFramework {
  const name = basename(path)
  if (name.endsWith('_test.go')) return 'go test'
  if (name.endsWith('.py')) return 'pytest'
  if (/\.[cm]?[jt]sx?$/.test(name)) {
    if (/(?:from|require\(|import\()\s*['"]node:test['"]/.test(text)) return 'node:test'
    if (/(?:from|require\(|import\()\s*['"]vitest['"]/.test(text)) return 'vitest'
    if (dependsOn(path, workspace, 'vitest')) return 'vitest'
    throwOnOtherRunner(path, text, workspace)
  }
  throw new ToolError('E_DISCOVERY_FAILED', `${name} has no tests of pytest, node:test, vitest or go test`, {
    hint: 'The runner of other tests is a program: start it with debug_start, with the test in args.',
  })
}

/** What is run with them can be debugged all the same, as any program of Node. */
const OTHER_RUNNERS = [
  { name: 'jest', program: 'node_modules/jest/bin/jest.js', args: ['--runInBand', '--testTimeout=600000', '-t'] },
  { name: 'mocha', program: 'node_modules/mocha/bin/mocha.js', args: ['--no-timeout', '-g'] },
] as const

function throwOnOtherRunner(path: string, text: string, workspace: string): void {
  const runner = OTHER_RUNNERS.find(
    ({ name }) =>
      new RegExp(`(?:from|require\\()\\s*['"](?:@${name}/|${name}\\b)`).test(text) || dependsOn(path, workspace, name),
  )
  if (runner === undefined) return
  const { name, program, args } = runner
  const file = relative(workspace, path).split(sep).join('/')
  const call = { program, args: [file, ...args, '<name of the test>'], breakpoints: [{ path: file, line: 1 }] }
  throw new ToolError('E_DISCOVERY_FAILED', `${basename(path)} is of ${name}, which is not run test by test here`, {
    hint: `Start it yourself, with a breakpoint in the test: debug_start ${JSON.stringify(call)}`,
  })
}

/** One of the packages that the file lies in does, up to the workspace. */
function dependsOn(path: string, workspace: string, dependency: string): boolean {
  for (let from = path; ; ) {
    const folder = findFolderWith(from, workspace, ['package.json'])
    if (folder === undefined) return false
    if (listDependencies(folder).includes(dependency)) return true
    if (folder === workspace) return false
    from = folder
  }
}

function listDependencies(folder: string): string[] {
  const { dependencies, devDependencies } = readManifest(folder)
  return [dependencies, devDependencies].flatMap((list) => (isJsonObject(list) ? Object.keys(list) : []))
}

/** The nearest folder at or above the file, up to the workspace, that has one of the files. */
export function findFolderWith(path: string, workspace: string, names: readonly string[]): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder
    if (folder === workspace || folder === dirname(folder)) return undefined
  }
}
