import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { isAlive, PROGRAM, textOfAnswer, waitFor, waitForJournal, watchProgram } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { PATIENCE, useFrontBench } from './support/front-bench.ts'

const bench = useFrontBench()
const isWindows = process.platform === 'win32'

test('the front is one small file that needs nothing but parts of Node, and none of the large ones', async () => {
  const text = await readFile(new URL('../../dist/front.mjs', import.meta.url), 'utf8')
  const imported = [...text.matchAll(/(?:^import|\bfrom)\s*"([^"]+)"/gm)].map(([, name]) => name)
  const small = ['fs', 'fs/promises', 'net', 'os', 'path', 'timers/promises', 'url', 'util'].map(
    (name) => `node:${name}`,
  )
  expect(imported.filter((name) => name === undefined || !small.includes(name))).toEqual([])
  expect(text.length).toBeLessThan(200_000)
})

describe('an agent', () => {
  test('starts a daemon by starting a front, calls a tool, and leaves; the daemon stays', async () => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    const agent = bench.start()
    expect(await agent.initialize()).toMatchObject({ result: { serverInfo: { name: 'switchboard' } } })
    expect(textOfAnswer(await agent.call('fx_echo', { text: 'hello' }))).toBe('hello')
    const [daemon, ...more] = await bench.daemons()
    expect(more).toEqual([])
    expect(await agent.end()).toBe(0)
    expect(agent.err).toBe('')
    const [log = ''] = await bench.frontLogs()
    expect(log).toContain('"cat":"mcp.init"')
    expect(log).toContain('this id is a fresh one')
    expect(log).toContain('stdin EOF detected, shutting down')
    expect(daemon !== undefined && (await isAlive(daemon.pid))).toBe(true)
    // Nobody's folder, and not the window's id, are kept by what outlives the window.
    const second = bench.start([], { SWITCHBOARD_INSTANCE_ID: 'tt79-6f854d' })
    await second.initialize()
    const { names, cwd } = JSON.parse(textOfAnswer(await second.call('fx_env')))
    expect(names).not.toContain('SWITCHBOARD_INSTANCE_ID')
    expect(cwd).toBe(bench.home.file('servers', 'fx'))
    await second.end()
    expect((await bench.frontLogs()).join()).not.toContain('"inst":"tt79-6f854d","msg":"front started; no')
    expect(await bench.daemons()).toHaveLength(1)
  })

  test('sends and gets messages of 20 MB', async () => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    const agent = bench.start()
    await agent.initialize()
    const text = 'ä"\\n'.repeat(4_000_000)
    const answer = await agent.call('fx_echo', { text })
    expect(textOfAnswer(answer) === text).toBe(true)
  })

  test('that reads late gets everything', async () => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    const agent = bench.start()
    await agent.initialize()
    agent.child.stdout.pause()
    const text = 'x'.repeat(1_000_000)
    const calls = Array.from({ length: 40 }, () => agent.call('fx_echo', { text }))
    await waitForJournal(bench.journal('fx'), ({ message }) => message?.method === 'tools/call')
    agent.child.stdout.resume()
    const answers = await Promise.all(calls)
    expect(answers.filter((answer) => textOfAnswer(answer) === text)).toHaveLength(40)
  })

  test('with a profile that is not there hears which there are', async () => {
    await bench.configure({ mcpServers: {}, profiles: { small: { search: true } } })
    const agent = bench.start(['--profile', 'smal'])
    const answer = await agent.request('initialize', {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: {},
    })
    expect(answer).toMatchObject({ result: { instructions: expect.stringContaining('No profile is named') } })
    expect(JSON.stringify(answer)).toContain('small')
    expect(await agent.end()).toBe(0)
  })
})

describe('a front ends', () => {
  test.skipIf(isWindows)('when its parent is killed, although its input stays open', async () => {
    await bench.configure({ mcpServers: {} })
    // The parent hands us the other end of the pipe, so that it outlives it.
    const code = `
      const { spawn } = require('node:child_process')
      const child = spawn(process.execPath, [${JSON.stringify(PROGRAM)}, 'mcp'], { stdio: [3, 'pipe', 'inherit'] })
      child.stdout.once('data', () => console.log(child.pid))`
    const parent = spawn(process.execPath, ['-e', code], {
      env: bench.env(),
      stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    })
    const [, stdout, , pipe] = parent.stdio
    if (stdout === null || pipe === null || pipe === undefined || !('write' in pipe)) throw new Error('no pipes')
    bench.defer(() => pipe.destroy())
    pipe.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
    const pid = await watchProgram(parent).waitForLine((line) => Number(line) || undefined)
    expect(await isAlive(pid)).toBe(true)
    parent.kill('SIGKILL')
    await waitFor(async () => !(await isAlive(pid)), PATIENCE)
    expect((await bench.frontLogs()).join()).toContain('the parent process is gone, shutting down')
  })

  test.skipIf(isWindows).each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129],
  ] as const)('at %s with %i', async (signal, code) => {
    await bench.configure({ mcpServers: {} })
    const agent = bench.start()
    await agent.initialize()
    agent.child.kill(signal)
    expect(await agent.ended).toBe(code)
    expect((await bench.frontLogs()).join()).toContain(`${signal} received, shutting down`)
  })

  test('when nobody reads its output any more', async () => {
    await bench.configure({ mcpServers: {} })
    const agent = bench.start()
    await agent.initialize()
    agent.child.stdout.destroy()
    agent.send({ id: 'x', method: 'ping' })
    expect(await agent.ended).toBe(0)
  })

  test.skipIf(isWindows)('at a signal although the agent reads nothing', async () => {
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    const agent = bench.start()
    await agent.initialize()
    agent.child.stdout.pause()
    for (let count = 0; count < 20; count++) {
      agent.send({
        id: `big-${count}`,
        method: 'tools/call',
        params: { name: 'fx_echo', arguments: { text: 'x'.repeat(1e6) } },
      })
    }
    await waitForJournal(bench.journal('fx'), ({ message }) => message?.method === 'tools/call')
    agent.child.kill('SIGTERM')
    const [code] = await once(agent.child, 'exit')
    expect(code).toBe(143)
    agent.child.stdout.destroy()
  })
})

describe('a front that cannot be started right', () => {
  test.each(['', 'default', 'TT79-6F854D', 'tt79-6f854d\n'])(
    'the instance id %j ends with 64 and the reason',
    async (id) => {
      const agent = bench.start([], { SWITCHBOARD_INSTANCE_ID: id })
      expect(await agent.ended).toBe(64)
      expect(agent.err).toContain('which is no instance id')
      expect(agent.received).toEqual([])
      expect(await bench.daemons()).toEqual([])
    },
  )

  test('a wrong option ends with 2 and the right one', async () => {
    const agent = bench.start(['--profil', 'x'])
    expect(await agent.ended).toBe(2)
    expect(agent.err).toContain('Did you mean --profile?')
  })

  test('a log folder that is a file costs nothing but the log', async () => {
    await bench.configure({ mcpServers: {} })
    await writeFile(bench.home.file('logs'), 'in the way')
    const agent = bench.start()
    await agent.initialize()
    expect(await agent.request('ping')).toMatchObject({ result: {} })
    expect(await agent.end()).toBe(0)
  })
})

describe('a daemon that does not start', () => {
  test('is explained to the agent with the cure, and works for the same front once that is done', async () => {
    await bench.configure('{ "mcpServrs": {} }')
    const agent = bench.start()
    const first = await agent.initialize()
    expect(first).toMatchObject({
      result: { serverInfo: { name: 'switchboard' }, capabilities: { tools: { listChanged: true } } },
    })
    expect(JSON.stringify(first)).toContain('Did you mean \\"mcpServers\\"?')
    const call = await agent.call('fx_echo', { text: 'x' })
    expect(textOfAnswer(call)).toContain('[daemon_unavailable]')
    await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
    await agent.waitForMethod('notifications/tools/list_changed')
    expect(textOfAnswer(await agent.call('fx_echo', { text: 'mended' }))).toBe('mended')
    expect(await bench.daemons()).toHaveLength(1)
  })

  test('for a variable that is not set does: that one server is misconfigured, and the others are there', async () => {
    const unset = '$' + '{SWITCHBOARD_TEST_NOT_SET}'
    await bench.configure({
      mcpServers: { v: { ...bench.fixture('v'), env: { T: unset } }, fx: bench.fixture('fx') },
    })
    const agent = bench.start()
    expect(await agent.initialize()).toMatchObject({ result: { serverInfo: { name: 'switchboard' } } })
    expect(textOfAnswer(await agent.call('fx_echo', { text: 'here' }))).toBe('here')
    expect(textOfAnswer(await agent.call('switchboard_status'))).toContain('SWITCHBOARD_TEST_NOT_SET is not set')
  })

  test('is started by one of several, and all of them hear why it did not come up', async () => {
    await bench.configure('{ "mcpServers": 7 }')
    const agents = Array.from({ length: 5 }, () => bench.start())
    const answers = await Promise.all(agents.map((agent) => agent.initialize()))
    for (const answer of answers) {
      expect(answer).toMatchObject({ result: { instructions: expect.stringContaining('mcpServers') } })
    }
  })
})
