/** The memory as agents get it: in two windows, over a killed daemon, and where an error is met again. */
import { mkdir, writeFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { findByMarker, programCommand, textOf, textOfAnswer, waitFor } from '@switchboard/testkit'
import { connectSdkAgent, type SdkAgent } from '@switchboard/testkit/sdk'
import { beforeEach, describe, expect, test } from 'vitest'
import type { SwitchboardInput } from '../src/configuration/switchboard-file.ts'
import { attachAgent, openDaemon, spawnDaemon, startedDaemon } from './helpers/daemon-bench.ts'
import { useWorkbench } from './helpers/workbench.ts'

const bench = useWorkbench()
const ON: SwitchboardInput = { packs: { debug: { enabled: true } } }

let workspace = ''

beforeEach(async () => {
  workspace = bench.home.file('project')
  await mkdir(workspace, { recursive: true })
})

async function openWindow(generation: 'v1' | 'v2 pinned', folder = workspace): Promise<SdkAgent> {
  const agent = await connectSdkAgent(generation, {
    transport: 'stdio',
    command: programCommand(['mcp', '--workspace', folder], { home: bench.home.path }),
  })
  bench.defer(() => agent.close())
  return agent
}

function dataOf(result: JsonObject): JsonObject {
  const envelope = isJsonObject(result.structuredContent) ? result.structuredContent : {}
  return isJsonObject(envelope.data) ? envelope.data : {}
}

const SEEN = /^seen before: /m

describe('an agent', () => {
  test('goes on in another window where it stood, though the daemon was killed', async () => {
    await bench.writeConfig(ON)
    const first = await startedDaemon(spawnDaemon(bench))
    const [one, other] = [await openWindow('v1'), await openWindow('v2 pinned')]
    const context = { test: 'npm test -- parser', decision: 'errors are values' }
    const saved = await one.call('checkpoint_save', { summary: 'Parser done; next: error messages', context })
    process.kill(first.pid, 'SIGKILL')
    // At once, on a connection whose daemon is gone: one call.
    const resumed = await other.call('checkpoint_resume', {})
    expect(dataOf(resumed)).toMatchObject({ id: dataOf(saved).id, context })
    expect(textOf(resumed)).toContain('Parser done; next: error messages')
    expect(Buffer.byteLength(textOf(resumed))).toBeLessThanOrEqual(700)
    // The windows have started another in place of the one that was killed.
    await Promise.all([one.close(), other.close()])
    const isDown = async (): Promise<boolean> => {
      await bench.program(['down']).ended
      return (await findByMarker(bench.home.path)).length === 0
    }
    await waitFor(isDown, { timeout: 60_000 })
  })

  test('meets an error again with other paths and lines, and gets what helped first, with the reason', async () => {
    await bench.writeConfig(ON)
    await startedDaemon(spawnDaemon(bench))
    const elsewhere = bench.home.file('elsewhere')
    await mkdir(elsewhere)
    const [one, other] = [await openWindow('v1'), await openWindow('v2 pinned', elsewhere)]
    const trace = (folder: string, line: number): string =>
      `Traceback (most recent call last):\n  File "${folder}/parse.py", line ${line}, in run\n    return int(text)\nValueError: invalid literal for int() with base 10: 'n/a'`
    const saved = await one.call('remediation_save', {
      errorMessage: trace('/home/ada/report', 7),
      solution: 'The export writes n/a for nothing: skip such rows.',
    })
    await one.call('remediation_save', { errorMessage: "KeyError: 'n/a'", solution: 'another' })
    const { id } = dataOf(saved)
    await one.call('remediation_feedback', { id: String(id), worked: true })
    const found = await other.call('remediation_search', { errorMessage: trace('C:/jobs', 99) })
    expect(dataOf(found)).toMatchObject({ results: [{ id, matchScore: 1, stackTraceMatch: true }] })
    expect(textOf(found)).toContain('same type, 1 of 1 frames, worked 1 of 1 time')
    expect(textOf(found)).toContain('skip such rows')
    expect(Buffer.byteLength(textOf(found))).toBeLessThanOrEqual(700)
  })
})

test('a checkpoint says by itself which program stood where it was being debugged', async () => {
  await openDaemon(bench, ON)
  await writeFile(bench.home.file('project/app.js'), 'let sum = 1\nsum += 1\nconsole.log(sum)\n')
  const [one, other] = [await attachAgent(bench, { workspace }), await attachAgent(bench, { workspace })]
  await one.call('debug_start', { program: 'app.js', breakpoints: [{ path: 'app.js', line: 2 }] })
  await one.call('checkpoint_save', { summary: 'looking at the sum' })
  expect(textOfAnswer(await other.call('checkpoint_resume'))).toContain(
    'debug session s1 of app.js stopped (breakpoint)',
  )
  await other.call('checkpoint_save', { summary: 'another window' })
  expect(textOfAnswer(await one.call('checkpoint_resume'))).not.toContain('debug session')
})

describe('seen before', () => {
  const save = {
    errorMessage: "TypeError: Cannot read properties of undefined (reading 'prices')",
    solution: 'Load the cart first.\nThen ask.',
  }

  test.each([
    {
      program: 'shop.js',
      text: '\n\nfunction total(cart) {\n  return cart.prices.length\n}\ntotal(undefined)\n',
      ...save,
    },
    {
      program: 'shop.py',
      text: "\n\ndef total(cart):\n    return cart['prices']\n\ntotal({})\n",
      errorMessage: `Traceback (most recent call last):\n  File "/home/ada/old/cart.py", line 77, in total\n    return cart['prices']\nKeyError: 'prices'`,
      solution: save.solution,
    },
  ])("is told when another window's program stops on the same exception: $program", async (known) => {
    const { program, text, errorMessage, solution } = known
    await openDaemon(bench, ON)
    const elsewhere = bench.home.file('elsewhere')
    await mkdir(elsewhere)
    await writeFile(bench.home.file(`elsewhere/${program}`), text)
    const [one, other] = [await attachAgent(bench, { workspace }), await attachAgent(bench, { workspace: elsewhere })]
    const run = async (): Promise<string> => {
      const answer = textOfAnswer(await other.call('debug_start', { program }))
      await other.call('debug_stop')
      return answer
    }
    const before = await run()
    expect(before).toContain('prices')
    expect(before).not.toMatch(SEEN)
    const saved = await one.call('remediation_save', { errorMessage, solution })
    const id = String(dataOf(isJsonObject(saved.result) ? saved.result : {}).id)
    await one.call('remediation_feedback', { id, worked: true })
    await one.call('remediation_feedback', { id, worked: false })
    const after = await waitFor(async () => {
      const answer = await run()
      return SEEN.test(answer) ? answer : undefined
    })
    const lines = after.split('\n').filter((line) => SEEN.test(line))
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(
      'seen before: Load the cart first. (worked 1 of 2 times), remediation_search {"errorMessage":',
    )
    expect(after.endsWith(String(lines[0]))).toBe(true)
    const call = /remediation_search (\{.*\})$/.exec(after)?.[1]
    const found = await other.call('remediation_search', JSON.parse(String(call)))
    expect(textOfAnswer(found)).toContain(`${id} `)
  })

  test.each([true, false])('is told when a test fails with it (stopped where it fails: %s)', async (stopOnFailure) => {
    await openDaemon(bench, ON)
    const test = `import { test } from 'node:test'\n\ntest('adds prices', () => {\n  const cart = undefined\n  cart.prices.length\n})\n`
    await writeFile(bench.home.file('project/cart.test.mjs'), test)
    const agent = await attachAgent(bench, { workspace })
    await agent.call('remediation_save', save)
    const answer = await waitFor(async () => {
      const run = await agent.call('test_debug_single', { path: 'cart.test.mjs', line: 3, stopOnFailure })
      await agent.call('debug_stop')
      return SEEN.test(textOfAnswer(run)) ? textOfAnswer(run) : undefined
    })
    expect(answer.match(/seen before/g)).toHaveLength(1)
  })

  test('is told when the tool of a server fails with it, once, and never where it succeeds', async () => {
    await openDaemon(bench, { ...ON, mcpServers: { files: bench.fixture('files') } })
    const agent = await attachAgent(bench, { workspace })
    await agent.call('remediation_save', save)
    const fail = (message: string) => agent.call('files_fail', { message })
    const known = await waitFor(async () => {
      const answer = await fail(`${save.errorMessage}\n    at total (/x/y/cart.js:3:1)`)
      return SEEN.test(textOfAnswer(answer)) ? answer : undefined
    })
    expect(textOfAnswer(known).match(/seen before/g)).toHaveLength(1)
    expect(textOfAnswer(known)).toContain('seen before: Load the cart first. (not tried yet)')
    expect(textOfAnswer(await fail("TypeError: Cannot read properties of undefined (reading 'length')"))).not.toMatch(
      SEEN,
    )
    expect(textOfAnswer(await agent.call('files_echo', { text: save.errorMessage }))).toBe(save.errorMessage)
  })

  test('is not told of what failed more often than it worked, nor where it is switched off', async () => {
    const mcpServers = { files: bench.fixture('files') }
    const { daemon } = await openDaemon(bench, { ...ON, mcpServers })
    const agent = await attachAgent(bench, { workspace })
    const saved = await agent.call('remediation_save', save)
    const ask = async () => SEEN.test(textOfAnswer(await agent.call('files_fail', { message: save.errorMessage })))
    await waitFor(ask)
    const id = String(dataOf(isJsonObject(saved.result) ? saved.result : {}).id)
    await agent.call('remediation_feedback', { id, worked: false })
    expect(await ask()).toBe(false)
    await agent.call('remediation_feedback', { id, worked: true })
    await waitFor(ask)
    await bench.writeConfig({ packs: { debug: { enabled: true }, memory: { seenBefore: false } }, mcpServers })
    const fails = async () => textOfAnswer(await agent.call('files_fail', { message: save.errorMessage }))
    await waitFor(async () => !SEEN.test(await fails()) && daemon.status() !== undefined)
    expect(await fails()).toBe(save.errorMessage)
  })

  test('is not told to a window whose profile has no memory', async () => {
    const mcpServers = { files: bench.fixture('files') }
    await openDaemon(bench, { ...ON, mcpServers, profiles: { bare: { providers: ['files'] } } })
    const [knowing, bare] = [
      await attachAgent(bench, { workspace }),
      await attachAgent(bench, { workspace, profile: 'bare' }),
    ]
    await knowing.call('remediation_save', save)
    const fail = async (agent: typeof bare) =>
      textOfAnswer(await agent.call('files_fail', { message: save.errorMessage }))
    await waitFor(async () => SEEN.test(await fail(knowing)))
    expect(await fail(bare)).toBe(save.errorMessage)
  })
})
