/** `up`, `down` and `restart` as people run them: real processes, a home of their own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { fixtureCommand, isAlive, waitFor, waitForJournal } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { DaemonHome } from '../daemon-home.ts'

const isWindows = process.platform === 'win32'
let daemon: DaemonHome
let journal: string

/** Of two programs and a daemon each; the same is done a hundred times in one process by the daemon's own tests. */
const CYCLES = 25

beforeEach(async () => {
  daemon = await DaemonHome.create()
  journal = daemon.home.file('journal.jsonl')
  await daemon.home.configure({ mcpServers: { a: fixtureCommand({ journal }) } })
})
afterEach(() => daemon.dispose())

const callArrived = () => waitForJournal(journal, ({ message }) => message?.method === 'tools/call')

test('up starts the daemon once, down stops it, and both are content when there is nothing to do', async () => {
  const first = await daemon.run(['up'])
  expect(first.code).toBe(0)
  const pid = await daemon.daemonPid()
  expect(first.out).toMatch(
    new RegExp(
      `^started the daemon \\(pid ${pid}\\)\\n  agents connect to http://127\\.0\\.0\\.1:\\d+/mcp\\n  dashboard, once: http://127\\.0\\.0\\.1:\\d+/dashboard#enter=[\\w-]{43}\\n  next: switchboard status\\n$`,
    ),
  )
  const second = await daemon.run(['up'])
  expect(second.code).toBe(0)
  expect(second.out).toContain(`The daemon is already running, pid ${pid}; nothing was started.`)
  expect(await daemon.run(['down'])).toEqual({
    code: 0,
    out: `stopped the daemon (pid ${pid}), and every server with it\n`,
    err: '',
  })
  await daemon.expectNothingLeft()
  expect(await daemon.run(['down'])).toEqual({
    code: 0,
    out: 'No daemon is running; there is nothing to stop.\n',
    err: '',
  })
})

test('with --json each is one object', async () => {
  const up = await daemon.json(['up'])
  expect(up).toMatchObject({
    ok: true,
    alreadyRunning: false,
    pid: await daemon.daemonPid(),
    home: daemon.path,
    configFile: daemon.home.configFile,
    http: { url: expect.stringMatching(/^http:/), auth: 'user' },
    dashboard: expect.stringContaining('/dashboard#enter='),
  })
  const again = await daemon.json(['up'])
  expect(again).toEqual({ ...up, alreadyRunning: true, dashboard: expect.stringContaining('/dashboard#enter=') })
  // Each is good once, so each is another one.
  expect(again.dashboard).not.toBe(up.dashboard)
  const restarted = await daemon.json(['restart'])
  expect(restarted).toMatchObject({ ok: true, alreadyRunning: false, previousPid: up.pid })
  expect(restarted.pid).not.toBe(up.pid)
  expect(Number(restarted.epoch)).toBeGreaterThan(Number(up.epoch))
  expect(await daemon.json(['down'])).toEqual({ ok: true, stopped: true, pid: restarted.pid, forced: false })
  expect(await daemon.json(['down'])).toEqual({ ok: true, stopped: false })
})

test('two at once get one daemon, and one of them says that it started it', async () => {
  const outcomes = await Promise.all([daemon.json(['up']), daemon.json(['up']), daemon.json(['up'])])
  expect(new Set(outcomes.map(({ pid }) => pid)).size).toBe(1)
  expect(outcomes.filter(({ alreadyRunning }) => alreadyRunning === false)).toHaveLength(1)
  const stopped = await Promise.all([daemon.run(['down']), daemon.run(['down'])])
  expect(stopped.map(({ code, err }) => ({ code, err }))).toEqual([
    { code: 0, err: '' },
    { code: 0, err: '' },
  ])
  await daemon.expectNothingLeft()
})

test('restart starts a daemon where none runs', async () => {
  const { code, out } = await daemon.run(['restart'])
  expect(code).toBe(0)
  expect(out).toContain(`started the daemon (pid ${await daemon.daemonPid()})`)
})

test('a configuration that is wrong is told by up, with its place, and nothing is left', async () => {
  await daemon.home.configure('{"mcpServrs": {}}')
  const { code, err } = await daemon.run(['up'])
  expect(code).toBe(69)
  expect(err).toContain('Did you mean "mcpServers"?')
  expect(err).toContain('code:  daemon_unavailable')
  await daemon.expectNothingLeft()
})

test('a port that is taken leaves a daemon that runs, and says so', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? String(address.port) : ''
  try {
    const { code, out, err } = await daemon.run(['up'], { SWITCHBOARD_HTTP_PORT: port })
    expect(code).toBe(0)
    expect(out).toContain('started the daemon')
    expect(err).toContain(`warning: no HTTP: The port ${port} on 127.0.0.1 is in use`)
    expect((await daemon.run(['status'])).out).toContain('no HTTP:')
  } finally {
    server.close()
  }
})

describe('down during a call', () => {
  test('lets it finish, and says that it waits for it', async () => {
    await daemon.up()
    const call = daemon.start(['call', 'a_slow', '-a', 'ms=1500'])
    await callArrived()
    const { code, err } = await daemon.run(['down', '--drain', '30s'])
    expect(code).toBe(0)
    expect(err).toMatch(/^stopping the daemon \(pid \d+\); 1 call under way may finish first, at most 30s …\n$/)
    expect(await call.ended).toBe(0)
    expect(call.out()).toBe('slept 1500 ms\n')
    await daemon.expectNothingLeft()
  })

  test('with --drain 0 cancels it: the caller gets shutting_down', async () => {
    await daemon.up()
    const call = daemon.start(['call', 'a_slow', '-a', 'ms=60000', '--json'])
    await callArrived()
    expect((await daemon.run(['down', '--drain', '0'])).code).toBe(0)
    expect(await call.ended).toBe(69)
    expect(JSON.parse(call.out())).toMatchObject({ ok: false, error: { code: 'shutting_down' } })
    await daemon.expectNothingLeft()
  })

  test.skipIf(isWindows)('Ctrl-C ends the waiting, not the stopping', async () => {
    const pid = await daemon.up()
    const call = daemon.start(['call', 'a_slow', '-a', 'ms=60000'])
    await callArrived()
    const down = daemon.start(['down', '--drain', '60s'])
    await waitFor(() => down.err().includes('1 call under way'))
    down.child.kill('SIGINT')
    expect(await down.ended).toBe(130)
    expect(await isAlive(pid)).toBe(true)
    call.child.kill('SIGINT')
    expect(await call.ended).toBe(130)
    await waitFor(async () => !(await isAlive(pid)), { timeout: 30_000 })
    await daemon.expectNothingLeft()
  })
})

describe.skipIf(isWindows)('a daemon that does not answer', () => {
  test('is named by down, and ended by down --force only', { timeout: 120_000 }, async () => {
    const pid = await daemon.up()
    process.kill(pid, 'SIGSTOP')
    const refused = await daemon.run(['down'])
    expect(refused.code).toBe(69)
    expect(refused.err).toContain(`The daemon (pid ${pid}) is there but does not answer.`)
    expect(refused.err).toContain('switchboard down --force')
    expect(await isAlive(pid)).toBe(true)
    expect(await daemon.json(['down', '--force'])).toEqual({ ok: true, stopped: true, pid, forced: true })
    expect(await isAlive(pid)).toBe(false)
    expect(await daemon.json(['up'])).toMatchObject({ alreadyRunning: false })
  })

  test('is left alone when the process of that number is something else', { timeout: 120_000 }, async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' })
    await mkdir(daemon.home.file('run'), { mode: 0o700 })
    const endpoint = daemon.home.file('run', 'daemon.sock')
    const mute = createServer(() => undefined).listen(endpoint)
    await once(mute, 'listening')
    const info = { pid: other.pid, epoch: 1, version: '0.1.0', endpoint, started_at: new Date().toISOString() }
    await writeFile(daemon.home.file('run', 'daemon.json'), JSON.stringify(info))
    try {
      const { code, err } = await daemon.run(['down', '--force'])
      expect(code).toBe(69)
      expect(err).toContain(`The process ${other.pid} is no Switchboard daemon; it is left alone.`)
      expect(other.exitCode).toBe(null)
    } finally {
      mute.close()
      other.kill('SIGKILL')
      await once(other, 'close')
    }
  })

  test('that was killed with its socket left behind is none: down has nothing to do and up starts one', async () => {
    const pid = await daemon.up()
    process.kill(pid, 'SIGKILL')
    await waitFor(async () => !(await isAlive(pid)))
    expect(await daemon.json(['down'])).toEqual({ ok: true, stopped: false })
    expect(await daemon.json(['up'])).toMatchObject({ alreadyRunning: false })
  })
})

test('many cycles of up and down leave no process, socket or lock', { timeout: 300_000 }, async () => {
  await daemon.home.configure({ mcpServers: {} })
  for (let cycle = 0; cycle < CYCLES; cycle++) {
    const pid = await daemon.up()
    expect(await daemon.json(['down'])).toMatchObject({ stopped: true, pid })
    await daemon.expectNothingLeft()
  }
})
