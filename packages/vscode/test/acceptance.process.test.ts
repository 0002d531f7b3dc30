/**
 * The acceptance criteria of the original bridge, by their numbers, for both backends: an agent at the front of a window, whose
 * debugger is ours or that of VS Code.
 */
import { readdirSync, writeFileSync } from 'node:fs'
import { pack } from '@switchboard/pack-debug'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { LineAgent, startProgram, textOfAnswer, waitFor } from '@switchboard/testkit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EditorWindow } from './support/editor.ts'
import { instanceOf, missing, useEditor } from './support/use-editor.ts'

const PROGRAM = `function price(count) {
  const total = count * 7
  return total
}

if (process.argv[2] === 'endless') setInterval(() => price(1), 20)
else console.log('sum', price(6))
`

/** The parameters with their types, and which of them are required. The list leaves bounds out that an error tells. */
function readSchema(schema: unknown): unknown {
  const { properties = {}, required = [] } = (schema ?? {}) as { properties?: JsonObject; required?: string[] }
  const types = Object.entries(properties).map(([name, value]) => [name, isJsonObject(value) ? value.type : value])
  return { types, required }
}

describe.skipIf(missing !== '')(`the acceptance criteria${missing}`, () => {
  const bench = useEditor({ keepsWindows: true })
  let folder = ''
  let window: EditorWindow
  let instance = ''
  let agent: LineAgent
  let front: ReturnType<typeof startProgram>

  beforeAll(async () => {
    folder = await bench.makeFolder('accepted')
    writeFileSync(`${folder}/shop.cjs`, PROGRAM)
    window = await bench.open({ folder })
    instance = await instanceOf(bench, window)
    await waitFor(() => bench.readLog('ext', instance).some(({ msg }) => msg === 'the bridge is owner'))
    front = startProgram(['mcp', '--profile', 'debug-full', '--workspace', folder], {
      home: bench.home,
      env: { SWITCHBOARD_INSTANCE_ID: instance },
    })
    agent = new LineAgent(front.child.stdout, front.child.stdin, { describe: front.err })
    await agent.initialize()
  })
  afterAll(async () => {
    front.child.stdin.end()
    await front.ended
  })

  const call = async (tool: string, input: JsonObject = {}): Promise<string> =>
    textOfAnswer(await agent.call(tool, input))
  const listTools = async (): Promise<JsonObject[]> => {
    const { result } = await agent.request('tools/list')
    // As the protocol has it.
    return (result as { tools: JsonObject[] }).tools
  }
  const shown = () =>
    window.host.run<number[]>('return vscode.debug.breakpoints.map((one) => one.location.range.start.line + 1)')
  const jobs = () => readdirSync(`${folder}/.vsc-bridge/execute`)

  describe.each(['headless', 'vscode'] as const)('with the backend %s', (backend) => {
    const start = { program: 'shop.cjs', runtime: process.execPath, backend }

    test('AC1: an agent finds every tool, with its schema and what it is for', async () => {
      const tools = await listTools()
      expect(tools.length).toBeGreaterThanOrEqual(35)
      for (const { name, description, inputSchema } of tools) {
        expect([name, typeof description, typeof inputSchema]).toEqual([name, 'string', 'object'])
      }
      const { inputSchema } = tools.find(({ name }) => name === 'debug_start') ?? {}
      expect(JSON.stringify(inputSchema)).toContain('"enum":["headless","vscode"]')
    })

    test('AC2: breakpoint_add is answered; through VS Code as a job that the extension runs', async () => {
      expect(await call('breakpoint_add', { path: 'shop.cjs', line: 2, backend })).toContain('shop.cjs:2 pending')
      const hasRun = () => bench.readLog('ext', instance).some(({ msg }) => msg === 'breakpoint.set answered')
      if (backend === 'vscode') await waitFor(hasRun, { what: 'the job in the log of the window' })
      else expect(hasRun()).toBe(false)
      await waitFor(async () => (await shown()).includes(2) === (backend === 'vscode'), {
        what: 'what the editor shows',
      })
      await call('breakpoint_clear_project')
      await waitFor(async () => (await shown()).length === 0, { what: 'an editor without breakpoints' })
      expect(jobs()).toEqual([])
    })

    test('AC3: a parameter that is missing or of the wrong type is named', async () => {
      expect(await call('breakpoint_add', { line: 2, backend })).toMatch(/E_INVALID_PARAMS|path.*(?:missing|required)/s)
      expect(await call('breakpoint_add', { path: 'shop.cjs', line: 'two', backend })).toMatch(
        /line.*(?:integer|number)/s,
      )
      expect(await call('debug_start', { ...start, backend: 'emacs' })).toMatch(/backend.*headless/s)
    })

    test('AC4: breakpoint_add, debug_start and debug_evaluate follow each other', async () => {
      await call('breakpoint_add', { path: 'shop.cjs', line: 3, backend })
      expect(await call('debug_start', start)).toMatch(/breakpoint.*shop\.cjs:3/s)
      expect(await call('debug_evaluate', { expression: 'total + count' })).toContain('48')
      expect(await call('variable_list', {})).toMatch(/count.*6/s)
      expect(await call('debug_continue', {})).toMatch(/sum 42/)
      await call('breakpoint_clear_project')
    })

    test('AC5: without a session debug_evaluate is refused with a code and the next step', async () => {
      const text = await call('debug_evaluate', { expression: '1' })
      expect(text).toContain('[E_NO_SESSION]')
      expect(text).toContain('debug_start')
    })

    // That a new `*.meta.yaml` becomes a tool by itself: packages/cli/test/dev/new-tool.process.test.ts.
    test('AC6: what agents are told is what the declarations say', async () => {
      const tools = new Map((await listTools()).map((tool) => [tool.name, tool]))
      const declared = pack.tools.filter(({ listed }) => listed)
      expect(declared.length).toBeGreaterThan(35)
      for (const { name, input } of declared) {
        const told = readSchema(tools.get(name)?.inputSchema)
        expect([name, told]).toEqual([name, readSchema(input)])
      }
    })

    test('AC7: tools are named after their thing and what is done with it', async () => {
      for (const { name } of await listTools()) expect(name).toMatch(/^[a-z]+(?:_[a-z]+)+$/)
    })

    test('AC8: a tool that comes too early says what comes first', async () => {
      expect(await call('debug_continue', {})).toMatch(/\[E_NO_SESSION\].*debug_start/s)
      await call('debug_start', { ...start, args: ['endless'], wait: false })
      expect(await call('debug_step_over', {})).toMatch(/\[E_NOT_PAUSED\]/)
      await call('debug_stop', {})
    })

    test('AC9: a wait that is over is an error with its code', async () => {
      await call('debug_start', { ...start, args: ['endless'], wait: false })
      expect(await call('debug_wait_for_hit', { timeoutMs: 200 })).toContain('[E_TIMEOUT]')
      await call('debug_stop', {})
    })

    test('AC10: a call that is cancelled ends at once, and leaves no job behind', async () => {
      await call('debug_start', { ...start, args: ['endless'], wait: false })
      const requestId = `wait-${backend}`
      const params = { name: 'debug_wait_for_hit', arguments: { timeoutMs: 60_000 } }
      agent.send({ id: requestId, method: 'tools/call', params })
      agent.send({ method: 'notifications/cancelled', params: { requestId } })
      // The one that was cancelled has no answer; what comes after it has.
      expect(await call('debug_status', {})).toContain('running')
      await call('debug_stop', {})
      await waitFor(() => jobs().length === 0, { what: 'an empty folder of jobs' })
    })
  })
})
