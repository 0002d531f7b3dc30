/** What a person sees and clicks in a real VS Code, and what it does to the agents of that window and of others. */

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { fixtureCommand, waitFor, watchProgram } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import type { EditorWindow } from './support/editor.ts'
import { instanceOf, invoke, missing, startServer, useEditor, withFixture } from './support/use-editor.ts'

const MODES = {
  modes: {
    review: { description: 'Looks only', tools: { allow: ['fx_echo'] } },
    work: { description: 'Adds numbers', tools: { allow: ['fx_add'] } },
  },
}
const ADD = 'mcp_switchboard_fx_add'

describe.skipIf(missing !== '')(`what a person sees${missing}`, () => {
  const bench = useEditor()
  const row = ({ page }: EditorWindow, text: string | RegExp) => page.locator('.monaco-list-row', { hasText: text })
  const modeOf = (instance: string) =>
    JSON.parse(readFileSync(`${bench.home}/modes/agent_mode_${instance}.json`, 'utf8')).mode

  /** With the view open. */
  async function openView(name: string): Promise<EditorWindow> {
    const window = await bench.open({ folder: await bench.makeFolder(name) })
    await window.host.run("await vscode.commands.executeCommand('switchboard.window.focus')")
    await row(window, 'Daemon runs').waitFor()
    return window
  }

  test('the window, its daemon, its servers and its calls; a call leads to its trace, a server is restarted', async () => {
    const window = await openView('seen')
    const instance = await instanceOf(bench, window)
    await row(window, instance).waitFor()
    await startServer(window)
    expect(await invoke(window, ADD, { a: 1, b: 2 })).toContain('3')
    await row(window, /fx.*ready/).waitFor()

    await row(window, 'fx_add').first().click()
    const trace = window.page.locator('.view-lines', { hasText: 'trace' })
    await trace.getByText('fx_add').first().waitFor()

    // The logs of all are a document that goes on.
    await window.host.run("await vscode.commands.executeCommand('switchboard.showLogs')")
    const logged = () => window.host.run<string>('return vscode.window.activeTextEditor.document.getText()')
    expect(await logged()).toContain(`ext-${instance} ext.activate: activated`)
    await window.host.run("await vscode.commands.executeCommand('switchboard.restartServer', 'fx')")
    await waitFor(async () => (await logged()).includes('ext.command: restarting fx'), {
      what: 'the line of the restart',
    })
    // Its end is what is seen, also of what came after it was opened.
    const isAtEnd = `
      const { document, selection } = vscode.window.activeTextEditor
      return selection.active.line === document.lineCount - 1`
    await waitFor(() => window.host.run<boolean>(isAtEnd), { what: 'the end of the logs' })

    const before = await fixturePid()
    await row(window, /fx.*ready/).hover()
    await row(window, /fx.*ready/)
      .getByRole('button', { name: 'Restart a Server' })
      .click()
    await waitFor(async () => (await fixturePid()) !== before, { what: 'another process of the server' })
    await row(window, /fx.*ready/).waitFor()
  })

  test('a mode is set by a click, holds from the next call on, and never touches another window', async () => {
    await bench.configure(withFixture(MODES))
    try {
      const one = await openView('modes')
      const other = await bench.open({ folder: await bench.makeFolder('modes') })
      const [first, second] = [await instanceOf(bench, one), await instanceOf(bench, other)]
      // Both have one folder open, and one of them answers for it.
      await other.host.run("await vscode.commands.executeCommand('switchboard.window.focus')")
      await row(other, /Editor tools are with another window.*/).waitFor()
      await row(other, first).first().waitFor()
      for (const window of [one, other]) await startServer(window)
      expect(await invoke(one, ADD, { a: 1, b: 1 })).toContain('mode_required')

      await row(one, /^work/).click()
      await row(one, 'Mode: work').waitFor()
      expect(await invoke(one, ADD, { a: 1, b: 1 })).toContain('2')
      expect(await invoke(other, ADD, { a: 1, b: 1 })).toContain('mode_required')

      await other.host.run("await vscode.commands.executeCommand('switchboard.setMode', 'review')")
      expect(await invoke(other, ADD, { a: 1, b: 1 })).toContain('mode_denied')
      // One that flips its mode again and again is seen by nobody else.
      const flips = one.host.run(`
        for (let flip = 0; flip < 1000; flip++) {
          await vscode.commands.executeCommand('switchboard.setMode', flip % 2 === 0 ? 'review' : 'work')
        }`)
      for (let look = 0; look < 20; look++) expect(await invoke(other, ADD, { a: 1, b: 1 })).toContain('mode_denied')
      await flips
      expect([modeOf(first), modeOf(second)]).toEqual(['work', 'review'])

      await row(one, 'Mode: work').hover()
      await row(one, 'Mode: work').getByRole('button', { name: 'Clear the Mode' }).click()
      await row(one, 'No mode is set').waitFor()
      expect([modeOf(first), modeOf(second)]).toEqual([null, 'review'])

      // After a reload there is no mode, whatever there was.
      await other.reload()
      expect(modeOf(await instanceOf(bench, other))).toBe(null)
    } finally {
      await bench.configure(withFixture())
    }
  })

  test('a daemon that was stopped on purpose stays down until a click starts it, and a refused configuration is told', async () => {
    const window = await openView('stopped')
    const stopped = bench.daemonPid()
    await bench.command('down')
    await window.page.getByText('The daemon was stopped, and the servers with it').waitFor()
    await row(window, /Daemon was stopped.*click/).click()
    await row(window, 'Daemon runs').waitFor()
    expect(bench.daemonPid()).not.toBe(stopped)

    // A configuration that is refused says why, and a click opens it.
    writeFileSync(`${bench.home}/config.json`, '{ "mcpServers": ')
    await row(window, /The configuration is refused.*config\.json:1/).click()
    const shown = 'return vscode.window.activeTextEditor?.document.fileName'
    await waitFor(async () => (await window.host.run(shown)) === `${bench.home}/config.json`, {
      what: 'the configuration to be opened',
    })
    await bench.configure(withFixture())
    await row(window, 'Daemon runs').waitFor()
  })

  test('a daemon of an older version is told, and a click replaces it', async () => {
    await bench.command('down')
    const old = await startOlderDaemon()
    const window = await bench.open({ folder: await bench.makeFolder('older') })
    await window.host.run("await vscode.commands.executeCommand('switchboard.window.focus')")
    const told = row(window, /0\.0\.9.*the extension is 0\.1\.0/)
    await told.waitFor()
    await told.hover()
    await told.getByRole('button', { name: 'Restart the Daemon' }).click()
    await row(window, /Daemon runs.*0\.1\.0, pid/).waitFor()
    expect(await old.ended).toBe(0)
  })

  test('a static entry is removed by a click on the notification, and not before it', async () => {
    const folder = await bench.makeFolder('static')
    mkdirSync(`${folder}/.vscode`)
    const file = `${folder}/.vscode/mcp.json`
    const text =
      '{\n  // mine\n  "servers": {\n    "sb": { "command": "switchboard", "args": ["mcp"] },\n    "other": { "command": "other" }\n  }\n}\n'
    writeFileSync(file, text)
    const window = await bench.open({ folder })
    const notification = window.page.locator('.notification-toast', { hasText: '"sb" in' })
    await notification.waitFor()
    expect(readFileSync(file, 'utf8')).toBe(text)
    await notification.getByRole('button', { name: 'Remove', exact: true }).click()
    await waitFor(() => !readFileSync(file, 'utf8').includes('"sb"'), { what: 'the entry to be gone' })
    expect(readFileSync(file, 'utf8')).toContain('// mine')
    expect(readFileSync(file, 'utf8')).toContain('"other"')
    const backup = readdirSync(`${folder}/.vscode`).find((name) => name.includes('switchboard-backup'))
    expect(readFileSync(`${folder}/.vscode/${backup}`, 'utf8')).toBe(text)
  })

  test('what a project would run is shown before it is let in, and runs then for this window', async () => {
    const folder = await bench.makeFolder('project')
    const mark = bench.file('ran')
    const helper = { ...fixtureCommand(), env: { HELPER_MARK: mark } }
    writeFileSync(`${folder}/.mcp.json`, JSON.stringify({ mcpServers: { helper } }))
    const window = await bench.open({ folder })
    const notification = window.page.locator('.notification-toast', { hasText: 'names 1 MCP server that waits' })
    await notification.waitFor()
    expect((await startServer(window)).filter((name) => name.includes('helper'))).toEqual([])

    await notification.getByRole('button', { name: 'Trust …' }).click()
    const dialog = window.page.locator('.monaco-dialog-box', { hasText: 'This would run as you' })
    await dialog.getByText('helper (.mcp.json)').waitFor()
    await dialog.getByText('HELPER_MARK').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect((await startServer(window)).filter((name) => name.includes('helper'))).toEqual([])

    // Whoever said no is asked again when it is something else.
    writeFileSync(`${folder}/.mcp.json`, JSON.stringify({ mcpServers: { helper: { ...helper, timeout: '30s' } } }))
    await notification.waitFor()
    await notification.getByRole('button', { name: 'Trust …' }).click()
    await dialog.getByRole('button', { name: 'Let Them Run' }).click()
    const tools = () => startServer(window)
    await waitFor(async () => (await tools()).includes('mcp_switchboard_helper_add'), {
      what: 'the tools of the project',
    })
    expect(await invoke(window, 'mcp_switchboard_helper_add', { a: 20, b: 22 })).toContain('42')
    const other = await bench.open({ folder: await bench.makeFolder('elsewhere') })
    expect((await startServer(other)).filter((name) => name.includes('helper'))).toEqual([])
  })

  async function fixturePid(): Promise<number | undefined> {
    const { servers } = JSON.parse(await bench.command('status', '--json'))
    return servers.find(({ name }: { name: string }) => name === 'fx')?.pid
  }

  /** The same program with another number in it, which is all that tells it apart. */
  async function startOlderDaemon() {
    const folder = bench.file('older-command')
    const installed = readdirSync(bench.file('extensions')).find((name) => name.startsWith('switchboard.'))
    await cp(bench.file(`extensions/${installed}/switchboard`), folder, { recursive: true })
    const program = `${folder}/dist/switchboard.mjs`
    const source = readFileSync(program, 'utf8')
    const older = source.replace(/\bVERSION ?= ?"0\.1\.0"/, 'VERSION = "0.0.9"')
    expect(older).not.toBe(source)
    writeFileSync(program, older)
    const env = { ...process.env, SWITCHBOARD_HTTP_PORT: '0' }
    const daemon = watchProgram(spawn(process.execPath, [program, 'daemon', '--home', bench.home], { env }))
    await waitFor(() => existsSync(`${bench.home}/run/daemon.sock`) && bench.daemonPid() === daemon.pid, {
      what: 'the older daemon',
    })
    return daemon
  }
})
