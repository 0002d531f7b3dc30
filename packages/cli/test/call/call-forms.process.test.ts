/** How a call may be written, what completes it, and what is said while it waits; on real servers, in this process. */
import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { delimiter } from 'node:path'
import { createLeakCheck, fixtureCommand, PROGRAM, waitFor } from '@switchboard/testkit'
import { WITHOUT_PACKS } from '@switchboard/testkit/suite'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { main } from '../../src/main.ts'
import { TestHome } from '../run-main.ts'

const leaks = createLeakCheck()
beforeEach(() => leaks.begin())
afterEach(() => leaks.check())

const PATIENCE = { timeout: 60_000 }

async function createHome(...config: Parameters<typeof TestHome.create>): Promise<TestHome> {
  const home = await TestHome.create(...config)
  onTestFinished(() => home[Symbol.asyncDispose]())
  return home
}

describe('a call', () => {
  test.each([
    ['pairs', ['a-b_add', 'a=2', 'b=3']],
    ['JSON and a pair', ['a-b_add', '{"a":2}', 'b=3']],
    ['a pair and an option', ['a-b_add', 'a=2', '--arg', 'b=3']],
    ['the server and its own name', ['a-b', 'add', 'a=2', 'b=3']],
    ['the server and its own name, with JSON', ['a-b', 'add', '{"a":2,"b":3}']],
  ])('is understood with %s', async (_what, words) => {
    const home = await createHome({ mcpServers: { 'a-b': fixtureCommand({}), lazy: fixtureCommand({}) } })
    expect(await home.run(['call', ...words])).toEqual({ code: 0, out: '5\n', err: '' })
  })

  test.each([
    [['a', 'ecko', 'text=x'], 'No tool of a is named "ecko".', 'Did you mean "echo"?'],
    [['b', 'echo'], '"echo" is no tool of a server "b", and no argument either.', 'key=value'],
    [['a_echo', 'hello'], '"hello" is no tool of a server "a_echo", and no argument either.', 'key=value'],
    [['off', 'echo'], '"echo" would be a tool of off, which is disabled.', 'server enable off'],
  ])('%j is refused with what would be right', async (words, message, hint) => {
    const off = { ...fixtureCommand({}), enabled: false }
    const home = await createHome({ mcpServers: { a: fixtureCommand({}), off } })
    const { code, err } = await home.run(['call', ...words])
    expect(code).not.toBe(0)
    expect(err).toContain(message)
    expect(err).toContain(hint)
  })

  test('is explained by the server and its own name', async () => {
    const home = await createHome({ mcpServers: { a: fixtureCommand({}) } })
    expect((await home.run(['call', 'a', 'add', '--help'])).out).toContain('call a_add')
  })

  test('that waits for a server which is starting says so, on a terminal and elsewhere', async () => {
    const home = await createHome()
    const ready = home.file('ready')
    const { command, args = [] } = fixtureCommand({})
    const late = `const { existsSync } = require('node:fs'), { spawn } = require('node:child_process')
      const timer = setInterval(() => {
        if (!existsSync(${JSON.stringify(ready)})) return
        clearInterval(timer)
        spawn(${JSON.stringify(command)}, ${JSON.stringify(args)}, { stdio: 'inherit' })
      }, 20)`
    const initTimeout = '5m'
    await home.configure({ mcpServers: { late: { command: process.execPath, args: ['-e', late], initTimeout } } })
    const terminal = home.io({ isTTY: true })
    const pipe = home.io()
    const ended = [terminal, pipe].map((io) => main(['call', 'late_echo', 'text=there'], io))
    await waitFor(() => terminal.stderr.plain.includes('late_echo waits for late, which is starting'), PATIENCE)
    await waitFor(() => pipe.stderr.plain.includes('waiting for late, which is starting\n'), PATIENCE)
    writeFileSync(ready, '')
    expect(await Promise.all(ended)).toEqual([0, 0])
    expect([terminal.stdout.plain, pipe.stdout.plain]).toEqual(['there\n', 'there\n'])
  })
})

describe('completion', () => {
  test('lists the servers that are configured, and the tools that were last seen; nothing is started', async () => {
    const evil = { name: '$(touch evil)', description: 'A name that a shell would run.' }
    const known = fixtureCommand({ builtInTools: false, tools: [{ name: 'one' }, evil] })
    const home = await createHome({
      mcpServers: { known: { ...known, tools: { prefix: false } }, other: fixtureCommand({}) },
      packs: WITHOUT_PACKS,
    })
    expect((await home.run(['completion', 'servers'])).out).toBe('known\nother\n')
    const before = (await home.run(['completion', 'tools'])).out.split('\n')
    expect(before).not.toContain('one')
    await home.run(['tools', 'known'])
    const after = (await home.run(['completion', 'tools'])).out.split('\n')
    expect(after).toContain('one')
    expect(after.filter((name) => name.includes('evil'))).toEqual([])
  })

  test('says nothing of a configuration that is wrong', async () => {
    const home = await createHome('{ broken')
    expect(await home.run(['completion', 'servers'])).toEqual({ code: 0, out: '', err: '' })
    expect(await home.run(['completion', 'tools'])).toEqual({ code: 0, out: '', err: '' })
  })

  test.skipIf(process.platform === 'win32')('in bash completes names where one is expected', async () => {
    const home = await createHome({ mcpServers: { web: fixtureCommand({}), wide: fixtureCommand({}) } })
    await home.run(['tools', 'web'])
    const program = home.file('switchboard')
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`)
    chmodSync(program, 0o755)
    const script = `source <(switchboard completion bash)
      try() { COMP_WORDS=(switchboard "$@"); COMP_CWORD=$#; _switchboard; echo "\${COMPREPLY[*]}"; }
      try server remove w; try rm we; try call web_ech; try call web_echo web_e; try tools --schema web_ad; try p; try server r`
    const env = { PATH: `${home.path}${delimiter}${process.env.PATH}`, SWITCHBOARD_HOME: home.path }
    const lines = execFileSync('bash', ['-c', script], { env, encoding: 'utf8' }).split('\n')
    expect(lines).toEqual(['web wide', 'web', 'web_echo', '', 'web_add', 'ps playset', 'remove rm restart', ''])
  })
})
