import { machineTime } from '@switchboard/base'
import { isJsonObject } from '@switchboard/protocol'
import { ERROR_META_KEY, fromToolErrorResult, readErrorEnvelope, SwitchboardError } from '@switchboard/protocol/errors'
import { FRONT_TIMES_METHOD, REPLACED_METHOD, TIMES_WANTED_METHOD } from '@switchboard/protocol/ipc'
import { waitFor } from '@switchboard/testkit'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Scene } from './scripted-daemon.ts'

let scene: Scene
beforeEach(() => {
  scene = new Scene()
})
afterEach(() => scene.front.close())

const call = (id: number | string) => ({ id, method: 'tools/call', params: { name: 'a_echo', arguments: {} } })
const codeOf = (answer: Record<string, unknown>): string | undefined => {
  const { error } = answer
  return isJsonObject(error) ? readErrorEnvelope(error.data)?.code : fromToolErrorResult(answer.result)?.code
}

describe('while there is a daemon', () => {
  test('bytes pass unchanged both ways, also what no JSON library would write', async () => {
    const daemon = await scene.daemon()
    const odd = '{ "id" : 1e0,"method":"tools/call" , "params":{"x":1.0, "u":"\\u0041ü"}}'
    const seen: string[] = []
    scene.output.on('data', (chunk) => seen.push(String(chunk)))
    scene.input.write(`${odd}\r\n`)
    const received = await daemon.byMethod('tools/call')
    expect(received.id).toBe(1)
    daemon.sayRaw('{"jsonrpc":"2.0", "id":1,"result":{"n":1.50}}\n')
    await scene.agent.byId(1)
    expect(seen.join('')).toBe('{"jsonrpc":"2.0", "id":1,"result":{"n":1.50}}\n')
  })

  test('what was said before it came up is sent in order', async () => {
    scene.say({ id: 1, method: 'initialize', params: {} })
    scene.say({ method: 'notifications/initialized' })
    scene.say(call(2))
    scene.say(call(3))
    scene.say({ method: 'notifications/cancelled', params: { requestId: 2 } })
    await waitFor(() => scene.input.readableLength === 0)
    const daemon = await scene.daemon()
    await daemon.byId(3)
    expect(daemon.messages.map(({ id, method }) => id ?? method)).toEqual([1, 'notifications/initialized', 3])
  })

  test('a batch becomes its messages, a broken one goes on as it is', async () => {
    const daemon = await scene.daemon()
    scene.input.write('[{"id":1,"method":"ping"},{"method":"notifications/x"}]\n[{"id":2,"method":"ping"},3]\n')
    await waitFor(() => daemon.messages.length === 3)
    expect(daemon.messages).toEqual([
      { id: 1, method: 'ping' },
      { method: 'notifications/x' },
      [{ id: 2, method: 'ping' }, 3],
    ])
  })

  test('an answer to a question that was never asked goes nowhere', async () => {
    const daemon = await scene.daemon()
    scene.say({ id: 99, result: {} })
    scene.say(call(1))
    await daemon.byId(1)
    expect(daemon.messages).toHaveLength(1)
  })
})

describe('how long it had a request', () => {
  test('is told to a daemon that wants it, of what was answered and of what was cancelled, by the clock of the machine', async () => {
    const daemon = await scene.daemon()
    const before = machineTime()
    daemon.say({ method: TIMES_WANTED_METHOD })
    scene.say(call(1))
    scene.say(call('two'))
    await daemon.byId('two')
    daemon.say({ id: 1, result: {} })
    await scene.agent.byId(1)
    scene.say({ method: 'notifications/cancelled', params: { requestId: 'two' } })
    const told = async (count: number) => {
      const times = () =>
        daemon.messages.flatMap(({ method, params }) =>
          method === FRONT_TIMES_METHOD && isJsonObject(params) && Array.isArray(params.times) ? params.times : [],
        )
      await waitFor(() => times().length >= count, { what: `${count} times` })
      return times()
    }
    const times = await told(2)
    expect(times.map(([id]: unknown[]) => id)).toEqual([1, 'two'])
    for (const [, begun, ended] of times) {
      expect(begun).toBeGreaterThanOrEqual(before)
      expect(ended).toBeGreaterThanOrEqual(begun)
      expect(ended).toBeLessThanOrEqual(machineTime())
    }
    // It is between the two of them, and no agent's business.
    expect(scene.agent.messages.map(({ id }) => id)).toEqual([1])
  })

  test('is told before it ends, and not to the next daemon, which has not asked', async () => {
    const first = await scene.daemon()
    await scene.initialize(first)
    first.say({ method: TIMES_WANTED_METHOD })
    first.die()
    const second = await scene.daemon()
    const handshake = await second.byMethod('initialize')
    second.say({ id: handshake.id, result: { protocolVersion: '2025-06-18', capabilities: {} } })
    scene.say(call(1))
    await second.byId(1)
    second.say({ id: 1, result: {} })
    await scene.agent.byId(1)
    second.say({ method: TIMES_WANTED_METHOD })
    scene.say(call(2))
    await second.byId(2)
    second.say({ id: 2, result: {} })
    await scene.agent.byId(2)
    scene.front.close()
    const times = await second.byMethod(FRONT_TIMES_METHOD)
    expect(times.params).toMatchObject({ times: [[2, expect.any(Number), expect.any(Number)]] })
  })
})

describe('when the daemon dies', () => {
  test('a call under way is answered once with daemon_restarted, and not sent again', async () => {
    const first = await scene.daemon()
    await scene.initialize(first)
    scene.say(call(5))
    await first.byId(5)
    first.die()
    const answer = await scene.agent.byId(5)
    expect(answer.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('[daemon_restarted]') }],
    })
    expect(answer.result).toMatchObject({
      _meta: {
        [ERROR_META_KEY]: { meta: { requestId: '5', timestamp: expect.any(String), durationMs: expect.any(Number) } },
      },
    })
    expect(answer.result).not.toHaveProperty('structuredContent')
    expect(answer.result).not.toHaveProperty('resultType')
    expect(codeOf(answer)).toBe('daemon_restarted')
    const second = await scene.daemon()
    await scene.resume(second)
    scene.say(call(6))
    await second.byId(6)
    expect(second.messages.some(({ id }) => id === 5)).toBe(false)
    expect(scene.agent.messages.filter(({ id }) => id === 5)).toHaveLength(1)
  })

  test('half a line of its last words is not passed on', async () => {
    const first = await scene.daemon()
    scene.say(call(1))
    await first.byId(1)
    first.sayRaw('{"jsonrpc":"2.0","id":1,"result":{"conte')
    first.die()
    expect(codeOf(await scene.agent.byId(1))).toBe('daemon_restarted')
  })

  test('what it still said is passed on, and the call not answered a second time', async () => {
    const first = await scene.daemon()
    scene.say(call(1))
    await first.byId(1)
    first.say({ id: 1, result: { content: [] } })
    first.die()
    await waitFor(() => scene.asked.length > 0)
    expect(scene.agent.messages).toEqual([{ jsonrpc: '2.0', id: 1, result: { content: [] } }])
  })

  test.each([
    'tools/list',
    'resources/read',
    'prompts/get',
    'completion/complete',
    'ping',
    'server/discover',
    'initialize',
  ])('%s is asked of the next one', async (method) => {
    const first = await scene.daemon()
    scene.say({ id: 1, method, params: { mark: 'm' } })
    await first.byId(1)
    first.die()
    const second = await scene.daemon()
    expect(await second.byId(1)).toMatchObject({ method, params: { mark: 'm' } })
    expect(scene.agent.messages).toEqual([])
  })

  test('a request that may have changed something gets an error of the protocol', async () => {
    const first = await scene.daemon()
    scene.say({ id: 1, method: 'tasks/cancel', params: { taskId: 't' } })
    await first.byId(1)
    first.die()
    const answer = await scene.agent.byId(1)
    expect(codeOf(answer)).toBe('daemon_restarted')
    expect(answer.error).toMatchObject({ code: -32000 })
  })

  test('a call that the agent had cancelled is not answered', async () => {
    const first = await scene.daemon()
    scene.say(call(1))
    scene.say({ method: 'notifications/cancelled', params: { requestId: 1 } })
    await first.byMethod('notifications/cancelled')
    first.die()
    await waitFor(() => scene.asked.length > 0)
    expect(scene.agent.messages).toEqual([])
  })

  test('the next one hears handshake, log level and subscriptions before anything else, the agent that lists changed', async () => {
    const first = await scene.daemon()
    await scene.initialize(first, { tools: { listChanged: true }, prompts: { listChanged: true }, resources: {} })
    const settle = async (id: number, method: string, params: Record<string, unknown>, result: unknown = {}) => {
      scene.say({ id, method, params })
      await first.byId(id)
      first.say(result === null ? { id, error: { code: -1, message: 'no' } } : { id, result })
      await scene.agent.byId(id)
    }
    await settle(1, 'logging/setLevel', { level: 'error' })
    await settle(2, 'logging/setLevel', { level: 'debug' })
    await settle(3, 'resources/subscribe', { uri: 'a://1' })
    await settle(4, 'resources/subscribe', { uri: 'a://2' })
    await settle(5, 'resources/unsubscribe', { uri: 'a://1' })
    await settle(6, 'resources/subscribe', { uri: 'a://3' }, null)
    first.die()
    const second = await scene.daemon()
    scene.say(call(7))
    await second.byMethod('initialize')
    await waitFor(() => scene.input.readableLength === 0)
    expect(second.messages).toHaveLength(1)
    await scene.resume(second, '2025-03-26')
    await second.byId(7)
    expect(
      second.messages.map(({ method, params }) => [method, isJsonObject(params) && (params.level ?? params.uri)]),
    ).toEqual([
      ['initialize', undefined],
      ['notifications/initialized', false],
      ['logging/setLevel', 'debug'],
      ['resources/subscribe', 'a://2'],
      ['tools/call', undefined],
    ])
    for (const { id, method } of second.messages)
      if (String(id).startsWith('switchboard/') && method !== 'initialize') second.say({ id, result: {} })
    second.say({ id: 7, result: {} })
    await scene.agent.byId(7)
    const heard = scene.agent.messages.slice(7).map(({ id, method }) => method ?? id)
    expect(heard).toEqual(['notifications/tools/list_changed', 'notifications/prompts/list_changed', 7])
    expect(scene.log.entries.map(({ msg }) => msg)).toContain('another protocol version than before')
  })

  test('its open questions are taken back, and an answer that comes late reaches nobody, though the next asks under the same id', async () => {
    const first = await scene.daemon()
    await scene.initialize(first)
    first.say({ id: 1, method: 'elicitation/create', params: { message: 'old' } })
    await scene.agent.byMethod('elicitation/create')
    first.die()
    const cancelled = await scene.agent.byMethod('notifications/cancelled')
    expect(cancelled.params).toMatchObject({ requestId: 1 })
    const second = await scene.daemon()
    await scene.resume(second)
    second.say({ id: 1, method: 'elicitation/create', params: { message: 'new' } })
    const asked = await scene.agent.find(({ params }) => isJsonObject(params) && params.message === 'new')
    expect(asked.id).not.toBe(1)
    scene.say({ id: 1, result: { action: 'decline' } })
    scene.say({ id: asked.id, result: { action: 'accept' } })
    const answer = await second.byId(1)
    expect(answer.result).toEqual({ action: 'accept' })
    second.say({ id: 2, method: 'sampling/createMessage', params: {} })
    const sampling = await scene.agent.byMethod('sampling/createMessage')
    second.say({ method: 'notifications/cancelled', params: { requestId: 2, reason: 'x' } })
    const withdrawn = await scene.agent.find(({ params }) => isJsonObject(params) && params.reason === 'x')
    expect(withdrawn.params).toEqual({ requestId: sampling.id, reason: 'x' })
  })

  test('a modern stream goes on: asked for again, acknowledged once, told what may have changed', async () => {
    const first = await scene.daemon()
    const listen = { notifications: { toolsListChanged: true, resourceSubscriptions: ['a://1'] } }
    const ack = (daemon: typeof first) =>
      daemon.say({
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications: {}, _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } },
      })
    scene.say({ id: 'l', method: 'subscriptions/listen', params: listen })
    await first.byId('l')
    ack(first)
    await scene.agent.byMethod('notifications/subscriptions/acknowledged')
    scene.say(call(1))
    await first.byId(1)
    first.die()
    expect(await scene.agent.byId(1)).toMatchObject({ result: { resultType: 'complete', isError: true } })
    const second = await scene.daemon()
    expect(await second.byId('l')).toMatchObject({ params: listen })
    ack(second)
    const change = await scene.agent.byMethod('notifications/tools/list_changed')
    expect(change.params).toEqual({ _meta: { 'io.modelcontextprotocol/subscriptionId': 'l' } })
    second.say({ id: 'l', result: {} })
    await scene.agent.byId('l')
    const acknowledgements = scene.agent.messages.filter(({ method }) => String(method).endsWith('/acknowledged'))
    expect(acknowledgements).toHaveLength(1)
  })

  test('and the next one dies during the handshake, nothing is lost', async () => {
    const first = await scene.daemon()
    await scene.initialize(first)
    scene.say({ id: 1, method: 'tools/list' })
    await first.byId(1)
    first.die()
    const second = await scene.daemon()
    scene.say(call(2))
    await second.byMethod('initialize')
    second.die()
    const third = await scene.daemon()
    await scene.resume(third)
    await third.byId(2)
    expect(third.messages.map(({ id, method }) => (method === 'initialize' ? method : (id ?? method)))).toEqual([
      'initialize',
      'notifications/initialized',
      1,
      2,
    ])
  })
})

test('a new daemon that never answers the handshake is given up for another', async () => {
  const impatient = new Scene({ handshakeTimeout: 500 })
  const first = await impatient.daemon()
  await impatient.initialize(first)
  first.die()
  const mute = await impatient.daemon()
  await mute.byMethod('initialize')
  impatient.say(call(1))
  const third = await impatient.daemon()
  await impatient.resume(third)
  await third.byId(1)
  impatient.front.close()
})

describe('when no daemon can be had', () => {
  const failure = new SwitchboardError('daemon_unavailable', 'It does not start', {
    hint: 'Mend the file',
    details: { stderr: ['line 3'] },
  })

  test('everything that waits is answered with the reason, and a later request tries again', async () => {
    scene.say({ id: 1, method: 'initialize', params: {} })
    scene.say(call(2))
    await scene.refuse(failure)
    const [first, second] = [await scene.agent.byId(1), await scene.agent.byId(2)]
    expect(first.result).toMatchObject({ instructions: expect.stringMatching(/It does not start.*Mend the file/) })
    expect(codeOf(second)).toBe('daemon_unavailable')
    // At once: the next attempt would fail as this one did.
    scene.say({ id: 3, method: 'resources/read', params: { uri: 'a:b' } })
    expect((await scene.agent.byId(3)).error).toMatchObject({
      message: 'It does not start. Mend the file',
      data: { error: { code: 'daemon_unavailable', hint: 'Mend the file', details: { stderr: ['line 3'] } } },
    })
    // By itself, after a while.
    const daemon = await scene.daemon()
    await scene.resume(daemon)
    scene.say(call(4))
    await daemon.byId(4)
  })

  test('a legacy agent is connected all the same, and told when there is something to list', async () => {
    scene.say({ id: 1, method: 'initialize', params: { protocolVersion: '2025-03-26', capabilities: {} } })
    await scene.refuse(failure)
    expect((await scene.agent.byId(1)).result).toMatchObject({
      protocolVersion: '2025-03-26',
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, prompts: {}, logging: {} },
      serverInfo: { name: 'switchboard' },
    })
    scene.say({ method: 'notifications/initialized' })
    scene.say({ id: 2, method: 'tools/list' })
    scene.say({ id: 3, method: 'prompts/list' })
    scene.say({ id: 4, method: 'ping' })
    expect((await scene.agent.byId(2)).result).toMatchObject({
      tools: [{ name: 'switchboard_status', description: expect.stringContaining('It does not start') }],
    })
    expect((await scene.agent.byId(3)).result).toEqual({ prompts: [] })
    expect((await scene.agent.byId(4)).result).toEqual({})
    const daemon = await scene.daemon()
    expect(await daemon.byMethod('initialize')).toMatchObject({ params: { protocolVersion: '2025-03-26' } })
    await scene.resume(daemon, '2025-03-26')
    await daemon.byMethod('notifications/initialized')
    await scene.agent.byMethod('notifications/tools/list_changed')
    await scene.agent.byMethod('notifications/prompts/list_changed')
  })

  test('a modern agent discovers it all the same', async () => {
    scene.say({ id: 1, method: 'server/discover', params: {} })
    scene.say({ id: 2, method: 'tools/list', params: {} })
    await scene.refuse(failure)
    expect((await scene.agent.byId(1)).result).toMatchObject({
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      instructions: expect.stringContaining('It does not start'),
    })
    expect((await scene.agent.byId(2)).result).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      tools: [{ name: 'switchboard_status' }],
    })
  })
})

describe('when the daemon is stopped in order', () => {
  test('no other is started until the agent asks for something', async () => {
    const first = await scene.daemon()
    await scene.initialize(first)
    scene.say({ id: 1, method: 'tools/list' })
    scene.say(call(2))
    await first.byId(2)
    first.announceStop()
    first.say({ id: 1, result: { tools: [] } })
    first.say({ id: 2, error: { code: -32000, message: 'shutting down' } })
    first.die()
    await scene.agent.byId(2)
    await waitFor(() => scene.asked.length > 0)
    expect(scene.asked[0]?.request.mayStart).toBe(false)
    scene.asked.shift()?.give(undefined)
    scene.say(call(3))
    await waitFor(() => scene.asked.some(({ request }) => request.mayStart))
    const second = await scene.daemon()
    await scene.resume(second)
    await second.byId(3)
    expect(scene.agent.messages.some(({ method }) => method === 'notifications/cancelled')).toBe(false)
  })

  test('what the agent asks meanwhile waits for the next one, and a stream does not end', async () => {
    const first = await scene.daemon()
    scene.say({ id: 'l', method: 'subscriptions/listen', params: { notifications: { toolsListChanged: true } } })
    await first.byId('l')
    first.announceStop()
    await waitFor(() => scene.log.entries.some(({ msg }) => msg === 'the daemon is about to stop'))
    scene.say(call(1))
    await waitFor(() => scene.input.readableLength === 0)
    first.say({ id: 'l', result: {} })
    first.die()
    const second = await scene.daemon()
    await second.byId(1)
    expect(first.messages.map(({ id }) => id)).toEqual(['l'])
    expect(second.messages.map(({ id }) => id)).toEqual(['l', 1])
  })

  test('a front that another of the same instance replaced comes back only for a request', async () => {
    const first = await scene.daemon()
    await scene.initialize(first)
    scene.say(call(1))
    await first.byId(1)
    first.say({ method: REPLACED_METHOD })
    first.die()
    const answer = await scene.agent.byId(1)
    expect(codeOf(answer)).toBe('daemon_restarted')
    expect(JSON.stringify(answer)).toContain('Another front with the same instance id')
    expect(scene.asked).toEqual([])
    scene.say(call(2))
    const second = await scene.daemon()
    await scene.resume(second)
    await second.byId(2)
  })

  test('a stream alone starts none', async () => {
    const first = await scene.daemon()
    scene.say({ id: 'l', method: 'subscriptions/listen', params: { notifications: {} } })
    await first.byId('l')
    first.announceStop()
    first.die()
    await waitFor(() => scene.asked.length > 0)
    expect(scene.asked.map(({ request }) => request.mayStart)).toEqual([false])
  })
})

describe('back-pressure', () => {
  test('without a daemon the agent is read only so far', async () => {
    const line = `${JSON.stringify({ id: 1, method: 'tools/call', params: { text: 'x'.repeat(100_000) } })}\n`
    let written = 0
    while (written < 200 && scene.input.write(line)) written++
    await waitFor(() => scene.input.isPaused())
    for (let more = 0; more < 50; more++) scene.input.write(line)
    expect(scene.input.readableLength).toBeGreaterThan(0)
    const daemon = await scene.daemon()
    await waitFor(() => daemon.messages.length === written + 51)
  })

  test('an agent that does not read stops the daemon from being read', async () => {
    const slow = new Scene({ outputBytes: 1000 })
    slow.output.pause()
    const daemon = await slow.daemon()
    for (let count = 0; count < 500; count++)
      daemon.say({ method: 'notifications/message', params: { data: 'x'.repeat(1000) } })
    await waitFor(() => slow.output.writableNeedDrain)
    const kept = slow.output.writableLength + slow.output.readableLength
    expect(kept).toBeLessThan(300_000)
    slow.output.resume()
    await waitFor(() => slow.agent.messages.length === 500)
    slow.front.close()
  })
})
