import { chmod, writeFile } from 'node:fs/promises'
import { delimiter } from 'node:path'
import { OrphanGuard } from '@switchboard/process'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { findRubyOf } from '../../../src/dap/engines/ruby.ts'
import { createDapEngines } from '../../../src/dap/engines.ts'
import { findNewestProgram, findOnPath } from '../../../src/dap/locate-program.ts'
import type { Launch } from '../../../src/engine/debug-session.ts'
import { breakpoint, Recorder } from '../../contract/recorder.ts'

const rdbg = findNewestProgram(/^rdbg(?:[\d.]+)?$/)
const isWindows = process.platform === 'win32'
const path = process.env.PATH
const guard = new OrphanGuard()
let folder: TemporaryDirectory

beforeAll(async () => {
  folder = await createTemporaryDirectory('switchboard-ruby-test-')
})
afterEach(() => {
  process.env.PATH = path
})
afterAll(async () => {
  await guard.close()
  await folder.remove()
})

async function writeScript(name: string, lines: readonly string[]): Promise<string> {
  const file = folder.file(name)
  await writeFile(file, `${lines.join('\n')}\n`)
  await chmod(file, 0o755)
  return file
}

describe.skipIf(isWindows)('the Ruby of an rdbg', () => {
  test('is the one in its first line', async () => {
    const ruby = await writeScript('ruby3.9', ['#!/bin/sh'])
    expect(findRubyOf(await writeScript('rdbg-own', [`#!${ruby}`, 'load "x"']))).toBe(ruby)
  })

  test('is that of the PATH where the first line says so', async () => {
    const ruby = await writeScript('ruby', ['#!/bin/sh'])
    process.env.PATH = `${folder.path}${delimiter}${path}`
    expect(findRubyOf(await writeScript('rdbg-env', ['#!/usr/bin/env ruby']))).toBe(ruby)
  })

  test('is not guessed for a shim, for one that is gone, and for none at all', async () => {
    expect(findRubyOf(await writeScript('rdbg-shim', ['#!/usr/bin/env bash', 'exec ruby']))).toBeUndefined()
    expect(findRubyOf(await writeScript('rdbg-gone', ['#!/no/such/ruby']))).toBeUndefined()
    expect(findRubyOf(await writeScript('rdbg-options', ['#!/usr/bin/env -S ruby -W0']))).toBeUndefined()
    expect(findRubyOf(folder.file('nowhere'))).toBeUndefined()
  })
})

describe.skipIf(isWindows || rdbg === undefined)('a Ruby that does not find the gem (needs rdbg)', () => {
  test('leaves the start to rdbg', async () => {
    const real = findOnPath('ruby')
    // Fails as Ruby does without the gem; as the interpreter of rdbg it is the real one.
    const ruby = await writeScript('ruby9.9', [
      '#!/bin/sh',
      'if [ "$1" = "-r" ]; then',
      '  echo "cannot load such file -- debug/open (LoadError)" >&2',
      '  exit 1',
      'fi',
      `exec "${real}" "$@"`,
    ])
    await writeScript('rdbg9.9', [`#!${ruby}`, `load ${JSON.stringify(rdbg)}`])
    process.env.PATH = `${folder.path}${delimiter}${path}`
    const program = await writeScript('app.rb', ['value = 6 * 7', 'puts value'])
    const engine = createDapEngines({ guard }).find(({ name }) => name === 'rdbg')
    if (engine === undefined) throw new Error('there is no engine for Ruby')
    const launch: Launch = {
      kind: 'launch',
      program,
      args: [],
      cwd: folder.path,
      env: {},
      stopOnEntry: false,
      options: {},
    }
    const context = { workspace: folder.path, signal: new AbortController().signal, log: () => {} }
    const recorder = new Recorder(await engine.start(launch, context))
    await recorder.session.setBreakpoints(program, [breakpoint(2)])
    await recorder.session.run()
    const stop = await recorder.nextStop()
    expect((await recorder.top(stop.threadId)).place?.line).toBe(2)
    await recorder.session.stop()
  })
})
