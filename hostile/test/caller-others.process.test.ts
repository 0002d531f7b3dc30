/** Callers who reach for what belongs to others: their tasks, their debugged programs, their private servers. */
import { writeFile } from 'node:fs/promises'
import { isJsonObject, type JsonObject } from '@switchboard/protocol'
import { fixtureCommand, type LineAgent, textOfAnswer } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { modernCall } from './support/requests.ts'
import { type Target, useTargets } from './support/target.ts'

const targets = useTargets()

/** As servers do that count: the first task of each has the same id. */
const counting = (name: string) =>
  fixtureCommand({
    capabilities: { tasks: { requests: { tools: { call: {} } } } },
    tools: [{ name: 'job', result: { task: { taskId: '1', status: 'working' } } }],
    on: {
      'tasks/get': { do: 'result', result: { taskId: '1', status: 'working', statusMessage: name } },
      'tasks/cancel': { do: 'result', result: { taskId: '1', status: 'cancelled', statusMessage: name } },
    },
  })

async function makeTask(agent: LineAgent, server: string): Promise<unknown> {
  const { result } = await agent.request('tools/call', { name: `${server}_job`, arguments: {}, task: {} })
  return isJsonObject(result) && isJsonObject(result.task) ? result.task.taskId : undefined
}

test('a task is its maker’s: neither another agent nor another server gets at it by its number', async () => {
  const target = await targets.start({ mcpServers: { one: counting('one'), two: counting('two') } })
  await Promise.all(['one', 'two'].map((name) => target.waitForState(name, 'ready')))
  const [ann, eve] = [await target.attach(), await target.attach()]
  const mine = await makeTask(ann, 'one')
  await makeTask(eve, 'two')
  // Loading what checks arguments is the price of the first call.
  await target.watchFromNow()
  for (const method of ['tasks/get', 'tasks/cancel']) {
    expect(await eve.request(method, { taskId: '1' })).toMatchObject({
      error: { data: { error: { code: 'unknown_task' } } },
    })
    expect(await ann.request(method, { taskId: mine })).toMatchObject({
      result: { taskId: mine, statusMessage: 'one' },
    })
  }
  expect(await makeTask(ann, 'two')).not.toBe(mine)
  expect(await ann.request('tasks/get', { taskId: mine })).toMatchObject({ result: { statusMessage: 'one' } })
  await target.expectCalm()
})

async function callModern(target: Target, name: string, args: JsonObject): Promise<string> {
  const { path, body, headers, method } = modernCall(name, args)
  const response = await fetch(`${target.url}${path}`, { method, headers, body })
  return response.text()
}

test('who cannot be told from others debugs nothing and shares no private server', async () => {
  const target = await targets.start({
    packs: { debug: {} },
    mcpServers: { own: { ...fixtureCommand({}), shared: false } },
  })
  await target.waitForState('own', 'ready')
  const program = target.home.file('program.mjs')
  await writeFile(program, 'debugger\nconsole.log(1)\n')
  const ann = await target.attach({ workspace: target.home.path })
  const start = { language: 'node', program: 'program.mjs', stopOnEntry: true }
  expect(textOfAnswer(await ann.call('debug_start', start))).toContain('program.mjs')
  for (const [name, args] of [
    ['debug_evaluate', { expression: 'process.pid' }],
    ['debug_start', { ...start, folder: target.home.path }],
    ['debug_status', {}],
    ['own_echo', { text: 'x' }],
  ] as const) {
    const answer = await callModern(target, name, args)
    expect(answer, name).toContain('caller_unknown')
    expect(answer, name).toContain('switchboard token create')
  }
  expect(textOfAnswer(await ann.call('debug_evaluate', { expression: '1 + 1' }))).toContain('2')
  expect(textOfAnswer(await ann.call('debug_stop'))).toBeDefined()
})
