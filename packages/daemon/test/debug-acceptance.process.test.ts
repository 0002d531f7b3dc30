/** What agents were promised of the debugger, by a public client through the front, against a daemon of its own. */

import { mkdir, writeFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { createTemporaryDirectory, expectNoProcessLeft, programCommand, textOf, waitFor } from '@switchboard/testkit'
import { connectSdkAgent, type SdkAgent } from '@switchboard/testkit/sdk'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SwitchboardInput } from '../src/configuration/switchboard-file.ts'
import { spawnDaemon, startedDaemon } from './helpers/daemon-bench.ts'
import { useWorkbench } from './helpers/workbench.ts'

const bench = useWorkbench()
const CONFIG: SwitchboardInput = {
  packs: { debug: { enabled: true } },
  profiles: { searching: { search: true } },
}
const APP = `function add(a, b) {
  const sum = a + b
  return sum
}
console.log(add(1, 2))
setInterval(() => {}, 1000)
`
const LOUD = `for (let line = 0; line < 3000; line++) console.log('line', line)
`

let workspace = ''
const marker = (): string => `${bench.marker}-debuggee`
const program = (name = 'app.js'): JsonObject => ({ program: name, args: [marker()] })

beforeEach(async () => {
  workspace = bench.home.file('project')
  await mkdir(workspace, { recursive: true })
  await writeFile(bench.home.file('project/app.js'), APP)
  await writeFile(bench.home.file('project/loud.js'), LOUD)
  await bench.writeConfig(CONFIG)
  await startedDaemon(spawnDaemon(bench))
})

async function connect(profile = 'debug-full'): Promise<SdkAgent> {
  const agent = await connectSdkAgent('v2 auto', {
    transport: 'stdio',
    command: programCommand(['mcp', '--workspace', workspace, '--profile', profile], { home: bench.home.path }),
  })
  bench.defer(() => agent.close())
  return agent
}

function envelopeOf(result: JsonObject): JsonObject {
  return isJsonObject(result.structuredContent) ? result.structuredContent : {}
}

const dataOf = (result: JsonObject): JsonObject => {
  const { data } = envelopeOf(result)
  return isJsonObject(data) ? data : {}
}

const failure = (code: string, hint: unknown, rest: JsonObject = {}) => ({
  isError: true,
  structuredContent: { ok: false, type: 'error', error: { code, hint, ...rest } },
})

describe('what cannot be done is told by code and next step', () => {
  test('without a session, with wrong parameters, and with what only an editor could do', async () => {
    const agent = await connect()
    const early = await agent.call('debug_evaluate', { expression: '1' })
    expect(early).toMatchObject(failure('E_NO_SESSION', 'Start one with debug_start.', { executed: false }))
    expect(textOf(early)).toMatch(/^\[E_NO_SESSION\] .*Start one with debug_start\.$/)

    const missing = await agent.call('breakpoint_add')
    expect(missing).toMatchObject(failure('invalid_arguments', 'Correct the named parameters and call again.'))
    expect(textOf(missing)).toContain(
      'The arguments of breakpoint_add are wrong: path is required (a string, not empty); line is required (an integer, at least 1).',
    )
    const mistyped = await agent.call('breakpoint_add', { path: 7, line: '3', conditon: 'x' })
    expect(textOf(mistyped)).toContain('path must be a string, not 7')
    expect(textOf(mistyped)).toContain('line must be an integer, not "3"')
    expect(textOf(mistyped)).toContain('conditon is not a parameter (did you mean "condition"?)')

    expect(await agent.call('breakpoint_add', { path: 'nowhere.js', line: 1 })).toMatchObject(
      failure('E_FILE_NOT_FOUND', 'Give a path relative to the workspace.'),
    )
    expect(await agent.call('editor_get_context')).toMatchObject(
      failure('E_BRIDGE_UNAVAILABLE', expect.stringContaining('bridge_status')),
    )
    expect(await agent.call('symbol_rename', { path: 'app.js', symbol: 'add', newName: 'sum' })).toMatchObject(
      failure('E_NO_LANGUAGE_SERVER', expect.stringContaining('VS Code')),
    )
  })

  test('when the program runs: a wait that expires is E_TIMEOUT, and reading variables E_NOT_PAUSED', async () => {
    const agent = await connect()
    expect(dataOf(await agent.call('debug_start', { ...program(), wait: false }))).toMatchObject({ event: 'running' })
    expect(await agent.call('debug_wait_for_hit', { timeoutMs: 200 })).toMatchObject(
      failure('E_TIMEOUT', expect.any(String), { retryable: true }),
    )
    expect(await agent.call('variable_list')).toMatchObject(
      failure('E_NOT_PAUSED', 'Pause it with debug_pause, or wait for a breakpoint with debug_wait_for_hit.'),
    )
    await agent.call('debug_stop')
    await expectNoProcessLeft(marker())
  })
})

test('without an editor the lens answers for symbols, and the answer says so', async () => {
  // Not in the home of the daemon, which nobody indexes.
  await using folder = await createTemporaryDirectory()
  await writeFile(folder.file('app.js'), APP)
  workspace = folder.path
  const agent = await connect()
  const calls = await agent.call('symbol_calls', { path: 'app.js', symbol: 'add' })
  expect(dataOf(calls)).toMatchObject({
    source: 'index',
    calls: [{ name: 'app.js', kind: 'file', path: 'app.js', calledAt: [5] }],
  })
  expect(textOf(calls)).toContain('no editor answers for it')
  expect(dataOf(await agent.call('symbol_navigate', { path: 'app.js', symbol: 'add' }))).toMatchObject({ total: 2 })
  expect(dataOf(await agent.call('search_symbol_search', { query: 'add' }))).toMatchObject({
    source: 'index',
    symbols: [{ name: 'add', kind: 'function', path: 'app.js', line: 1 }],
  })
})

test('breakpoint_add, debug_start, debug_evaluate: the workflow, also by the names of old', async () => {
  const agent = await connect()
  const added = await agent.call('breakpoint_set', { path: 'app.js', line: 3 })
  expect(dataOf(added)).toMatchObject({ breakpoint: { path: 'app.js', line: 3, state: 'pending' } })
  expect(dataOf(await agent.call('debug_start', program()))).toMatchObject({ event: 'stopped', line: 3 })
  expect(dataOf(await agent.call('debug_evaluate', { expression: 'sum + 39' }))).toMatchObject({ result: '42' })
  expect(dataOf(await agent.call('debug_list_variables'))).toMatchObject({ truncated: false })
  await agent.call('debug_stop')
  await expectNoProcessLeft(marker())
})

test('a wait that the agent cancels is over, and the session goes on to be usable', async () => {
  const agent = await connect()
  await agent.call('debug_start', { ...program(), wait: false })
  await waitFor(async () => dataOf(await agent.call('dap_logs')).matched === 1, { what: 'the program to print' })
  const cancelling = new AbortController()
  const waiting = agent.call('debug_wait_for_hit', { timeoutMs: 120_000 }, { signal: cancelling.signal })
  // Answered behind it on the same line: the wait has begun.
  expect(dataOf(await agent.call('debug_status'))).toMatchObject({ isActive: true, isPaused: false })
  cancelling.abort()
  await expect(waiting).rejects.toThrow()
  expect(dataOf(await agent.call('debug_pause'))).toMatchObject({ event: 'stopped' })
  expect(await agent.call('debug_evaluate', { expression: '6 * 7' })).toMatchObject({
    structuredContent: { data: { result: '42' } },
  })
  await agent.call('debug_stop')
  await expectNoProcessLeft(marker())
})

test('a result that is too long is cut, and the rest is a resource for this agent alone', async () => {
  const [agent, other] = [await connect(), await connect()]
  expect(dataOf(await agent.call('debug_start', program('loud.js')))).toMatchObject({ event: 'terminated' })
  const logs = await agent.call('dap_logs', { count: 3_000 })
  const uri = /switchboard:\/\/results\/debug\/\S+/.exec(textOf(logs))?.[0] ?? ''
  expect(envelopeOf(logs).meta).toMatchObject({ truncated: { uri: uri.split('?')[0], mimeType: 'application/json' } })
  const { contents } = await agent.read(uri.split('?')[0] ?? '')
  const [whole] = Array.isArray(contents) ? contents : []
  expect(isJsonObject(whole) && JSON.parse(String(whole.text))).toMatchObject({ matched: 3_000 })
  expect(await agent.read(uri.replace(/\?.*/, '?offset=10&length=5'))).toMatchObject({
    contents: [{ _meta: { offset: 10, length: 5 } }],
  })
  await expect(other.read(uri)).rejects.toThrow(/There is no stored result/)
})

test('names are thing_action throughout, and those of old are not listed', async () => {
  const names = await (await connect()).toolNames()
  expect(names).toEqual(expect.arrayContaining(['breakpoint_add', 'debug_start', 'dap_logs', 'symbol_rename']))
  expect(names.filter((name) => !/^[a-z]+(?:_[a-z]+)+$/.test(name))).toEqual([])
  expect(names).not.toContain('breakpoint_set')
})

test('tool_describe has what a tool answers with', async () => {
  const agent = await connect('searching')
  const { data } = envelopeOf(await agent.call('tool_describe', { name: 'debug_start' }))
  expect(data).toMatchObject({
    tool: {
      name: 'debug_start',
      inputSchema: { type: 'object' },
      outputSchema: { properties: { data: { $ref: '#/$defs/Snapshot' } }, $defs: { StoppedSnapshot: {} } },
    },
  })
})
