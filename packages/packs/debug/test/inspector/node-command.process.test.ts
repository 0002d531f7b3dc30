import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Launch } from '../../src/engine/debug-session.ts'
import { chooseNodeCommand } from '../../src/inspector/node-command.ts'

describe('the command that runs a program', () => {
  let folder: TemporaryDirectory
  beforeAll(async () => {
    folder = await createTemporaryDirectory('switchboard-command-')
  })
  afterAll(() => folder.remove())

  function write(name: string, text: string): string {
    const path = join(folder.path, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }

  function fakeNode(version: string): string {
    const path = write(`${version}/node`, `#!/bin/sh\necho v${version}\n`)
    chmodSync(path, 0o755)
    return path
  }

  const choose = (program: string, options: Launch['options']) =>
    chooseNodeCommand({
      kind: 'launch',
      program,
      args: ['x'],
      cwd: dirname(program),
      env: {},
      stopOnEntry: false,
      options,
    })

  test('is Node with its arguments before the program and the program’s behind it', async () => {
    const program = write('plain/app.js', '')
    const runtimeExecutable = fakeNode('20.1.0')
    const chosen = await choose(program, { runtimeExecutable, runtimeArgs: ['--flag'] })
    expect(chosen).toEqual({ command: runtimeExecutable, args: ['--flag', program, 'x'], entry: program })
  })

  test.skipIf(process.platform === 'win32')('is found where tsconfig.json is a link to a device', async () => {
    const program = write('device/app.ts', '')
    symlinkSync('/dev/zero', join(dirname(program), 'tsconfig.json'))
    await expect(choose(program, { runtimeExecutable: fakeNode('24.0.0') })).resolves.toMatchObject({ entry: program })
  })

  test.each([
    ['22.18.0', true],
    ['23.5.0', false],
    ['23.6.0', true],
    ['24.0.0', true],
    ['20.19.0', false],
  ])('runs TypeScript with Node %s as it is: %s', async (version, runs) => {
    const program = write('alone/app.ts', '')
    const choosing = choose(program, { runtimeExecutable: fakeNode(version) })
    if (runs) expect((await choosing).args).toEqual([program, 'x'])
    else
      await expect(choosing).rejects.toMatchObject({ code: 'E_LAUNCH_FAILED', message: expect.stringMatching(/tsx/) })
  })

  test('is what tsconfig.json says was compiled, for a Node that knows no types', async () => {
    const program = write('project/src/deep/app.ts', '')
    write('project/tsconfig.json', '{ /* where */ "compilerOptions": { "outDir": "out", "rootDir": "src", }, }')
    const compiled = write('project/out/deep/app.js', '')
    const chosen = await choose(program, { runtimeExecutable: fakeNode('20.1.0') })
    expect(chosen).toMatchObject({ args: [compiled, 'x'], entry: compiled })
  })

  test('takes tsx where the project has it, unless a loader is given', async () => {
    write('with/node_modules/tsx/package.json', '{}')
    const program = write('with/src/app.ts', '')
    const runtimeExecutable = fakeNode('24.0.0')
    expect((await choose(program, { runtimeExecutable })).args).toEqual(['--import', 'tsx', program, 'x'])
    const own = { runtimeExecutable, runtimeArgs: ['--import', 'other'] }
    expect((await choose(program, own)).args).toEqual(['--import', 'other', program, 'x'])
  })

  test('says which option is wrong', async () => {
    const program = write('plain/app.js', '')
    await expect(choose(program, { runtimeArgs: 'no list' })).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: expect.stringContaining('runtimeArgs'),
    })
  })
})
