/** A folder in place of a program: what is run there, by what the folder holds. */
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ToolError } from '@switchboard/toolkit'
import { readSourceText } from '../workspace/source-text.ts'
import type { WorkspacePaths } from '../workspace/workspace-paths.ts'
import { findScript } from './find-launch-program.ts'

export interface FolderProgram {
  readonly program: string
  readonly language?: string
}

/** Whatever is no folder stays as it is. Throws E_INVALID_PROGRAM for what has to be built first. */
export function resolveFolder(path: string, paths: WorkspacePaths): FolderProgram {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return { program: path }
  const names = readdirSync(path)
  const has = (name: string): boolean => names.includes(name)
  const go = names.find((name) => name.endsWith('.go') && !name.endsWith('_test.go'))
  if (go !== undefined) {
    throwUnlessMain(join(path, go), paths.show(path))
    return { program: path, language: 'go' }
  }
  if (has('__main__.py')) return { program: join(path, '__main__.py') }
  const script = findScript(path)
  if (script !== path) return { program: script }
  const shown = paths.show(path)
  if (has('Cargo.toml')) {
    const [, name = '<name>'] =
      /^[ \t]*name[ \t]*=[ \t]*"([^"\n]+)"/m.exec(readSourceText(join(path, 'Cargo.toml')) ?? '') ?? []
    throw mustBuild(
      `${shown} is a Cargo project: run cargo build there, then start ${join(shown, 'target/debug', name)}`,
    )
  }
  if (has('CMakeLists.txt') || has('Makefile') || has('meson.build')) {
    throw mustBuild(`${shown} is a folder with sources: build it with -g -O0, then start the compiled program`)
  }
  throw mustBuild(`${shown} is a folder, and nothing in it tells what to run: give the file to run`)
}

function throwUnlessMain(file: string, shown: string): void {
  const [, name = 'main'] = /^package[ \t]+(\w+)/m.exec(readSourceText(file) ?? '') ?? []
  if (name === 'main') return
  throw mustBuild(
    `${shown} is the Go package ${name}, which is no program: start one that is package main, or test_debug_single`,
  )
}

function mustBuild(message: string): ToolError {
  return new ToolError('E_INVALID_PROGRAM', message)
}
