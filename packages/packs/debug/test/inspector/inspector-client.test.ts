import { describe, expect, test } from 'vitest'
import { parseErrorStack } from '../../src/inspector/error-stack.ts'
import { InspectorClient } from '../../src/inspector/inspector-client.ts'
import type { MessagePipe } from '../../src/inspector/message-pipe.ts'
import { parseAnnouncement } from '../../src/inspector/rendezvous.ts'

class FakePipe implements MessagePipe {
  readonly sent: { id: number; method: string }[] = []
  isClosed = false
  #on: Parameters<MessagePipe['listen']>[0] | undefined

  listen(on: Parameters<MessagePipe['listen']>[0]): void {
    this.#on = on
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.isClosed = true
  }

  simulateMessage(text: string): void {
    this.#on?.message(text)
  }

  simulateTooLarge(beginning: string): void {
    this.#on?.tooLarge(beginning)
  }

  simulateClose(): void {
    this.#on?.close('gone')
  }
}

function create() {
  const pipe = new FakePipe()
  return { pipe, client: new InspectorClient(pipe) }
}

describe('a client of the inspector', () => {
  test('takes events that are not what they say, and messages nested without an end, for garbage', async () => {
    const { pipe, client } = create()
    client.on('Debugger.paused', ({ callFrames }) => callFrames.length)
    const deep = `{"method":"Debugger.paused","params":${'['.repeat(10_000)}${']'.repeat(10_000)}}`
    expect(() => {
      pipe.simulateMessage('{"method":"Debugger.paused","params":null}')
      pipe.simulateMessage(deep)
    }).not.toThrow()
    expect(pipe.isClosed).toBe(false)
    pipe.simulateMessage('{"method":"Debugger.paused","params":{"callFrames":null}}')
    expect(pipe.isClosed).toBe(true)
    await expect(client.request('Debugger.resume', {})).rejects.toMatchObject({ code: 'E_SESSION_TERMINATED' })
  })

  test('gives answers to whom they belong, in any order', async () => {
    const { pipe, client } = create()
    const [first, second] = [client.request('Debugger.pause', {}), client.request('Debugger.resume', {})]
    pipe.simulateMessage('{"id":2,"result":"b"}')
    pipe.simulateMessage('{"id":1,"result":"a"}')
    pipe.simulateMessage('{"id":1,"result":"again"}')
    expect(await Promise.all([first, second])).toEqual(['a', 'b'])
  })

  test('passes a refusal on with its words', async () => {
    const { pipe, client } = create()
    const asked = client.request('Debugger.pause', {})
    pipe.simulateMessage('{"id":1,"error":{"code":-32000,"message":"Can only pause once"}}')
    await expect(asked).rejects.toMatchObject({ code: 'E_OPERATION_FAILED', message: /Can only pause once/ })
  })

  test('stops waiting when it is told to, or when it takes too long', async () => {
    const { client } = create()
    const controller = new AbortController()
    const cancelled = client.request('Debugger.pause', {}, { signal: controller.signal })
    const slow = client.request('Debugger.pause', {}, { timeout: 1 })
    controller.abort()
    await expect(cancelled).rejects.toMatchObject({ code: 'E_CANCELLED' })
    await expect(slow).rejects.toMatchObject({ code: 'E_TIMEOUT' })
    await expect(client.request('Debugger.pause', {}, { signal: controller.signal })).rejects.toMatchObject({
      code: 'E_CANCELLED',
    })
  })

  test('fails what was asked when the connection ends, and what is asked later', async () => {
    const { pipe, client } = create()
    const reasons: string[] = []
    client.onClose((reason) => reasons.push(reason))
    const asked = client.request('Debugger.pause', {})
    pipe.simulateClose()
    await expect(asked).rejects.toMatchObject({ code: 'E_SESSION_TERMINATED' })
    await expect(client.request('Debugger.pause', {})).rejects.toMatchObject({ code: 'E_SESSION_TERMINATED' })
    client.close()
    expect(reasons).toEqual(['gone'])
  })

  test('forgives a little garbage, and leaves who sends nothing else', () => {
    const { pipe, client } = create()
    pipe.simulateMessage('{not json')
    pipe.simulateMessage('[1]')
    expect(client.isClosed).toBe(false)
    pipe.simulateMessage('"text"')
    expect(client.isClosed).toBe(true)
    expect(pipe.isClosed).toBe(true)
  })

  test('fails only the request whose answer was too large', async () => {
    const { pipe, client } = create()
    const [large, other] = [client.request('Debugger.pause', {}), client.request('Debugger.resume', {})]
    pipe.simulateTooLarge('{"id":1,"result":{"value":"zzz')
    pipe.simulateTooLarge('{"method":"Debugger.scriptParsed"')
    pipe.simulateMessage('{"id":2,"result":1}')
    await expect(large).rejects.toMatchObject({ code: 'E_OPERATION_FAILED', details: { tooLarge: true } })
    expect(await other).toBe(1)
  })
})

test('an announcement is taken only from our own machine and whole', () => {
  const whole = { pid: 5, parent: 4, url: 'ws://127.0.0.1:1/x', title: 'a.js' }
  expect(parseAnnouncement(JSON.stringify(whole))).toEqual(whole)
  expect(parseAnnouncement(JSON.stringify({ ...whole, url: 'ws://example.com:1/x' }))).toBeUndefined()
  expect(parseAnnouncement(JSON.stringify({ ...whole, pid: '5' }))).toBeUndefined()
  expect(parseAnnouncement('{"pid":')).toBeUndefined()
})

test('the text of an error names its frames', () => {
  const stack = `Error: bad
    at fail (file:///a/b%20c.mjs:3:9)
    at async Promise.all (index 0)
    at async /a/d.cjs:1:1
    at node:internal/modules/run:10:2`
  expect(parseErrorStack(stack)).toEqual([
    { functionName: 'fail', url: 'file:///a/b%20c.mjs', lineNumber: 2, columnNumber: 8 },
    { functionName: '', url: '/a/d.cjs', lineNumber: 0, columnNumber: 0 },
    { functionName: '', url: 'node:internal/modules/run', lineNumber: 9, columnNumber: 1 },
  ])
})
