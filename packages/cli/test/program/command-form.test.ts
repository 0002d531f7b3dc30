import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { createTemporaryDirectory, type TemporaryDirectory } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/command-line/commands.ts'
import { findCommandForm, sayInForm } from '../../src/program/command-form.ts'
import { Terminal } from '../../src/terminal/terminal.ts'
import { CapturedStream } from '../run-main.ts'

let place: TemporaryDirectory
let program = ''
beforeEach(async () => {
  place = await createTemporaryDirectory('switchboard-form-')
  for (const folder of ['clone/packages/cli/bin', 'clone/node_modules/.bin', 'bin']) {
    mkdirSync(place.file(...folder.split('/')), { recursive: true })
  }
  program = place.file('clone', 'packages', 'cli', 'bin', 'switchboard.mjs')
  writeFileSync(program, '')
})
afterEach(() => place.remove())

function formIn(cwd: string, ...folders: string[]): string {
  return findCommandForm({ env: { PATH: folders.join(delimiter) }, cwd, program })
}

describe.skipIf(process.platform === 'win32')('the command is called', () => {
  test('by its name where that is on the PATH, also in a clone', () => {
    symlinkSync(program, place.file('bin', 'switchboard'))
    expect(formIn(place.path, '/usr/bin', place.file('bin'))).toBe('switchboard')
    expect(formIn(place.file('clone'), place.file('bin'))).toBe('switchboard')
  })

  test('by npx in a clone, whatever npx itself has put on the PATH', () => {
    symlinkSync(program, place.file('clone', 'node_modules', '.bin', 'switchboard'))
    expect(formIn(place.file('clone'), place.file('clone', 'node_modules', '.bin'))).toBe('npx switchboard')
    expect(formIn(place.file('clone', 'packages'))).toBe('npx switchboard')
  })

  test('by its whole path elsewhere, also where another program has its name', () => {
    writeFileSync(place.file('bin', 'switchboard'), '')
    expect(formIn(place.path, place.file('bin'))).toMatch(/node.* .*switchboard\.mjs$/)
    expect(formIn(`${place.file('clone')}-two`)).toMatch(/switchboard\.mjs$/)
  })
})

test('every command is named in that form, and nothing else of that name', () => {
  const say = (text: string) => sayInForm(text, () => 'npx switchboard')
  const first = new Set(
    COMMANDS.flatMap(({ name, aliases = [] }) => [name, ...aliases]).map((name) => name.split(' ')[0]),
  )
  for (const word of first) expect(say(`run \`switchboard ${word} x\``)).toBe(`run \`npx switchboard ${word} x\``)
  expect(say('\u001b[36mswitchboard up\u001b[39m')).toBe('\u001b[36mnpx switchboard up\u001b[39m')
  expect(say('switchboard --help, switchboard tools')).toBe('npx switchboard --help, npx switchboard tools')
  expect(say(say('switchboard up'))).toBe('npx switchboard up')
  for (const text of ['switchboard 0.1.0', '/bin/switchboard.mjs mcp', 'npx @x/switchboard mcp', 'a switchboard of'])
    expect(say(text)).toBe(text)
})

test('a person at a terminal is told in it, a pipe in the plain one', () => {
  const shown = [true, false].map((isTTY) => {
    const stream = new CapturedStream({ isTTY })
    const options = { env: {}, noColor: true, signal: new AbortController().signal, form: () => 'npx switchboard' }
    new Terminal(stream, options).line('next: switchboard status')
    return stream.text
  })
  expect(shown).toEqual(['next: npx switchboard status\n', 'next: switchboard status\n'])
})
