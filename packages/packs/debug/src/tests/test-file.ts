/** Which framework a file's tests are of, told by its name, its imports and what its package depends on. */
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isJsonObject } from '@switchboard/protocol'
import { ToolError } from '@switchboard/toolkit'
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
export function readTestFile(path: string, workspace: string): TestFile {
  const text = readFileSync(path, 'utf8')
  const framework = findFramework(path, text, workspace)
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
  }
  throw new ToolError('E_DISCOVERY_FAILED', `${name} has no tests of pytest, node:test, vitest or go test`)
}

function dependsOn(path: string, workspace: string, dependency: string): boolean {
  const folder = findFolderWith(path, workspace, ['package.json'])
  if (folder === undefined) return false
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    if (!isJsonObject(manifest)) return false
    const lists = [manifest.dependencies, manifest.devDependencies]
    return lists.some((list) => isJsonObject(list) && dependency in list)
  } catch {
    return false
  }
}

/** The nearest folder at or above the file, up to the workspace, that has one of the files. */
export function findFolderWith(path: string, workspace: string, names: readonly string[]): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (names.some((name) => existsSync(join(folder, name)))) return folder
    if (folder === workspace || folder === dirname(folder)) return undefined
  }
}
