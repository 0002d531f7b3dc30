/** The debugger as agents get it: through the gateway, with what is listed, and gone when they are gone. */

import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { estimateTokens, estimateToolTokens, isJsonObject, type JsonObject } from '@switchboard/protocol'
import type { Tool } from '@switchboard/protocol/mcp'
import { expectNoProcessLeft, findByMarker, programCommand, textOfAnswer, waitFor } from '@switchboard/testkit'
import { connectSdkAgent } from '@switchboard/testkit/sdk'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SwitchboardInput } from '../src/configuration/switchboard-file.ts'
import { CONFIGURABLE_PACKS, PACKS } from '../src/packs/packs.ts'
import {
  attachAgent,
  attachParams,
  codeOf,
  connectTo,
  openDaemon,
  spawnDaemon,
  startedDaemon,
} from './helpers/daemon-bench.ts'
import { useWorkbench } from './helpers/workbench.ts'

const bench = useWorkbench()
const ON: SwitchboardInput = { packs: { debug: { enabled: true } } }
const APP = `function add(a, b) {
  const sum = a + b
  return sum
}
console.log(add(1, 2))
setInterval(() => {}, 1000)
`

let workspace = ''

beforeEach(async () => {
  workspace = bench.home.file('project')
  await mkdir(workspace, { recursive: true })
  await writeFile(bench.home.file('project/app.js'), APP)
})

/** In its command line, so that a program that was left is found. */
const marker = (): string => `${bench.marker}-debuggee`
const startArguments = (): JsonObject => ({
  program: 'app.js',
  args: [marker()],
  breakpoints: [{ path: 'app.js', line: 3 }],
})

function dataOf(message: JsonObject): JsonObject {
  const result = isJsonObject(message.result) ? message.result : message
  const envelope = isJsonObject(result.structuredContent) ? result.structuredContent : {}
  return isJsonObject(envelope.data) ? envelope.data : {}
}

describe('an SDK client', () => {
  test.each(['v1', 'v2 pinned'] as const)('(%s) debugs a program by names without a prefix', async (generation) => {
    await bench.writeConfig(ON)
    const agent = await connectSdkAgent(generation, {
      transport: 'stdio',
      command: programCommand(['mcp', '--standalone', '--workspace', workspace], { home: bench.home.path }),
    })
    bench.defer(() => agent.close())
    expect(await agent.toolNames()).toEqual(expect.arrayContaining(['breakpoint_add', 'debug_start', 'variable_list']))
    const refused = await agent.call('debug_evaluate', { expression: '1' })
    expect(refused).toMatchObject({ isError: true, structuredContent: { error: { code: 'E_NO_SESSION' } } })
    const start = await agent.call('debug_start', startArguments())
    expect(dataOf(start)).toMatchObject({ event: 'stopped', path: 'app.js', line: 3, function: 'add' })
    const value = await agent.call('debug_evaluate', { expression: 'sum * 14' })
    expect(dataOf(value)).toMatchObject({ result: '42' })
    expect(dataOf(await agent.call('debug_stop'))).toMatchObject({ stoppedSessions: ['s1'] })
    await expectNoProcessLeft(marker())
  })
})

async function readLogs(): Promise<string[]> {
  const folder = bench.home.file('logs')
  const names = await readdir(folder, { recursive: true })
  return Promise.all(names.filter((name) => /\.log/.test(name)).map((name) => readFile(join(folder, name), 'utf8')))
}

describe('in the daemon', () => {
  test('the debugger costs at most 6,000 tokens of the default profile, and status tells', async () => {
    const { daemon } = await openDaemon(bench, ON)
    const costs = new Map(daemon.status().profiles.map((profile) => [profile.name, profile]))
    expect([...costs.keys()]).toEqual(expect.arrayContaining(['default', 'debug', 'debug-full']))
    expect(costs.get('default')?.tokens).toBeLessThanOrEqual(6_000)
    expect(costs.get('debug')?.tokens).toBeLessThanOrEqual(6_000)
    expect(costs.get('debug-full')?.tools).toBeGreaterThan((costs.get('debug')?.tools ?? 0) + 20)
  })

  test('in the folder of a mod the tools of the game are listed as well, elsewhere not, within the same 6,000 tokens', async () => {
    const packs = Object.fromEntries(CONFIGURABLE_PACKS.map(({ name }) => [name, { enabled: true }]))
    await openDaemon(bench, { packs })
    const mod = bench.home.file('mod')
    await mkdir(mod)
    await writeFile(join(mod, 'descriptor.mod'), 'name="A mod"\n')
    const listIn = async (folder: string): Promise<Tool[]> => {
      const { result } = await (await attachAgent(bench, { workspace: folder })).request('tools/list')
      return (result as { tools: Tool[] }).tools
    }
    const ofGame = ['lens_conflicts', 'lens_game_log', 'lens_patch', 'lens_playset']
    const [inMod, inProject] = [await listIn(mod), await listIn(workspace)]
    expect(inMod.map(({ name }) => name)).toEqual(expect.arrayContaining(ofGame))
    expect(inProject.filter(({ name }) => ofGame.includes(name))).toEqual([])
    expect(inMod).toHaveLength(inProject.length + ofGame.length)
    expect(estimateToolTokens(inMod)).toBeLessThanOrEqual(6_000)
  })

  test('a fresh install lists all packs for at most 6,000 tokens, and says in 500 what they are for', async () => {
    const packs = Object.fromEntries(CONFIGURABLE_PACKS.map(({ name }) => [name, { enabled: true }]))
    const { daemon } = await openDaemon(bench, { packs })
    const { instructions } = daemon.switchboard.router.view('default')
    const { result } = await (await attachAgent(bench, { workspace })).request('tools/list')
    // As the gateway lists them, its own included.
    const { tools } = result as { tools: Tool[] }
    const names = new Set(tools.map(({ name }) => name))
    expect(names).toContain('debug_start')
    expect(estimateToolTokens(tools)).toBeLessThanOrEqual(6_000)
    expect(daemon.status().profiles.find(({ name }) => name === 'default')?.tokens).toBe(estimateToolTokens(tools))
    const costOf = (...names: string[]) => {
      const own = new Set(
        PACKS.flatMap((pack) => (names.includes(pack.name) ? pack.tools : [])).map(({ name }) => name),
      )
      return estimateToolTokens(tools.filter(({ name }) => own.has(name)))
    }
    expect(costOf('debug', 'switchboard')).toBeLessThanOrEqual(3_600)
    expect(costOf('memory')).toBeLessThanOrEqual(1_300)
    expect(estimateTokens(instructions)).toBeLessThanOrEqual(500)
    const named = instructions.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []
    expect(named.length).toBeGreaterThan(3)
    expect(named.filter((name) => !names.has(name))).toEqual([])
  })

  test('a profile of a person keeps its name and its own choice', async () => {
    const profiles = { debug: { tools: { allow: ['dap_*'] } } }
    const { daemon } = await openDaemon(bench, { ...ON, profiles })
    const listed = daemon.switchboard.router.view('debug').tools.map(({ name }) => name)
    expect(listed.length).toBeGreaterThan(5)
    expect(listed.every((name) => name.startsWith('dap_'))).toBe(true)
  })

  test('what the default profile does not list is found by searching, and called all the same', async () => {
    await openDaemon(bench, ON)
    const plain = await attachAgent(bench, { workspace })
    const { result } = await plain.request('tools/list')
    const listed = JSON.stringify(result)
    expect(listed).not.toContain('"debug_threads"')
    expect(listed).toContain('"tool_search"')
    expect(textOfAnswer(await plain.call('tool_search', { query: 'list the threads' }))).toContain('"debug_threads"')
    const called = await plain.call('tool_call', { name: 'debug_threads' })
    expect(codeOf(called)).toBe('E_NO_SESSION')
    expect(codeOf(await plain.call('debug_threads'))).toBe('E_NO_SESSION')
  })

  test('a profile of one pack has nothing of another, and says which has it', async () => {
    await openDaemon(bench, ON)
    const agent = await attachAgent(bench, { workspace, profile: 'memory' })
    const denied = await agent.call('debug_threads')
    expect(codeOf(denied)).toBe('profile_denied')
    expect(textOfAnswer(denied)).toMatch(/The profile "memory" does not list debug_threads; .*"debug-full" does/)
  })

  test('all of it is listed in debug-full, and called, also by its old name', async () => {
    await openDaemon(bench, ON)
    const full = await attachAgent(bench, { workspace, profile: 'debug-full' })
    expect(codeOf(await full.call('debug_threads'))).toBe('E_NO_SESSION')
    expect(codeOf(await full.call('debug_list_variables'))).toBe('E_NO_SESSION')
    expect(codeOf(await full.call('editor_get_context'))).toBe('E_BRIDGE_UNAVAILABLE')
    expect(codeOf(await full.call('symbol_rename', { path: 'a', symbol: 'b', newName: 'c' }))).toBe(
      'E_NO_LANGUAGE_SERVER',
    )
    expect(textOfAnswer(await full.call('bridge_status'))).toMatch(/No VS Code window/)
  })

  test('one tool is found in full, with what it answers with, by its old name too', async () => {
    await openDaemon(bench, ON)
    const client = await connectTo(bench)
    for (const name of ['breakpoint_add', 'breakpoint_set']) {
      expect(await client.request('find_tool', { name })).toMatchObject({
        tool: { name: 'breakpoint_add', outputSchema: { properties: { data: {} }, $defs: { ShownBreakpoint: {} } } },
      })
    }
    const { tools } = await client.request<{ tools: JsonObject[] }>('tools', {})
    expect(tools.find(({ name }) => name === 'breakpoint_add')).not.toHaveProperty('outputSchema')
  })

  test('a program has the environment of the window, which nobody is told and nothing keeps', async () => {
    const { daemon } = await openDaemon(bench, ON)
    await writeFile(bench.home.file('project/env.js'), "console.log('mark', process.env.WINDOW_MARK.length)\n")
    const agent = await connectSdkAgent('v1', {
      transport: 'stdio',
      command: programCommand(['mcp', '--workspace', workspace], {
        home: bench.home.path,
        env: { WINDOW_MARK: 'only-in-the-window' },
      }),
    })
    bench.defer(() => agent.close())
    const ended = await agent.call('debug_start', { program: 'env.js' })
    expect(dataOf(ended)).toMatchObject({ event: 'terminated', output: 'mark 18\n' })
    const client = await connectTo(bench)
    const told = JSON.stringify([daemon.status(), await client.request('status', {})])
    expect(told).not.toContain('only-in-the-window')
    for (const text of await readLogs()) expect(text).not.toContain('only-in-the-window')
  })

  test('an environment that is none is refused without a word of what is in it', async () => {
    await openDaemon(bench, ON)
    const client = await connectTo(bench)
    const env = { SECRET: ['hunter2'] } as unknown as Record<string, string>
    await expect(client.attach(attachParams({ env }))).rejects.toMatchObject({
      code: 'invalid_arguments',
      message: expect.not.stringContaining('hunter2'),
    })
  })

  test('sessions end with the agent that started them, and with nobody else', async () => {
    await openDaemon(bench, ON)
    const [one, other] = [await attachAgent(bench, { workspace }), await attachAgent(bench, { workspace })]
    const started = [await one.call('debug_start', startArguments()), await other.call('debug_start', startArguments())]
    expect(started.map((answer) => dataOf(answer).event)).toEqual(['stopped', 'stopped'])
    const before = await findByMarker(marker())
    one.close()
    await waitFor(async () => (await findByMarker(marker())).length < before.length, { timeout: 20_000 })
    expect(dataOf(await other.call('debug_status'))).toMatchObject({ isPaused: true })
    other.close()
    await expectNoProcessLeft(marker())
  })

  test('sessions end when the debugger is switched off while it runs, and its tools are gone', async () => {
    const { daemon } = await openDaemon(bench, ON)
    const agent = await attachAgent(bench, { workspace })
    await agent.call('debug_start', startArguments())
    await bench.writeConfig({})
    await waitFor(() => !daemon.switchboard.router.view('default').tools.some(({ name }) => name === 'debug_start'))
    await expectNoProcessLeft(marker())
  })

  test('a caller without a workspace is told what is missing', async () => {
    await openDaemon(bench, ON)
    const agent = await attachAgent(bench)
    expect(codeOf(await agent.call('debug_start', startArguments()))).toBe('E_NO_WORKSPACE')
  })

  test('no program is left when the daemon is killed', async () => {
    await bench.writeConfig(ON)
    const program = spawnDaemon(bench)
    await startedDaemon(program)
    const agent = await attachAgent(bench, { workspace })
    expect(dataOf(await agent.call('debug_start', startArguments()))).toMatchObject({ event: 'stopped' })
    expect((await findByMarker(marker())).length).toBeGreaterThan(0)
    program.child.kill('SIGKILL')
    await program.ended
    await waitFor(async () => (await findByMarker(marker())).length === 0, { timeout: 20_000 })
  })
})
