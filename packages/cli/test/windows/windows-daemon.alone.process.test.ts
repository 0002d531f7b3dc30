/**
 * Front and daemon on Windows, over their named pipe. Alone, because there is one Windows, and with the end of a suite everything
 * in it ends.
 */
import { readFileSync } from 'node:fs'
import { textOfAnswer, waitFor } from '@switchboard/testkit'
import { connectSdkAgent } from '@switchboard/testkit/sdk'
import { describe, expect, test } from 'vitest'
import { PATIENCE, useWindows } from './support/windows-bench.ts'
import { whyNoWindows } from './support/wine.ts'

const reason = whyNoWindows()
const MANY = 20

describe.skipIf(reason !== undefined)(`Switchboard on Windows (${reason ?? 'in Wine'})`, { timeout: 300_000 }, () => {
  const bench = useWindows()
  const daemons = () => bench.programs(/switchboard\.mjs"? daemon/)
  const servers = () => bench.programs(/fixture\\main\.ts/)

  test('twenty windows at once start one daemon, which is reached by a named pipe and shares its server', async () => {
    bench.configure({ mcpServers: { fx: bench.fixture() } })
    const agents = await Promise.all(Array.from({ length: MANY }, () => bench.front()))
    await Promise.all(agents.map((agent) => agent.initialize()))
    const pidOf = (agent: (typeof agents)[number]): Promise<string | false> =>
      waitFor(async () => {
        const text = textOfAnswer(await agent.call('fx_pid'))
        return /^\d+$/.test(text) && text
      }, PATIENCE)
    const pids = await Promise.all(agents.map(pidOf))
    expect(new Set(pids).size).toBe(1)
    expect(await bench.machine.isAlive(Number(pids[0]))).toBe(true)
    expect(daemons()).toHaveLength(1)
    expect(servers()).toHaveLength(1)
    const info = JSON.parse(readFileSync(bench.homeFile('run', 'daemon.json'), 'utf8'))
    expect(info.endpoint).toMatch(/^\\\\\.\\pipe\\switchboard-/)
    // A window that is closed ends its front at once, and nobody else.
    const [first, ...others] = agents
    expect(await first?.end()).toBe(0)
    for (const agent of others) expect(textOfAnswer(await agent.call('fx_echo', { text: 'on' }))).toBe('on')
  })

  test('a daemon, a server and a front that are killed are replaced, or gone with all that was theirs', async () => {
    bench.configure({ mcpServers: { fx: bench.fixture(), own: { ...bench.fixture(), shared: false } } })
    const [kept, killed] = [await bench.front(), await bench.front()]
    await Promise.all([kept.initialize(), killed.initialize()])
    // Until the server is there, a call may be told to come again.
    const pidOf = (tool: string, agent = kept): Promise<number> =>
      waitFor(async () => Number(textOfAnswer(await agent.call(tool))) || undefined, PATIENCE)
    const [first, own] = [await pidOf('fx_pid'), await pidOf('own_pid')]
    const theirs = await pidOf('own_pid', killed)
    expect(theirs).not.toBe(own)

    // The front: its private server goes, the other window's stays.
    await bench.kill(killed.program.pid)
    await waitFor(async () => !(await bench.machine.isAlive(theirs)), PATIENCE)
    expect(await pidOf('own_pid')).toBe(own)

    // The server: the next call finds another one.
    await bench.kill(first)
    const second = await pidOf('fx_pid')
    expect(second).not.toBe(first)

    // The daemon: its servers go with it, and the window goes on with the next.
    const daemon = bench.daemonPid()
    await bench.kill(daemon)
    await waitFor(async () => !(await bench.machine.isAlive(second)) && !(await bench.machine.isAlive(own)), PATIENCE)
    const third = await pidOf('fx_pid')
    expect([first, second]).not.toContain(third)
    expect(bench.daemonPid()).not.toBe(daemon)
    expect(daemons()).toHaveLength(1)
  })

  test('an SDK client outside of Windows is served over HTTP with the token that is printed, and not without', async () => {
    bench.configure({ mcpServers: { fx: bench.fixture() } })
    const { out } = await bench.run(['up'])
    const url = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(out)?.[0] ?? ''
    const [, header = ''] = /with the header Authorization: (Bearer \S+)/.exec(out) ?? []
    expect(header, out).toMatch(/^Bearer sbt_/)
    await expect(connectSdkAgent('v1', { transport: 'http', url })).rejects.toThrow(/401|Unauthorized|token/i)
    const agent = await connectSdkAgent('v1', { transport: 'http', url, headers: { Authorization: header } })
    try {
      await waitFor(async () => {
        const { content } = await agent.call('fx_echo', { text: 'über' })
        expect(content).toEqual([{ type: 'text', text: 'über' }])
        return true
      }, PATIENCE)
    } finally {
      await agent.close()
    }
    expect((await bench.run(['down'])).out).toMatch(/stopped the daemon/)
    await bench.expectNothingLeft()
  })

  test('a Node program is debugged: a stop at a line, with what its variables hold', async () => {
    const lines = ['function price(quantity) {', '  const each = 3', '  return quantity * each', '}', 'price(7)', '']
    const program = bench.write(bench.file('my shop', 'shop.mjs'), lines.join('\r\n'))
    const agent = await bench.front(bench.file('my shop'))
    await agent.initialize()
    const stop = textOfAnswer(await agent.call('debug_start', { program, breakpoints: [{ path: program, line: 3 }] }))
    expect(stop).toContain('shop.mjs:3')
    expect(stop).toMatch(/quantity\W+7/)
    expect(stop).toMatch(/each\W+3/)
    const end = textOfAnswer(await agent.call('debug_continue'))
    expect(end).toMatch(/exit code 0|ended|exited/)
  })
})
