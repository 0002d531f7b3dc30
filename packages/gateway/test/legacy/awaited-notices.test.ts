import type { JsonObject } from '@switchboard/protocol'
import { SwitchboardError } from '@switchboard/protocol/errors'
import { describe, expect, it } from 'vitest'
import { judge } from '../../src/incoming.ts'
import { FakeProvider, tool } from '../helpers/fake-provider.ts'
import {
  askModern,
  connectClient,
  createHarness,
  errorOf,
  type LegacyClient,
  resultOf,
} from '../helpers/gateway-harness.ts'

const COMPLETE = 'notifications/elicitation/complete'
const STATUS = 'notifications/tasks/status'

const provider = (): FakeProvider =>
  new FakeProvider('p', {
    catalog: { tools: [tool('visit'), tool('fail'), tool('task')] },
    answers: {
      'tools/call': async ({ name, arguments: args }, call) => {
        const visit = { mode: 'url', message: 'Sign in', url: 'https://in.example/', ...(args as JsonObject) }
        if (name === 'task') return { task: { taskId: 'task-1', status: 'working' } }
        if (name === 'visit') {
          await call.ask?.({ q: { method: 'elicitation/create', params: visit } })
          return { content: [] }
        }
        const rpc = { code: -32042, message: 'Visit first', data: { elicitations: [visit, 7] } }
        throw new SwitchboardError('upstream_error', 'Visit first', { details: { rpc } })
      },
    },
  })

function heard({ channel }: LegacyClient): JsonObject[] {
  return channel.messages.filter(({ method }) => method === COMPLETE || method === STATUS)
}

async function connectTwo(p: FakeProvider): Promise<[LegacyClient, LegacyClient]> {
  const { gateway } = createHarness([p])
  const capabilities = { elicitation: { url: {} } }
  return [await connectClient(gateway, { capabilities }), await connectClient(gateway, { capabilities })]
}

async function visit({ session, channel, request }: LegacyClient, elicitationId: string): Promise<void> {
  const called = request('tools/call', { name: 'p_visit', arguments: { elicitationId } })
  const { id } = await channel.question('elicitation/create')
  session.receive(judge({ jsonrpc: '2.0', id, result: { action: 'accept' } }))
  await resultOf(called)
}

describe('the end of a visit to a URL', () => {
  it('is told to the one who was asked for it, once and with everything that came', async () => {
    const p = provider()
    const [mine, other] = await connectTwo(p)
    await visit(mine, 'e1')
    const params = { elicitationId: 'e1', _meta: { 'vendor/x': 1 } }
    p.simulateNotice(COMPLETE, { elicitationId: 'e2' })
    p.simulateNotice(COMPLETE, params)
    p.simulateNotice(COMPLETE, params)
    expect(heard(mine)).toEqual([{ jsonrpc: '2.0', method: COMPLETE, params }])
    expect(heard(other)).toEqual([])
  })

  it.each([{ elicitationId: { toString: 1 } }, { taskId: { valueOf: 1, toString: 1 } }, {}])(
    'is told to nobody where its id is no text: %j',
    async (params) => {
      const p = provider()
      const [mine] = await connectTwo(p)
      await visit(mine, 'e1')
      for (const method of [COMPLETE, STATUS]) p.simulateNotice(method, params)
      expect(heard(mine)).toEqual([])
    },
  )

  it('is told to the one whose call failed because of it', async () => {
    const p = provider()
    const [mine, other] = await connectTwo(p)
    const call = { name: 'p_fail', arguments: { elicitationId: 'e1' } }
    expect(await errorOf(mine.request('tools/call', call))).toMatchObject({ code: -32042 })
    p.simulateNotice(COMPLETE, { elicitationId: 'e1' })
    expect(heard(mine)).toHaveLength(1)
    expect(heard(other)).toEqual([])
  })
})

it('how a task is doing is told to the one who made it, as often as it changes', async () => {
  const p = provider()
  const [mine, other] = await connectTwo(p)
  await resultOf(mine.request('tools/call', { name: 'p_task', task: {} }))
  for (const status of ['working', 'completed']) p.simulateNotice(STATUS, { taskId: 'task-1', status })
  p.simulateNotice(STATUS, { taskId: 'task-2', status: 'working' })
  expect(heard(mine)).toMatchObject([{ params: { status: 'working' } }, { params: { status: 'completed' } }])
  expect(heard(other)).toEqual([])
})

it('what a private server announces is told to its owner only, though another has a task of the same id', async () => {
  const p = provider()
  const [mine, other] = await connectTwo(p)
  for (const client of [mine, other]) await resultOf(client.request('tools/call', { name: 'p_task', task: {} }))
  p.simulateNotice(STATUS, { taskId: 'task-1', status: 'working' }, mine.session.id)
  expect(heard(mine)).toHaveLength(1)
  expect(heard(other)).toEqual([])
})

it('what nobody waits for, or nobody knows, goes nowhere', async () => {
  const p = provider()
  const { gateway, router } = createHarness([p])
  const client = await connectClient(gateway)
  const listening = askModern(gateway, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
  await listening.waitForNotification('notifications/subscriptions/acknowledged')
  const before = client.channel.sent.length
  for (const method of [COMPLETE, STATUS, 'notifications/vendor/x', 'notifications/cancelled']) {
    p.simulateNotice(method, {})
    p.simulateNotice(method, { elicitationId: {}, taskId: 7, requestId: 1 })
  }
  expect(client.channel.sent).toHaveLength(before)
  expect(listening.notifications).toHaveLength(1)
  gateway.close()
  router.dispose()
  expect(p.listenerCount).toBe(0)
})

describe('changed roots', () => {
  it('are told to the servers of the profile, on behalf of the session', async () => {
    const [p, hidden] = [provider(), new FakeProvider('hidden')]
    const { gateway } = createHarness([p, hidden], { profiles: [{ name: 'narrow', providers: ['p'] }] })
    const client = await connectClient(gateway, { identity: { profile: 'narrow', transport: 'test' }, id: 's1' })
    client.notify('notifications/roots/list_changed')
    expect(p.told).toMatchObject([{ method: 'notifications/roots/list_changed', caller: { session: 's1' } }])
    expect(hidden.told).toEqual([])
  })

  it('are nobody’s before the handshake', () => {
    const p = provider()
    const { gateway } = createHarness([p])
    gateway
      .openLegacySession({ profile: 'default', transport: 'test' }, { send: () => {} })
      .receive(judge({ jsonrpc: '2.0', method: 'notifications/roots/list_changed' }))
    expect(p.told).toEqual([])
  })
})
