/** One VS Code for a whole file of tests: starting it is most of their time. What each test opens, it closes. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import {
  createLeakCheck,
  expectNoProcessLeft,
  findByMarker,
  fixtureCommand,
  startProgram,
  waitFor,
} from '@switchboard/testkit'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import type { ExtensionHost } from './control.ts'
import { Editor, type EditorWindow, findEditorParts } from './editor.ts'

const parts = findEditorParts()

/** For the titles of suites: why they are skipped, where they are. */
export const missing =
  parts === undefined ? ' (needs Chromium, and the VS Code that npm test installs into .toolchain on Linux)' : ''

export interface LogEntry {
  readonly ts: string
  readonly level: string
  readonly cat: string
  readonly inst: string
  readonly msg: string
  readonly data?: Record<string, unknown>
}

export interface EditorBench {
  readonly home: string
  file(name: string): string
  /** A folder of its own for a test. */
  makeFolder(name: string): Promise<string>
  open(place?: { folder?: string; workspace?: string }): Promise<EditorWindow>
  /** Of all windows since the suite began, in order. */
  readLog(source: 'ext' | 'mcp', instance?: string): LogEntry[]
  configure(config: object): Promise<void>
  /** The front processes that live. */
  fronts(): Promise<number[]>
  daemonPid(): number
  command(...argv: string[]): Promise<string>
}

const SERVER_ID = 'switchboard.switchboard/Switchboard'

/** A configuration with one server that behaves. */
export function withFixture(config: object = {}): object {
  return { mcpServers: { fx: fixtureCommand() }, ...config }
}

export function useEditor(): EditorBench {
  const leaks = createLeakCheck()
  const windows: EditorWindow[] = []
  let editor: Editor | undefined

  beforeAll(async () => {
    if (parts === undefined) return
    await leaks.begin()
    editor = await Editor.start(parts)
    await bench.configure(withFixture())
  })
  afterEach(async () => {
    for (const window of windows.splice(0)) if (!window.page.isClosed()) await window.close()
  })
  afterAll(async () => {
    if (editor === undefined) return
    await editor.close()
    await bench.command('down')
    await expectNoProcessLeft(editor.directory.path, 30_000)
    await leaks.check()
    await editor.directory.remove()
  })

  const bench: EditorBench = {
    get home() {
      if (editor === undefined) throw new Error('There is a home only while the suite runs')
      return editor.home
    },
    file: (name) => {
      if (editor === undefined) throw new Error('There is a folder only while the suite runs')
      return editor.directory.file(name)
    },
    async makeFolder(name) {
      await mkdir(bench.file(name), { recursive: true })
      return bench.file(name)
    },
    async open(place) {
      if (editor === undefined) throw new Error('There is an editor only while the suite runs')
      const window = await editor.open(place)
      windows.push(window)
      if (place?.folder !== undefined || place?.workspace !== undefined) await window.waitForFolders()
      await activate(window.host)
      return window
    },
    readLog(source, instance) {
      const folder = `${bench.home}/logs`
      const names = existsSync(folder) ? readdirSync(folder) : []
      const lines = names
        .filter((name) => name.startsWith(`${source}-`) && (instance === undefined || name.includes(instance)))
        .flatMap((name) => readFileSync(`${folder}/${name}`, 'utf8').split('\n'))
        .filter((line) => line !== '')
      return lines.map((line): LogEntry => JSON.parse(line)).sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0))
    },
    configure: (config) => writeFile(`${bench.home}/config.json`, JSON.stringify(config)),
    async fronts() {
      const found = await findByMarker(`${bench.file('extensions')}/switchboard.`)
      return found.filter(({ command }) => / mcp(?: |$)/.test(command)).map(({ pid }) => pid)
    },
    daemonPid: () => JSON.parse(readFileSync(`${bench.home}/run/daemon.json`, 'utf8')).pid,
    async command(...argv) {
      const { ended, out, err } = startProgram(argv, { home: bench.home, stdin: 'ended' })
      expect(await ended, err()).toBe(0)
      return out()
    },
  }
  return bench
}

async function activate(host: ExtensionHost): Promise<void> {
  await host.run("await vscode.extensions.getExtension('switchboard.switchboard').activate()")
}

/** The id of the window's activation, as its log tells it. */
export async function instanceOf(bench: EditorBench, window: EditorWindow): Promise<string> {
  await activate(window.host)
  const isOurs = (entry: LogEntry): boolean => entry.msg === 'activated' && entry.data?.pid === window.host.pid
  const entry = await waitFor(() => bench.readLog('ext').findLast(isOurs), { what: 'the log of the activation' })
  return entry.inst
}

/** What the front of that instance says of itself as it starts. */
export async function frontOf(bench: EditorBench, instance: string): Promise<Record<string, unknown>> {
  const entry = await waitFor(() => bench.readLog('mcp', instance).find(({ msg }) => msg === 'front started'), {
    what: `the front of ${instance}`,
  })
  return entry.data ?? {}
}

/** By VS Code itself, as its own list of servers does it; it does nothing before the definition has reached the window. */
export async function startServer({ host }: EditorWindow): Promise<string[]> {
  const start = `
    await vscode.commands.executeCommand('workbench.mcp.startServer', argument, { waitForLiveTools: true })
    return vscode.lm.tools.map(({ name }) => name).filter((name) => name.startsWith('mcp_'))`
  return waitFor(
    async () => {
      const names = await host.run<string[]>(start, SERVER_ID)
      return names.length > 0 && names
    },
    { timeout: 60_000, interval: 100, what: 'the tools of the server' },
  )
}

/** The text of the answer. */
export function invoke({ host }: EditorWindow, name: string, input: object): Promise<string> {
  const code = `
    const { content } = await vscode.lm.invokeTool(argument.name, { input: argument.input, toolInvocationToken: undefined })
    return content.map((part) => part.value ?? '').join('\\n')`
  return host.run(code, { name, input })
}
