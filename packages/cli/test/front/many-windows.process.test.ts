/** Windows beside each other on one daemon: what they share, what they never see of each other, and what outlives the daemon. */
import { readFile } from 'node:fs/promises'
import type { JsonObject } from '@switchboard/protocol'
import { fromToolErrorResult } from '@switchboard/protocol/errors'
import { readAudit } from '@switchboard/telemetry'
import { findByMarker, isAlive, textOfAnswer, waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { type FrontAgent, PATIENCE, useFrontBench } from './support/front-bench.ts'

const bench = useFrontBench()
const MODES = {
  talk: { description: 'Says things.', tools: { allow: ['*_echo'] } },
  sums: { description: 'Adds things.', tools: { allow: ['*_add'] } },
}
const codeOf = ({ result }: JsonObject): string | undefined => fromToolErrorResult(result)?.code
/** What a call came to: the text of its result, or its code. */
const outcomeOf = (answer: JsonObject): string => codeOf(answer) ?? textOfAnswer(answer)

async function killDaemon(): Promise<void> {
  const { pid } = await bench.daemonInfo()
  process.kill(pid, 'SIGKILL')
  await waitFor(async () => !(await isAlive(pid)), PATIENCE)
}

async function modeOf(instance: string): Promise<unknown> {
  const file = bench.home.file('modes', `agent_mode_${instance}.json`)
  return JSON.parse(await readFile(file, 'utf8'))
}

test('ten windows on ten servers are ten server processes', { timeout: 180_000 }, async () => {
  const names = Array.from({ length: 10 }, (_, index) => `s${index}`)
  await bench.configure({ mcpServers: Object.fromEntries(names.map((name) => [name, bench.fixture(name)])) })
  const agents = Array.from({ length: 10 }, () => bench.start())
  await Promise.all(agents.map((agent) => agent.initialize()))
  const pids = await Promise.all(
    agents.flatMap((agent) => names.map(async (name) => `${name} ${textOfAnswer(await agent.call(`${name}_pid`))}`)),
  )
  expect(new Set(pids).size).toBe(10)
  expect(await findByMarker(bench.marker)).toHaveLength(10)
  // One that lost the race for the lock may still be on its way out.
  await waitFor(async () => (await bench.daemons()).length === 1, PATIENCE)
})

test('a window that flips its mode a thousand times is never noticed by the one beside it', {
  timeout: 180_000,
}, async () => {
  await bench.configure({ mcpServers: { fx: bench.fixture('fx') }, modes: MODES })
  const [calm, restless] = [bench.start(), bench.start()]
  await Promise.all([calm.initialize(), restless.initialize()])
  expect(outcomeOf(await calm.call('fx_echo', { text: 'x' }))).toBe('mode_required')
  await calm.call('mode_get_instructions', { mode: 'talk' })
  const seen = new Set<string>()
  let isOver = false
  const calling = (async () => {
    while (!isOver) {
      const [allowed, denied] = await Promise.all([
        calm.call('fx_echo', { text: 'mine' }),
        calm.call('fx_add', { a: 1, b: 2 }),
      ])
      seen.add(`${outcomeOf(allowed)} ${outcomeOf(denied)}`)
    }
  })()
  for (let flip = 0; flip < 1_000; flip++) {
    const mode = flip % 2 === 0 ? 'sums' : 'talk'
    expect(codeOf(await restless.call('mode_get_instructions', { mode }))).toBeUndefined()
    // Each flip holds for the very next call.
    const expected = mode === 'sums' ? '3' : 'mode_denied'
    if (flip % 10 < 2) expect(outcomeOf(await restless.call('fx_add', { a: 1, b: 2 }))).toBe(expected)
  }
  isOver = true
  await calling
  expect([...seen]).toEqual(['mine mode_denied'])
})

test('what was answered before kill -9 is in the trail, once, and modes hold with the next daemon', async () => {
  await bench.configure({ mcpServers: { fx: bench.fixture('fx') }, modes: MODES })
  const ids = Array.from({ length: 10 }, (_, index) => `tt79-00000${index}`)
  const agents = ids.map((id) => bench.start([], { SWITCHBOARD_INSTANCE_ID: id }))
  await Promise.all(agents.map((agent) => agent.initialize()))
  const calls = async (agent: FrontAgent, index: number): Promise<void> => {
    await agent.call('mode_get_instructions', { mode: index % 2 === 0 ? 'talk' : 'sums' })
    for (let count = 0; count < 20; count++) await agent.call('fx_echo', { text: `${count}` })
  }
  await Promise.all(agents.map(calls))
  const trail = () => readAudit({ directory: bench.home.file('traces'), limit: 10_000 })
  const hasAll = async () => (await trail()).length === 10 * 21
  // An entry is on its way for as long as lines are gathered; then it is the disk's.
  await waitFor(hasAll, { what: 'an entry for every call that was answered', ...PATIENCE })
  for (const agent of agents)
    agent.send({ id: 'cut', method: 'tools/call', params: { name: 'fx_hang', arguments: {} } })
  await killDaemon()
  await Promise.all(
    agents.map(async (agent, index) => {
      const isTalk = index % 2 === 0
      const expected = isTalk ? 'still' : 'mode_denied'
      await waitFor(async () => outcomeOf(await agent.call('fx_echo', { text: 'still' })) === expected, PATIENCE)
      expect(await modeOf(ids[index] ?? '')).toMatchObject({ mode: isTalk ? 'talk' : 'sums', set_by: 'agent' })
    }),
  )
  const entries = await trail()
  for (const [index, id] of ids.entries()) {
    const own = entries.filter(({ inst }) => inst === id)
    const echoes = own.filter(({ tool, params_summary: params }) => tool === 'fx_echo' && !params.includes('still'))
    expect(echoes.map(({ outcome }) => outcome)).toEqual(Array(20).fill(index % 2 === 0 ? 'ok' : 'error'))
  }
  expect(new Set(entries.map(({ trace_id }) => trace_id)).size).toBe(entries.length)
  await waitFor(async () => (await bench.daemons()).length === 1, PATIENCE)
  expect(await findByMarker(bench.marker)).toHaveLength(1)
})

test('after a reload one call tells the story: the old window ends, the new one begins with an id of its own', async () => {
  await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
  const [before, after] = ['tt79-0000aa', 'tt79-0000bb']
  const old = bench.start([], { SWITCHBOARD_INSTANCE_ID: before })
  await old.initialize()
  expect(textOfAnswer(await old.call('fx_echo', { text: 'old' }))).toBe('old')
  expect(await old.end()).toBe(0)
  const fresh = bench.start([], { SWITCHBOARD_INSTANCE_ID: after })
  await fresh.initialize()
  const story = await waitFor(
    async () => {
      const text = textOfAnswer(await fresh.call('debug_get_logs', { limit: 500 }))
      return text.includes(`ipc.attach: front attached`) && text.includes(`mcp-${after} mcp.attach`) ? text : undefined
    },
    { what: 'the story of the reload', ...PATIENCE },
  )
  const steps = [
    `mcp-${before} mcp.init`,
    `(${before}) ipc.attach: front attached`,
    `mcp-${before} mcp.dispose: stdin EOF detected, shutting down`,
    `mcp-${after} mcp.init`,
    `(${after}) ipc.attach: front attached`,
  ]
  const lines = story.split('\n')
  const places = steps.map((step) => lines.findIndex((line) => line.includes(step)))
  expect(places, story).not.toContain(-1)
  expect(places, story).toEqual(places.toSorted((one, other) => one - other))
  // The daemon's side of the end comes at the same moment, from another process.
  expect(story).toContain(`(${before}) ipc.detach`)
})

test('a server that is added while windows are open is theirs at once; a window hears of it', async () => {
  await bench.configure({ mcpServers: { fx: bench.fixture('fx') } })
  const agents = [bench.start(), bench.start()]
  await Promise.all(agents.map((agent) => agent.initialize()))
  const pids = await Promise.all(agents.map(async (agent) => textOfAnswer(await agent.call('fx_pid'))))
  await bench.configure({ mcpServers: { fx: bench.fixture('fx'), more: bench.fixture('more') } })
  for (const agent of agents) {
    await agent.waitForMethod('notifications/tools/list_changed')
    await waitFor(async () => textOfAnswer(await agent.call('more_echo', { text: 'here' })) === 'here', PATIENCE)
    expect(textOfAnswer(await agent.call('fx_pid'))).toBe(pids[0])
  }
})
