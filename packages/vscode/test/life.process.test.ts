/** The life of a window's server, in a real VS Code: the seed's validation, and what else must end when a window ends. */
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { isAlive, waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import { frontOf, instanceOf, invoke, type LogEntry, missing, startServer, useEditor } from './support/use-editor.ts'

const ID = /^[0-9a-z]{4}-[0-9a-f]{6}$/
const STEPS = [
  ['ext.deactivate', 'step 1 of 4: registration disposed'],
  ['ext.mcp', 'step 2 of 4: provider shut down, no server is offered any more'],
  ['ext.deactivate', 'step 3 of 4: yielded one tick'],
  ['ext.mcp', 'step 4 of 4: provider disposed'],
]

describe.skipIf(missing !== '')(`the server of a window${missing}`, () => {
  const bench = useEditor()

  test('is registered under a fresh id, with a blank mode file, after old ones were swept', async () => {
    const old = `${bench.home}/modes/agent_mode_aaaa-000000.json`
    const young = `${bench.home}/modes/agent_mode_bbbb-111111.json`
    mkdirSync(`${bench.home}/modes`, { recursive: true })
    for (const file of [old, young]) writeFileSync(file, '{}')
    const yesterday = Date.now() / 1000 - 25 * 3600
    utimesSync(old, yesterday, yesterday)

    const window = await bench.open({ folder: await bench.makeFolder('project') })
    const instance = await instanceOf(bench, window)
    expect(instance).toMatch(ID)
    expect([existsSync(old), existsSync(young)]).toEqual([false, true])
    const blank = JSON.parse(readFileSync(`${bench.home}/modes/agent_mode_${instance}.json`, 'utf8'))
    expect(blank).toMatchObject({ mode: null, instance_id: instance, set_by: 'activation' })
    const told = bench.readLog('ext', instance).map(({ cat, msg }) => `${cat}: ${msg}`)
    expect(told.slice(0, 4)).toEqual([
      'ext.activate: mode file blanked',
      'ext.mcp: provider registered',
      'bridge.host: the bridge is owner',
      'ext.activate: activated',
    ])
    // The window is a remote one: its workbench is in the browser, and we run where the files are.
    const activated = bench.readLog('ext', instance).find(({ msg }) => msg === 'activated')
    expect(activated?.data).toMatchObject({ remote: expect.stringContaining('127.0.0.1') })
    // Every command that the manifest names is there.
    const named = await window.host.run<string[]>(`
      const known = new Set(await vscode.commands.getCommands())
      const { contributes } = vscode.extensions.getExtension('switchboard.switchboard').packageJSON
      return contributes.commands.map(({ command }) => command).filter((command) => !known.has(command))`)
    expect(named).toEqual([])
    // No daemon was there, and no Node on the PATH: the one of VS Code runs what the extension brings along.
    await waitFor(() =>
      bench.readLog('ext', instance).some(({ msg }) => msg === 'no daemon was running: one was started'),
    )
    expect(await isAlive(bench.daemonPid())).toBe(true)
  })

  test('is listed and started by VS Code itself, and a tool is called through it', async () => {
    const folder = await bench.makeFolder('project')
    const window = await bench.open({ folder })
    const instance = await instanceOf(bench, window)
    const tools = await startServer(window)
    expect(tools).toContain('mcp_switchboard_fx_add')
    expect(new Set(tools).size).toBe(tools.length)
    expect(await invoke(window, 'mcp_switchboard_fx_add', { a: 2, b: 40 })).toContain('42')
    const front = await frontOf(bench, instance)
    expect(front).toMatchObject({ workspace: folder, ppid: window.host.pid })
    expect(await bench.fronts()).toEqual([front.pid])
  })

  test('leaves nothing behind after three reloads, and the logs tell the whole story', async () => {
    const window = await bench.open({ folder: await bench.makeFolder('project') })
    const instances = [await instanceOf(bench, window)]
    await startServer(window)
    for (let reloads = 0; reloads < 3; reloads++) {
      await window.reload()
      instances.push(await instanceOf(bench, window))
      await startServer(window)
    }
    expect(new Set(instances).size).toBe(4)
    for (const instance of instances.slice(0, 3)) {
      await waitFor(() => bench.readLog('mcp', instance).some(({ msg }) => msg === 'stdin EOF detected, shutting down'))
      const steps = bench.readLog('ext', instance).filter(({ msg }) => msg.startsWith('step'))
      expect(steps.map(({ cat, msg }) => [cat, msg])).toEqual(STEPS)
    }
    await waitFor(async () => (await bench.fronts()).length === 1, { what: 'one front' })
    const tools = await startServer(window)
    expect(new Set(tools).size).toBe(tools.length)

    const story = await invoke(window, 'mcp_switchboard_debug_get_logs', { since: '30m', limit: 1000, level: 'info' })
    const { lines }: { lines: LogEntry[] } = JSON.parse(story).data
    const times = lines.map(({ ts }) => ts)
    expect(times).toEqual(times.toSorted())
    const tells = (instance: string, text: string) =>
      lines.findIndex(({ inst, msg }) => inst === instance && msg.includes(text))
    for (const [index, after] of instances.slice(1).entries()) {
      const before = instances[index] ?? ''
      const ends = STEPS.map(([, step = '']) => tells(before, step))
      const order = [...ends, tells(after, 'activated'), tells(after, 'front started')]
      // The front of before notices by itself, beside all that.
      expect([...order, tells(before, 'stdin EOF detected, shutting down')], story).not.toContain(-1)
      expect(order, story).toEqual(order.toSorted((a, b) => a - b))
    }
  })

  test('goes on with another id when the extension host was killed, and the old front is gone', async () => {
    const window = await bench.open({ folder: await bench.makeFolder('project') })
    const before = await instanceOf(bench, window)
    await startServer(window)
    const [front = 0] = await bench.fronts()
    await window.killHost()
    const after = await instanceOf(bench, window)
    expect(after).toMatch(ID)
    expect(after).not.toBe(before)
    await waitFor(async () => !(await isAlive(front)), { what: 'the end of the old front' })
    await startServer(window)
    expect((await bench.fronts()).length).toBe(1)
    expect(await invoke(window, 'mcp_switchboard_fx_add', { a: 1, b: 1 })).toContain('2')
  })

  test('survives the death of the daemon, and so does the view of it', async () => {
    const window = await bench.open({ folder: await bench.makeFolder('project') })
    const instance = await instanceOf(bench, window)
    await startServer(window)
    const first = bench.daemonPid()
    process.kill(first, 'SIGKILL')
    await waitFor(async () => bench.daemonPid() !== first && (await isAlive(bench.daemonPid())), {
      what: 'a new daemon',
    })
    expect(await invoke(window, 'mcp_switchboard_fx_add', { a: 3, b: 4 })).toContain('7')
    expect(bench.readLog('ext', instance)).toContainEqual(
      expect.objectContaining({ cat: 'ext.daemon', msg: expect.stringContaining('the daemon is gone') }),
    )
  })

  test('ends in its four steps also when the daemon is stopped in the middle', async () => {
    const window = await bench.open({ folder: await bench.makeFolder('project') })
    const instance = await instanceOf(bench, window)
    await startServer(window)
    const daemon = bench.daemonPid()
    process.kill(daemon, 'SIGSTOP')
    try {
      await window.close()
      await waitFor(() => bench.readLog('ext', instance).at(-1)?.msg === 'deactivated', {
        what: 'the end of the window',
      })
      await waitFor(async () => (await bench.fronts()).length === 0, { what: 'the end of the front' })
    } finally {
      process.kill(daemon, 'SIGCONT')
    }
    const steps = bench.readLog('ext', instance).filter(({ msg }) => msg.startsWith('step'))
    expect(steps.map(({ cat, msg }) => [cat, msg])).toEqual(STEPS)
  })

  test('has no workspace in a window without a folder, and the first of several roots', async () => {
    const empty = await bench.open()
    const alone = await instanceOf(bench, empty)
    await startServer(empty)
    expect(await frontOf(bench, alone)).not.toHaveProperty('workspace')
    await empty.close()

    const folders = [{ path: await bench.makeFolder('one') }, { path: await bench.makeFolder('two') }]
    const file = bench.file('several.code-workspace')
    writeFileSync(file, JSON.stringify({ folders }))
    const several = await bench.open({ workspace: file })
    const instance = await instanceOf(bench, several)
    await startServer(several)
    expect((await frontOf(bench, instance)).workspace).toBe(bench.file('one'))
  })
})
