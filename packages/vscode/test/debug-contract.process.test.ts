/** The contract of the debug engines, through VS Code: the same scenarios as headless, with the debuggers of the window. */
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { describeEngineContract, findWindowEngine, windowEnvironment } from '@switchboard/pack-debug/contract'
import { descendantsOf, waitFor } from '@switchboard/testkit'
import { beforeAll, describe } from 'vitest'
import { instanceOf, missing, useEditor } from './support/use-editor.ts'

const sourceOf = (name: string): string =>
  fileURLToPath(new URL(`../../packs/debug/test/fixtures/${name}`, import.meta.url))

const QUIET = {
  'debug.openDebug': 'neverOpen',
  'debug.internalConsoleOptions': 'neverOpen',
  'debug.focusEditorOnBreak': false,
  'debug.focusWindowOnBreak': false,
}

describe.skipIf(missing !== '')(`debugging through VS Code${missing}`, async () => {
  const bench = useEditor({ keepsWindows: true })
  let access = { workspace: '', instance: '' }
  let hostPid = 0

  beforeAll(async () => {
    const workspace = await bench.makeFolder('debugged')
    // A person looks at it; here nobody does.
    await bench.makeFolder('debugged/.vscode')
    await writeFile(`${workspace}/.vscode/settings.json`, JSON.stringify(QUIET))
    const window = await bench.open({ folder: workspace })
    access = { workspace, instance: await instanceOf(bench, window) }
    hostPid = window.host.pid
    await waitFor(() => bench.readLog('ext', access.instance).some(({ msg }) => msg === 'the bridge is owner'))
  })

  const common = {
    startsAtRun: true,
    holdEnvironment: () => windowEnvironment(access),
    lacks: [],
  }
  /** Adapters are VS Code's own business; programs are ours. */
  const programsOf = (source: string) => {
    // VS Code's debugger names a program by its way from the working folder, which may begin anywhere above both.
    const end = source.slice(source.lastIndexOf('/test/fixtures/'))
    const listAll = async () => (await descendantsOf(hostPid)).filter(({ command }) => command.includes(end))
    // debugpy's launcher belongs to its adapter.
    const listProcesses = async () =>
      (await listAll()).filter(({ command }) => !/debugpy\/launcher(?!\/)/.test(command)).map(({ pid }) => pid)
    const check = async () => {
      await waitFor(async () => (await listAll()).length === 0, { timeout: 15_000, what: 'the end of the programs' })
    }
    return { source, listProcesses, leaks: { begin: async () => {}, check } }
  }

  await describeEngineContract({
    ...common,
    ...programsOf(sourceOf('node/app.cjs')),
    language: 'node',
    engine: findWindowEngine('node', () => access),
    prepare: async () => ({ program: sourceOf('node/app.cjs'), options: { runtimeExecutable: process.execPath } }),
    exception: { type: /RangeError/, message: /no such thing/ },
  })

  await describeEngineContract({
    ...common,
    ...programsOf(sourceOf('python/app.py')),
    language: 'python',
    engine: findWindowEngine('debugpy', () => access),
    prepare: async () => ({ program: sourceOf('python/app.py'), options: { python: '/usr/bin/python3' } }),
    nested: ["'limits'", "'high'"],
    exception: { type: /ValueError/, message: /no such thing/ },
  })
})
