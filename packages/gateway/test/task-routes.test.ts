import type { JsonObject } from '@switchboard/protocol'
import { describe, expect, it } from 'vitest'
import { judge } from '../src/incoming.ts'
import { FakeProvider, tool } from './helpers/fake-provider.ts'
import { connectClient, createHarness, errorOf, type LegacyClient, resultOf } from './helpers/gateway-harness.ts'

const connect = (providers: FakeProvider[]): Promise<LegacyClient> => connectClient(createHarness(providers).gateway)

describe('requests', () => {
  it('of tasks go to the server that made the task, in both shapes', async () => {
    const maker = new FakeProvider('maker', {
      catalog: { tools: [tool('old'), tool('new')] },
      answers: {
        'tools/call': ({ name }) =>
          name === 'old' ? { task: { taskId: 't1' } } : { resultType: 'task', taskId: 't2' },
        'tasks/get': ({ taskId }) => ({ taskId, status: 'working' }),
      },
    })
    const client = await connect([new FakeProvider('other'), maker])
    const old = ((await resultOf(client.request('tools/call', { name: 'maker_old' }))).task as JsonObject).taskId
    const { taskId } = await resultOf(client.request('tools/call', { name: 'maker_new' }))
    for (const [own, id] of [
      [old, 't1'],
      [taskId, 't2'],
    ]) {
      expect(await resultOf(client.request('tasks/get', { taskId: own }))).toEqual({ taskId: own, status: 'working' })
      expect(maker.lastParams).toEqual({ taskId: id })
    }
    expect(await errorOf(client.request('tasks/get', { taskId: 't1' }))).toBeDefined()
    expect(await errorOf(client.request('tasks/get', { taskId: 7 }))).toMatchObject({ code: -32601 })
  })

  it('of tasks are for the credential that made the task, in any of its sessions, and within its profile', async () => {
    const maker = new FakeProvider('maker', {
      catalog: { tools: [tool('t')] },
      answers: { 'tools/call': () => ({ task: { taskId: 'task-1' } }), 'tasks/get': () => ({ status: 'working' }) },
    })
    const { gateway } = createHarness([maker], { profiles: [{ name: 'empty', providers: [] }] })
    const open = (credential: string, profile = 'default'): Promise<LegacyClient> =>
      connectClient(gateway, { identity: { credential, profile, transport: 'test' } })
    const { task } = await resultOf((await open('ann')).request('tools/call', { name: 'maker_t' }))
    const { taskId } = task as JsonObject
    const get = async (client: Promise<LegacyClient>) => (await client).request('tasks/get', { taskId })
    expect(await resultOf(get(open('ann')))).toEqual({ status: 'working' })
    expect(await errorOf(get(open('eve')))).toMatchObject({ code: -32601 })
    expect(await errorOf(get(open('ann', 'empty')))).toMatchObject({ code: -32601 })
    expect(maker.methods.filter((method) => method === 'tasks/get')).toHaveLength(1)
  })

  it('for the list of tasks show each caller its own ones, of all servers and pages', async () => {
    const make = (name: string, list: JsonObject): FakeProvider => {
      const made: JsonObject[] = []
      return new FakeProvider(name, {
        catalog: { tools: [tool('t')], capabilities: { tasks: list } },
        answers: {
          'tools/call': () => {
            made.push({ taskId: `${made.length}`, status: 'working', by: name })
            return { task: made.at(-1) }
          },
          'tasks/list': ({ cursor }) => {
            const page = Number(cursor ?? 0)
            return {
              tasks: made.slice(page, page + 1),
              ...(page + 1 < made.length ? { nextCursor: `${page + 1}` } : {}),
            }
          },
        },
      })
    }
    const { gateway } = createHarness([make('a', { list: {} }), make('b', { list: {} }), make('c', {})])
    const [ann, bob] = await Promise.all([connectClient(gateway), connectClient(gateway)])
    const start = async (client: LegacyClient, name: string): Promise<unknown> =>
      ((await resultOf(client.request('tools/call', { name }))).task as JsonObject).taskId
    const anns = [await start(ann, 'a_t'), await start(ann, 'a_t')]
    const bobs = [await start(bob, 'a_t'), await start(bob, 'b_t')]
    await start(bob, 'c_t')
    const list = async (client: LegacyClient) => (await resultOf(client.request('tasks/list'))).tasks as JsonObject[]
    expect((await list(ann)).map(({ taskId }) => taskId)).toEqual(anns)
    expect(await list(bob)).toEqual([
      { taskId: bobs[0], status: 'working', by: 'a' },
      { taskId: bobs[1], status: 'working', by: 'b' },
    ])
    const without = await connect([make('c', {})])
    expect(await errorOf(without.request('tasks/list'))).toMatchObject({ code: -32601 })
  })

  it('of tasks are told apart where two servers, or two agents, have tasks of the same id', async () => {
    const make = (name: string): FakeProvider =>
      new FakeProvider(name, {
        catalog: { tools: [tool('t')], capabilities: { tasks: {} } },
        answers: {
          'tools/call': () => ({ task: { taskId: '1' } }),
          'tasks/cancel': ({ taskId }) => ({ taskId, by: name }),
        },
      })
    const [a, b] = [make('a'), make('b')]
    const { gateway } = createHarness([a, b])
    const [ann, eve] = [await connectClient(gateway), await connectClient(gateway)]
    const taskOf = async (client: LegacyClient, name: string): Promise<unknown> =>
      ((await resultOf(client.request('tools/call', { name }))).task as JsonObject).taskId
    const mine = await taskOf(ann, 'a_t')
    const other = await taskOf(ann, 'b_t')
    expect(await taskOf(eve, 'a_t')).not.toBe(mine)
    expect(await resultOf(ann.request('tasks/cancel', { taskId: mine }))).toEqual({ taskId: mine, by: 'a' })
    expect(await resultOf(ann.request('tasks/cancel', { taskId: other }))).toEqual({ taskId: other, by: 'b' })
    // What can be guessed leads nowhere.
    const error = await errorOf(eve.request('tasks/cancel', { taskId: '1' }))
    expect(error).toMatchObject({ data: { error: { code: 'unknown_task' } } })
    expect(String(mine).length).toBeGreaterThanOrEqual(24)
  })

  it('of tasks name the task to either side as it knows it, in questions as well', async () => {
    const RELATED = 'io.modelcontextprotocol/related-task'
    const related = (taskId: unknown): JsonObject => ({ _meta: { [RELATED]: { taskId }, 'vendor/x': 1 } })
    let answered: unknown
    const maker = new FakeProvider('maker', {
      catalog: { tools: [tool('t')] },
      answers: {
        'tools/call': () => ({ task: { taskId: '1' } }),
        'tasks/result': async (_params, call) => {
          const params = { message: 'Go on?', requestedSchema: {}, ...related('1') }
          answered = await call.ask?.({ q: { method: 'elicitation/create', params } })
          return { content: [], ...related('1') }
        },
      },
    })
    const { gateway } = createHarness([maker])
    const client = await connectClient(gateway, { capabilities: { elicitation: {} } })
    const { task } = await resultOf(client.request('tools/call', { name: 'maker_t' }))
    const { taskId } = task as JsonObject
    const result = client.request('tasks/result', { taskId })
    const question = await client.channel.question('elicitation/create')
    expect(question.params).toMatchObject(related(taskId))
    const answer = { action: 'accept', ...related(taskId) }
    client.session.receive(judge({ jsonrpc: '2.0', id: question.id, result: answer }))
    expect(await resultOf(result)).toEqual({ content: [], ...related(taskId) })
    expect(answered).toEqual({ q: { action: 'accept', ...related('1') } })
  })

  it('of a task that nobody made are told so, where there are tasks at all', async () => {
    const client = await connect([new FakeProvider('p', { catalog: { capabilities: { tasks: {} } } })])
    const error = await errorOf(client.request('tasks/get', { taskId: 'gone' }))
    expect(error).toMatchObject({ code: -32602, data: { error: { code: 'unknown_task' } } })
  })
})
