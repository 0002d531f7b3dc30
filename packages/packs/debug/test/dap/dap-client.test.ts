import { describe, expect, test } from 'vitest'
import { DapClient, type DapEvent } from '../../src/dap/dap-client.ts'
import { refusedAs } from '../../src/dap/dap-failure.ts'
import { FakeWire } from './fake-wire.ts'

function createClient(reverse?: (command: string) => Promise<Record<string, unknown>> | undefined) {
  const wire = new FakeWire()
  const events: DapEvent[] = []
  const closed: string[] = []
  const client = new DapClient(wire, {
    onEvent: (event) => events.push(event),
    onClosed: (reason) => closed.push(reason),
    ...(reverse === undefined ? {} : { onReverseRequest: reverse }),
  })
  return { wire, client, events, closed }
}

describe('a request', () => {
  test('gets the answer with its number, whatever order they come in', async () => {
    const { wire, client } = createClient()
    const first = client.request('threads')
    const second = client.request('scopes', { frameId: 3 })
    expect(wire.sent).toMatchObject([
      { seq: 1, type: 'request', command: 'threads' },
      { seq: 2, command: 'scopes', arguments: { frameId: 3 } },
    ])
    wire.simulateAnswer(2, { scopes: [] })
    wire.simulateAnswer(1, { threads: [] })
    expect(await first).toEqual({ threads: [] })
    expect(await second).toEqual({ scopes: [] })
  })

  test.each([
    [{ message: 'notStopped' }, 'notStopped'],
    [
      { message: 'x', body: { error: { format: 'no {what} at {_line}', variables: { what: 'code' } } } },
      'no code at {_line}',
    ],
    [{}, 'refused without a reason'],
    [{ message: '', body: null }, 'refused without a reason'],
  ])('that is refused with %j fails with "%s"', async (answer, message) => {
    const { wire, client } = createClient()
    const request = client.request('evaluate')
    wire.simulateMessage({ type: 'response', request_seq: 1, success: false, ...answer })
    await expect(request).rejects.toMatchObject({ name: 'DapRequestError', command: 'evaluate', message })
  })

  test('that our own extension refuses fails with its code and what to do', async () => {
    const { wire, client } = createClient()
    const started = refusedAs('E_LAUNCH_FAILED', client.request('launch'))
    const switchboardError = { code: 'E_NO_TEST_AT_CURSOR', hint: 'Look again.' }
    wire.simulateMessage({
      type: 'response',
      request_seq: 1,
      success: false,
      message: 'No test',
      body: { switchboardError },
    })
    await expect(started).rejects.toMatchObject({ name: 'ToolError', message: 'No test', ...switchboardError })
    const refused = refusedAs('E_LAUNCH_FAILED', client.request('launch'))
    wire.simulateMessage({ type: 'response', request_seq: 2, success: false, message: 'No file' })
    await expect(refused).rejects.toMatchObject({ code: 'E_LAUNCH_FAILED', hint: undefined })
  })

  test('fails when its time is up; a late answer is nobody’s', async () => {
    const { wire, client } = createClient()
    await expect(client.request('pause', {}, { timeout: 1 })).rejects.toMatchObject({
      code: 'E_TIMEOUT',
      message: 'The debug adapter did not answer pause within 1 ms.',
    })
    wire.simulateAnswer(1)
    const next = client.request('threads')
    wire.simulateAnswer(2, { ok: 1 })
    expect(await next).toEqual({ ok: 1 })
  })

  test('that is cancelled fails at once, and the adapter is told when it understands', async () => {
    const { wire, client } = createClient()
    client.canCancel = true
    const abort = new AbortController()
    const request = client.request('evaluate', {}, { signal: abort.signal })
    abort.abort()
    await expect(request).rejects.toMatchObject({ code: 'E_CANCELLED' })
    expect(wire.sent[1]).toMatchObject({ command: 'cancel', arguments: { requestId: 1 } })
    await expect(client.request('threads', {}, { signal: abort.signal })).rejects.toMatchObject({ code: 'E_CANCELLED' })
    expect(wire.sent).toHaveLength(2)
  })

  test('fails when the wire is closed, before or after', async () => {
    const { wire, client, closed } = createClient()
    const request = client.request('threads')
    wire.simulateClose('the debug adapter closed the connection')
    wire.simulateClose('again')
    const failure = { code: 'E_SESSION_TERMINATED', message: expect.stringContaining('closed the connection') }
    await expect(request).rejects.toMatchObject(failure)
    await expect(client.request('threads')).rejects.toMatchObject(failure)
    expect(closed).toEqual(['the debug adapter closed the connection'])
  })
})

describe('what the adapter says by itself', () => {
  test('arrives as events; odd ones do no harm', () => {
    const { wire, events } = createClient()
    wire.simulateMessage({ type: 'event', event: 'stopped', body: { threadId: 1 } })
    wire.simulateMessage({ type: 'event', event: 7, body: 'text' })
    wire.simulateMessage({ type: 'response', request_seq: 99, success: true })
    wire.simulateMessage({ nonsense: true })
    expect(events).toEqual([
      { event: 'stopped', body: { threadId: 1 } },
      { event: '', body: {} },
    ])
  })

  test('is answered when it is a request that we know, and refused else', async () => {
    const { wire } = createClient((command) =>
      command === 'startDebugging' ? Promise.resolve({ done: 1 }) : undefined,
    )
    wire.simulateMessage({ type: 'request', seq: 40, command: 'startDebugging', arguments: {} })
    wire.simulateMessage({ type: 'request', seq: 41, command: 'runInTerminal' })
    await Promise.resolve()
    await Promise.resolve()
    expect(wire.sent).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: 'response', request_seq: 40, success: true, body: { done: 1 } }),
        expect.objectContaining({
          type: 'response',
          request_seq: 41,
          success: false,
          message: expect.stringContaining('runInTerminal'),
        }),
      ]),
    )
  })
})

describe('an event', () => {
  test('that is not what it says is noise, and the next one is heard', () => {
    const wire = new FakeWire()
    const heard: string[] = []
    const noise: string[] = []
    new DapClient(wire, {
      onEvent: ({ event, body }) => {
        if (event === 'stopped') throw new TypeError(`no ${String(body.threadId)}`)
        heard.push(event)
      },
      onNoise: (text) => noise.push(text),
      onClosed: () => {},
    })
    wire.simulateMessage({ type: 'event', event: 'stopped', body: null })
    wire.simulateMessage({ type: 'event', event: { deep: true } })
    wire.simulateMessage({ type: 'event', event: 'output' })
    expect(heard).toEqual(['', 'output'])
    expect(noise).toEqual(['the event stopped makes no sense: no undefined\n'])
  })
})
