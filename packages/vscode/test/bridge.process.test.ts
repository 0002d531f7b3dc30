/** The tools that only an editor can serve, through the gateway, the bridge and a real VS Code with its language server. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { JsonObject } from '@switchboard/protocol'
import { LineAgent, startProgram, textOfAnswer, waitFor } from '@switchboard/testkit'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { instanceOf, missing, useEditor, withFixture } from './support/use-editor.ts'

const SHAPES = `export class Shape {
  area(): number {
    return side(2)
  }
}

export function side(length: number): number {
  return length * length
}
`
const MAIN = `import { Shape, side } from './shapes'

const wrong: string = new Shape().area()
console.log(wrong, side(3))
`

describe.skipIf(missing !== '')(`the tools of the editor${missing}`, () => {
  const bench = useEditor()
  // What is asked here in a row is asked of the window, not of the gateway's patience.
  const rates = { 'editor_*': { perSecond: 10_000, burst: 1_000 } }
  beforeAll(() => bench.configure(withFixture({ gateway: { rates } })))
  const textOf = (name: string) => readFileSync(bench.file(`typed/${name}`), 'utf8')

  async function openProject() {
    const folder = await bench.makeFolder('typed')
    writeFileSync(`${folder}/shapes.ts`, SHAPES)
    writeFileSync(`${folder}/main.ts`, MAIN)
    writeFileSync(`${folder}/tsconfig.json`, '{ "compilerOptions": { "strict": true }, "include": ["*.ts"] }')
    const window = await bench.open({ folder })
    const instance = await instanceOf(bench, window)
    await waitFor(() => bench.readLog('ext', instance).some(({ msg }) => msg === 'the bridge is owner'))
    const agent = await connect(folder, instance)
    return { window, folder, instance, agent, call: callerOf(agent) }
  }

  /** As the front of that window, for an agent that asks nobody: VS Code would ask a person before every change. */
  async function connect(folder: string, instance: string) {
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
    return agent
  }

  const callerOf = (agent: LineAgent) => async (tool: string, input: JsonObject) =>
    textOfAnswer(await agent.call(tool, input))

  /** What the window has run, in order. */
  const ranIn = (instance: string) =>
    bench
      .readLog('ext', instance)
      .filter(({ cat }) => cat === 'bridge.command')
      .map(({ msg }) => msg)

  async function waitForClaim(folder: string): Promise<void> {
    const execute = `${folder}/.vsc-bridge/execute`
    const isClaimed = (job: string) => existsSync(`${execute}/${job}/claimed.json`)
    await waitFor(() => readdirSync(execute).some(isClaimed), { what: 'the claim of the job', interval: 1 })
  }

  test('know the cursor, go to a line, and tell what the language server has found', async () => {
    const { call, window } = await openProject()
    expect(await call('bridge_status', {})).toContain('Editor tools are available')
    expect(await call('editor_get_context', {})).toBe('No file is open in the editor.')
    expect(await call('editor_goto_line', { path: 'shapes.ts', line: 3, column: 5 })).toContain(
      'shapes.ts:3:5: return side(2)',
    )
    await waitFor(async () => (await call('editor_get_context', {})).includes('shapes.ts:3:5 in Shape.area'), {
      what: 'the symbol around the cursor',
    })
    expect(await call('editor_goto_line', { path: 'shapes.ts', line: 99 })).toContain('E_INVALID_LINE')
    expect(await call('editor_goto_line', { path: 'none.ts', line: 1 })).toContain('E_FILE_NOT_FOUND')
    const problem = /main\.ts:3:7 error: .*not assignable.* \(ts 2322\)/
    await waitFor(async () => problem.test(await call('diagnostic_collect', { path: 'main.ts' })), {
      timeout: 90_000,
      what: 'the problem that the language server finds',
    })
    // The view is there only where somebody has tests.
    await window.host.run(`
      const controller = vscode.tests.createTestController('made-up', 'Made up')
      controller.items.add(controller.createTestItem('one', 'one made-up test'))`)
    expect(await call('editor_show_testing_ui', {})).toContain('Testing view')
    await window.page.getByText('one made-up test').first().waitFor()
  })

  test('follow symbols, and change them everywhere', async () => {
    const { call } = await openProject()
    expect(await call('search_symbol_search', { mode: 'document', path: 'shapes.ts' })).toBe(
      'class Shape shapes.ts:1\nmethod Shape.area shapes.ts:2\nfunction side shapes.ts:7',
    )
    const side = { path: 'shapes.ts', symbol: 'side' }
    await waitFor(async () => (await call('symbol_navigate', side)).split('\n').length >= 4, { what: 'all references' })
    expect(await call('symbol_navigate', { ...side, includeDeclaration: false })).toContain('main.ts:4')
    expect(await call('symbol_calls', { nodeId: 'function:shapes.ts:side' })).toContain('area shapes.ts:2, at line 3')
    expect(await call('symbol_calls', { ...side, symbol: 'nothing' })).toContain('E_SYMBOL_NOT_FOUND')

    const replacement = 'area(): number {\n    return 4\n  }'
    const area = { path: 'shapes.ts', symbol: 'Shape.area', replacement }
    expect(await call('code_replace_method', { ...area, dryRun: true })).toContain('nothing is changed')
    expect(textOf('shapes.ts')).toBe(SHAPES)
    expect(await call('code_replace_method', area)).toContain('replaced')
    expect(textOf('shapes.ts')).toContain('return 4')
    expect(await call('symbol_rename', { ...side, newName: 'edge' })).toContain('side is edge now')
    expect([textOf('shapes.ts'), textOf('main.ts')].map((text) => /\bside\b/.test(text))).toEqual([false, false])
  })

  test('say in words that the window is gone, and those of another window that it is not theirs', async () => {
    const { call, window, folder } = await openProject()
    const other = callerOf(await connect(folder, 'zzzz-000000'))
    expect(await other('editor_get_context', {})).toMatch(/\[E_BRIDGE_UNAVAILABLE\] Another VS Code window/)
    await window.close()
    expect(await call('editor_get_context', {})).toMatch(/\[E_BRIDGE_UNAVAILABLE\] No VS Code window/)
    expect(await call('bridge_status', {})).toContain('Editor tools are not available')
    expect(readdirSync(`${folder}/.vsc-bridge`).sort()).toEqual(['.gitignore', 'drafts', 'execute'])
  })

  test('fail at once when the extension host is killed in the middle, and are not run again', async () => {
    const { call, window, folder, instance } = await openProject()
    // A file without a problem is waited for.
    const asked = call('diagnostic_collect', { path: 'shapes.ts' })
    await waitForClaim(folder)
    await window.killHost()
    // With the next step.
    expect(await asked).toMatch(/\[E_BRIDGE_UNAVAILABLE\] The VS Code window ended while it ran this.*bridge_status/s)
    const after = await instanceOf(bench, window)
    await waitFor(() => bench.readLog('ext', after).some(({ msg }) => msg === 'the bridge is owner'), {
      what: 'the bridge of the next host',
    })
    expect([...ranIn(instance), ...ranIn(after)]).toEqual([])
    // And it is known, with words, while nobody answers.
    const status = await callerOf(await connect(folder, instance))('bridge_status', {})
    expect(status).toContain(`Another VS Code window, ${after}`)
  })

  test('are answered each once, however many at once, and are stopped in the window when they are cancelled', async () => {
    const { call, agent, folder, instance } = await openProject()
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('editor_get_context', {})))
    expect(answers.filter((answer) => answer.includes('[E_'))).toEqual([])
    // The log is written a moment after the answer.
    await waitFor(() => ranIn(instance).length === 20, { what: 'the last of twenty in the log' })
    for (let count = 0; count < 100; count++) {
      expect(await call('editor_goto_line', { path: 'none.ts', line: 1 })).toContain('E_FILE_NOT_FOUND')
    }
    expect(await call('editor_get_context', {})).not.toContain('[E_')

    const params = { name: 'diagnostic_collect', arguments: { path: 'shapes.ts' } }
    agent.send({ jsonrpc: '2.0', id: 'given-up', method: 'tools/call', params })
    await waitForClaim(folder)
    agent.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'given-up' } })
    await waitFor(() => ranIn(instance).includes('diagnostic.collect failed: E_CANCELLED'), {
      what: 'the script to be stopped',
    })
    await waitFor(() => readdirSync(`${folder}/.vsc-bridge/execute`).length === 0, { what: 'the job to be gone' })
  })

  test('reload the window, which then has another bridge under another id', async () => {
    const { call, window, folder, instance } = await openProject()
    const reloaded = window.nextHost()
    expect(await call('util_restart_vscode', {})).toContain('reloads now')
    await reloaded
    const after = await instanceOf(bench, window)
    expect(after).not.toBe(instance)
    const again = callerOf(await connect(folder, after))
    await waitFor(async () => (await again('bridge_status', {})).includes('Editor tools are available'), {
      what: 'the new bridge',
    })
  })
})
