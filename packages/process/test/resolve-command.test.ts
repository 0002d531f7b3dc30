import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveCommand } from '../src/resolve-command.ts'

let folder: TemporaryDirectory
let first: string
let second: string

beforeAll(async () => {
  folder = await createTemporaryDirectory()
  first = folder.file('first')
  second = folder.file('second')
  await mkdir(join(first, 'tool'), { recursive: true })
  await mkdir(second)
  for (const name of ['tool', 'server', 'npx.cmd', 'app.exe', 'both.exe', 'both.cmd', 'script.ps1', 'page.js']) {
    await writeFile(join(second, name), '#!/bin/sh\n')
    await chmod(join(second, name), 0o755)
  }
  await writeFile(join(first, 'server'), 'not a program')
  await chmod(join(first, 'server'), 0o644)
  await writeFile(join(first, 'plain'), 'not a program')
  await chmod(join(first, 'plain'), 0o644)
})
afterAll(() => folder.remove())

const onPath = (...folders: string[]) => ({ PATH: folders.join(delimiter) })

describe.skipIf(process.platform === 'win32')('resolveCommand', () => {
  it('takes the first file on the PATH that can be run, past folders and data of the same name', () => {
    const environment = onPath(first, second)
    expect(resolveCommand('tool', { cwd: undefined, environment })).toEqual({
      found: true,
      path: join(second, 'tool'),
      isBatch: false,
    })
    expect(resolveCommand('server', { cwd: undefined, environment })).toMatchObject({ path: join(second, 'server') })
  })

  it('says that a program is missing, and where it was looked for', () => {
    expect(resolveCommand('nowhere', { cwd: undefined, environment: onPath(first) })).toEqual({
      found: false,
      reason: 'no_command',
      message: 'the command "nowhere" was not found on the PATH',
    })
    expect(resolveCommand('./nowhere', { cwd: second, environment: {} })).toMatchObject({
      message: `the command "./nowhere" was not found (looked from ${second})`,
    })
    expect(resolveCommand(join(first, 'nowhere'), { cwd: second, environment: {} })).toMatchObject({
      message: `the command "${join(first, 'nowhere')}" was not found`,
    })
  })

  it('tells a missing working directory from a missing program', () => {
    const cwd = folder.file('gone')
    expect(resolveCommand('tool', { cwd, environment: onPath(second) })).toEqual({
      found: false,
      reason: 'no_directory',
      message: `the working directory ${cwd} does not exist`,
    })
    expect(resolveCommand('tool', { cwd: join(second, 'tool'), environment: onPath(second) })).toMatchObject({
      reason: 'no_directory',
    })
  })

  it('tells a file that cannot be run from a missing one', () => {
    // Root may read and write everything, but run only what is executable for somebody.
    expect(resolveCommand('plain', { cwd: undefined, environment: onPath(first) })).toEqual({
      found: false,
      reason: 'not_executable',
      message: `${join(first, 'plain')} is not executable`,
    })
  })

  it('finds a relative program from the working directory, not on the PATH', () => {
    const found = resolveCommand('./tool', { cwd: second, environment: onPath(first) })
    expect(found).toMatchObject({ found: true, path: join(second, 'tool') })
  })

  it('finds nothing without a PATH', () => {
    expect(resolveCommand('tool', { cwd: undefined, environment: {} })).toMatchObject({ reason: 'no_command' })
  })

  it('tells a .cmd of Windows, which its shell has to run', () => {
    const environment = { Path: [first, second].join(delimiter) }
    expect(resolveCommand('npx', { cwd: undefined, environment, platform: 'win32' })).toEqual({
      found: true,
      path: join(second, 'npx.cmd'),
      isBatch: true,
    })
  })

  it('follows the order of PATHEXT on Windows, and an extension that was given', () => {
    const environment = onPath(second)
    const resolveOn = (command: string, more: Record<string, string> = {}) =>
      resolveCommand(command, { cwd: undefined, environment: { ...environment, ...more }, platform: 'win32' })
    expect(resolveOn('both')).toMatchObject({ path: join(second, 'both.exe'), isBatch: false })
    expect(resolveOn('both', { PATHEXT: '.CMD;.EXE' })).toMatchObject({ path: join(second, 'both.cmd') })
    expect(resolveOn('both.cmd')).toMatchObject({ path: join(second, 'both.cmd'), isBatch: true })
    expect(resolveOn('both', { PathExt: '.CMD;.EXE' })).toMatchObject({ path: join(second, 'both.cmd') })
    expect(resolveOn('script.ps1')).toMatchObject({ found: false })
    // Only another program could open it.
    const message = `${join(second, 'page.js')} is not executable`
    expect(resolveOn('page', { PATHEXT: '.EXE;.JS' })).toEqual({ found: false, reason: 'not_executable', message })
  })
})
