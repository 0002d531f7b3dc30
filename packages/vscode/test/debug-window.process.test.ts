/** What a person has of an agent's debugger in their window, and an agent of theirs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import type { JsonObject } from '@switchboard/protocol'
import { findByMarker, LineAgent, startProgram, textOfAnswer, waitFor } from '@switchboard/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { EditorWindow } from './support/editor.ts'
import { instanceOf, missing, useEditor } from './support/use-editor.ts'

const PROGRAM = `function price(count) {
  const total = count * 7
  return total
}

if (process.argv[2] === 'parent') require('node:child_process').spawn(process.execPath, [__filename, 'endless', process.argv[3]])
if (process.argv[2] === 'busy') for (;;) price(1)
if (process.argv[2] === 'endless') setInterval(() => price(1), 20)
else console.log('sum', price(6), process.env.FROM_LAUNCH ?? '')
`

const THREE = `function price(count) {
  const total = count * 7
  return total
}
for (let count = 0; count < 3; count++) price(count)
`

const PYTHON = `import subprocess, sys
total = 42
if "parent" in sys.argv:
    subprocess.Popen([sys.executable, __file__, "child", sys.argv[2]])
while True:
    total += 1
`

describe.skipIf(missing !== '')(`the debugger of a window${missing}`, () => {
  const bench = useEditor()
  let count = 0

  async function openShop() {
    const folder = await bench.makeFolder(`shop-${++count}`)
    writeFileSync(`${folder}/shop.cjs`, PROGRAM)
    writeFileSync(`${folder}/shop.py`, PYTHON)
    writeFileSync(`${folder}/three.cjs`, THREE)
    const window = await bench.open({ folder })
    const instance = await instanceOf(bench, window)
    await waitFor(() => bench.readLog('ext', instance).some(({ msg }) => msg === 'the bridge is owner'))
    const front = startProgram(['mcp', '--profile', 'debug-full', '--workspace', folder], {
      home: bench.home,
      env: { SWITCHBOARD_INSTANCE_ID: instance },
    })
    onTestFinished(async () => {
      front.child.stdin.end()
      await front.ended
    })
    const agent = new LineAgent(front.child.stdout, front.child.stdin, { describe: front.err })
    await agent.initialize()
    const call = async (tool: string, input: JsonObject = {}) => textOfAnswer(await agent.call(tool, input))
    const mark = `mark-${process.pid}-${count}`
    const programs = () => findByMarker(mark)
    return { folder, window, instance, call, programs, mark }
  }

  const start = { program: 'shop.cjs', runtime: process.execPath, backend: 'vscode' }
  const atTotal = { breakpoints: [{ path: 'shop.cjs', line: 3 }] }
  const run = ({ host }: EditorWindow, command: string) =>
    host.run('await vscode.commands.executeCommand(argument)', command)
  const linesOf = ({ host }: EditorWindow) =>
    host.run<number[]>('return vscode.debug.breakpoints.map((one) => one.location.range.start.line + 1)')

  test('shows a session of an agent, and a person can go on by hand', async () => {
    const { window, call, folder } = await openShop()
    mkdirSync(`${folder}/.vscode`)
    const configuration = { name: 'Shop', type: 'node', request: 'launch', program: `\${workspaceFolder}/shop.cjs` }
    const own = { runtimeExecutable: process.execPath, env: { FROM_LAUNCH: 'by launch.json' } }
    writeFileSync(`${folder}/.vscode/launch.json`, JSON.stringify({ configurations: [{ ...configuration, ...own }] }))
    expect(
      await call('debug_start', { launch: 'Shop', backend: 'vscode', breakpoints: [{ path: 'shop.cjs', line: 2 }] }),
    ).toContain('shop.cjs:2 in price')
    await window.page.locator('.debug-top-stack-frame-line').first().waitFor()
    expect(await linesOf(window)).toEqual([2])
    await run(window, 'workbench.action.debug.stepOver')
    expect(await call('debug_wait_for_hit', {})).toContain('shop.cjs:3 in price')
    expect(await call('debug_evaluate', { expression: 'total' })).toContain('42')
    await run(window, 'workbench.action.debug.continue')
    await waitFor(async () => (await call('debug_evaluate', { expression: '1' })).includes('E_NO_SESSION'), {
      what: 'the end of the program',
    })
    expect(await call('dap_logs', {})).toContain('sum 42 by launch.json')
  })

  test('takes breakpoints of agents away by one command, and those of the person never', async () => {
    const { window, call } = await openShop()
    await window.host.run(
      `
      const place = new vscode.Location(vscode.Uri.file(argument), new vscode.Position(0, 0))
      vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(place)])`,
      bench.file(`shop-${count}/shop.cjs`),
    )
    await call('breakpoint_add', { path: 'shop.cjs', line: 2, backend: 'vscode' })
    await call('breakpoint_add', { path: 'shop.cjs', line: 3, condition: 'total > 1', backend: 'vscode' })
    await waitFor(async () => (await linesOf(window)).length === 3, { what: 'all breakpoints' })
    await run(window, 'switchboard.clearAgentBreakpoints')
    await waitFor(async () => (await linesOf(window)).join() === '1', { what: 'those of the person alone' })
    // An agent that sets one has all of its own again; they are gone with the next activation, where nobody could say goodbye.
    await call('breakpoint_add', { path: 'shop.cjs', line: 2, backend: 'vscode' })
    await waitFor(async () => (await linesOf(window)).length === 3, { what: 'all breakpoints again' })
    await window.killHost()
    await instanceOf(bench, window)
    await waitFor(async () => (await linesOf(window)).join() === '1', { what: 'an editor without the agent’s' })
  })

  test('changes a breakpoint where it stands, logs in the agent’s own programs alone, and takes away what the agent does', async () => {
    const { window, call } = await openShop()
    const mine = { path: 'shop.cjs', line: 2, backend: 'vscode' }
    const prices = { ...start, args: ['endless'] }
    expect(await call('debug_start', { ...prices, breakpoints: [{ path: 'shop.cjs', line: 2 }] })).toContain(
      'shop.cjs:2',
    )
    expect(await call('breakpoint_add', { ...mine, logMessage: 'price of {count}' })).toContain('bound')
    await call('debug_continue', { timeoutMs: 100 })
    await waitFor(async () => (await call('dap_logs', {})).includes('price of 1'), { what: 'what the breakpoint logs' })
    expect(await call('breakpoint_add', { ...mine, condition: 'count === 1' })).toContain('bound')
    expect(await call('debug_wait_for_hit', {})).toContain('shop.cjs:2 in price')
    expect(await call('breakpoint_add', { ...mine, logMessage: 'price of {count}' })).toContain('bound')
    await call('debug_stop', {})
    expect(await linesOf(window)).toEqual([2])

    // Values of a whole run: what else the agent logs there is none of it.
    const points = [{ path: 'shop.cjs', line: 3, expressions: ['total'] }]
    const probed = await call('debug_probe', {
      program: 'three.cjs',
      backend: 'vscode',
      points: [{ ...points[0], path: 'three.cjs' }],
    })
    expect(probed.match(/total=\d+/g)).toEqual(['total=0', 'total=7', 'total=14'])
    const once = await call('debug_probe', { program: 'shop.cjs', backend: 'vscode', points })
    expect(once).toContain('total=42')
    expect(once).not.toContain('price of')

    await call('breakpoint_clear_project')
    await waitFor(async () => (await linesOf(window)).length === 0, { what: 'an editor without breakpoints' })
  })

  test('lets an agent look at what the person debugs once they have allowed it, and no more than look', async () => {
    const { window, call, programs, mark } = await openShop()
    const look = { attach: { editor: true }, language: 'node' }
    expect(await call('debug_start', look)).toContain('debugs nothing')
    await window.host.run(
      `
      const file = vscode.Uri.file(argument.folder + '/shop.cjs')
      vscode.debug.addBreakpoints([new vscode.SourceBreakpoint(new vscode.Location(file, new vscode.Position(2, 0)))])
      const { execPath: runtimeExecutable, mark } = argument
      await vscode.debug.startDebugging(undefined, { type: 'node', request: 'launch', name: 'mine', program: file.fsPath, args: ['once', mark], runtimeExecutable, console: 'internalConsole' })`,
      { folder: bench.file(`shop-${count}`), execPath: process.execPath, mark },
    )
    await window.page.locator('.debug-top-stack-frame-line').first().waitFor()
    const asked = call('debug_start', look)
    await window.page.getByRole('button', { name: 'Allow', exact: true }).click()
    expect(await asked).toContain('shop.cjs:3 in price')
    expect(await call('debug_evaluate', { expression: 'count + 1' })).toContain('7')
    expect(await call('variable_set', { name: 'total', value: '1' })).toContain('only they go on with it')
    expect(await call('debug_continue', {})).toContain('only they go on with it')
    await call('debug_stop', {})
    expect(await programs()).toHaveLength(1)
    // It was allowed for as long as the window lives.
    expect(await call('debug_start', look)).toContain('shop.cjs:3 in price')
    await run(window, 'workbench.action.debug.stop')
    await waitFor(async () => (await programs()).length === 0, { what: 'the end of the program' })
  })

  test('debugs the test of an extension at its line, and says at once where none offers any', async () => {
    const { window, call, folder } = await openShop()
    writeFileSync(`${folder}/prices.check`, 'price of six\\nprice of seven\\n')
    writeFileSync(`${folder}/other.check`, 'price of eight\\n')
    const absent = (path: string) =>
      // Less than a test may take to begin.
      call('test_debug_single', { path, line: 1, backend: 'vscode', timeoutMs: 10_000 })
    expect(await absent('prices.check')).toMatch(
      /^\[E_DISCOVERY_FAILED\] .*offers any test[\s\S]*Install the extension/,
    )
    await window.host.run(
      `
      const file = vscode.Uri.file(argument.folder + '/prices.check')
      const controller = vscode.tests.createTestController('checks', 'Checks')
      const item = controller.createTestItem('six', 'price of six', file)
      item.range = new vscode.Range(0, 0, 0, 12)
      controller.items.add(item)
      const debugRun = async (request) => {
        const run = controller.createTestRun(request)
        const { folder, execPath: runtimeExecutable } = argument
        await vscode.debug.startDebugging(undefined, { type: 'node', request: 'launch', name: 'check', program: folder + '/shop.cjs', runtimeExecutable, console: 'internalConsole' }, { testRun: run })
        await new Promise((resolve) => vscode.debug.onDidTerminateDebugSession(resolve))
        run.end()
      }
      controller.createRunProfile('Debug', vscode.TestRunProfileKind.Debug, debugRun, true)`,
      { folder, execPath: process.execPath },
    )
    const tested = await call('test_debug_single', { path: 'prices.check', line: 1, backend: 'vscode', ...atTotal })
    expect(tested).toMatch(/breakpoint b1 shop\.cjs:3 in (?:global\.)?price/)
    expect(await call('debug_evaluate', { expression: 'total' })).toContain('42')
    await call('debug_stop', {})
    expect(await absent('other.check')).toMatch(/^\[E_NO_TEST_AT_CURSOR\] .*in that file[\s\S]*editor_show_testing_ui/)
  })

  test('ends what stands in it with the window: by a reload, and when its host is killed', async () => {
    const { window, call, programs, instance, mark } = await openShop()
    expect(await call('debug_start', { ...start, ...atTotal, args: ['once', mark] })).toContain('shop.cjs:3')
    expect(await programs()).toHaveLength(1)
    await window.reload()
    await waitFor(() => bench.readLog('ext', instance).some(({ msg }) => msg === 'deactivated'))
    await waitFor(async () => (await programs()).length === 0, { what: 'the end of the program' })
    const after = await instanceOf(bench, window)
    await waitFor(() => bench.readLog('ext', after).some(({ msg }) => msg === 'the bridge is owner'))
    await waitFor(async () => (await call('debug_evaluate', { expression: '1' })).includes('E_NO_SESSION'))
  })

  // That it takes no longer than two seconds: end-window.test.ts, in a time of its own.
  test.each([
    ['stands at a breakpoint', 'SIGSTOP'],
    ['was stopped by a signal', 'SIGKILL'],
    ['never comes to its event loop', 'SIGKILL'],
  ] as const)('is closed by itself with a program that %s, after the daemon got %s', async (how, signal) => {
    const { window, call, programs, instance, mark } = await openShop()
    if (how === 'stands at a breakpoint') await call('debug_start', { ...start, ...atTotal, args: ['parent', mark] })
    else {
      const what = how === 'was stopped by a signal' ? 'endless' : 'busy'
      await call('debug_start', { ...start, args: [what, mark], wait: false })
    }
    await waitFor(async () => (await programs()).length > 0, { what: 'the program' })
    if (how === 'was stopped by a signal') for (const { pid } of await programs()) process.kill(pid, 'SIGSTOP')
    const daemon = bench.daemonPid()
    process.kill(daemon, signal)
    try {
      await window.close()
      // The host kills whoever takes too long, who then says nothing.
      const isThrough = () => bench.readLog('ext', instance).some(({ msg }) => msg === 'deactivated')
      await waitFor(isThrough, { what: 'the end of the deactivation' })
      await waitFor(async () => (await programs()).length === 0, { what: 'the end of the program' })
      await waitFor(async () => (await bench.fronts()).length === 0, { what: 'the end of the front' })
    } finally {
      if (signal === 'SIGSTOP') process.kill(daemon, 'SIGCONT')
    }
  })

  test.each(['stands, with a child', 'runs', 'was stopped by a signal', 'never comes to its event loop'] as const)(
    'leaves no Node program that %s when its host is killed',
    async (how) => {
      const { window, call, programs, mark } = await openShop()
      const isBusy = how === 'never comes to its event loop'
      const what = how === 'stands, with a child' ? 'parent' : isBusy ? 'busy' : 'endless'
      if (what === 'parent') await call('debug_start', { ...start, ...atTotal, args: [what, mark] })
      else await call('debug_start', { ...start, args: [what, mark], wait: false })
      await waitFor(async () => (await programs()).length === (what === 'parent' ? 2 : 1), { what: 'the programs' })
      if (how === 'was stopped by a signal') for (const { pid } of await programs()) process.kill(pid, 'SIGSTOP')
      // The next host knows nothing of them, and ends nobody.
      await window.killHost()
      await waitFor(async () => (await programs()).length === 0, { timeout: 20_000, what: 'the end of the programs' })
      await waitFor(async () => (await call('debug_evaluate', { expression: '1' })).includes('E_NO_SESSION'), {
        timeout: 20_000,
        what: 'that the agent knows',
      })
    },
  )

  test.each(['stands', 'stands, with a child'] as const)(
    'leaves no Python program that %s when its host is killed',
    async (how) => {
      const { window, call, programs, mark } = await openShop()
      const breakpoints = [
        { path: 'shop.py', line: 6, ...(how === 'stands' ? {} : { condition: '"parent" in sys.argv' }) },
      ]
      const args = [how === 'stands' ? 'alone' : 'parent', mark]
      expect(await call('debug_start', { program: 'shop.py', args, backend: 'vscode', breakpoints })).toContain(
        'shop.py:6',
      )
      // Whoever it started may still be on its way.
      const isChild = ({ command }: { command: string }) => command.includes(' child ')
      const isThere = async () => how === 'stands' || (await programs()).some(isChild)
      await waitFor(isThere, { what: 'the child' })
      expect(await programs()).not.toEqual([])
      await window.killHost()
      await waitFor(async () => (await programs()).length === 0, { timeout: 20_000, what: 'the end of the programs' })
    },
  )
})
