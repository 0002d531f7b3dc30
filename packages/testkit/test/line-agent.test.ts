import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { LineAgent } from '../src/line-agent.ts'
import { textOfAnswer } from '../src/read-answer.ts'

function connect() {
  const [source, sink] = [new PassThrough(), new PassThrough()]
  const agent = new LineAgent(source, sink, { describe: () => 'it said nothing' })
  const say = (...messages: object[]) =>
    void source.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
  const written = () => String(sink.read() ?? '')
  return { agent, source, say, written }
}

test('an answer is the response with the id, not a question with the same one', async () => {
  const { agent, say, written } = connect()
  const answer = agent.request('tools/list')
  expect(JSON.parse(written())).toEqual({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  say({ id: 1, method: 'roots/list' }, { id: 2, result: {} }, { method: 'notifications/message' })
  say({ id: 1, result: { tools: [] } })
  expect(await answer).toEqual({ id: 1, result: { tools: [] } })
  expect(await agent.answerTo(2)).toEqual({ id: 2, result: {} })
  expect(agent.notifications).toEqual(['roots/list', 'notifications/message'])
  expect(await agent.waitForMethod('roots/list')).toMatchObject({ id: 1 })
})

test('answers may come in any order and in pieces', async () => {
  const { agent, source } = connect()
  const both = [agent.call('a'), agent.call('b')]
  source.write('{"id":2,"result":{"content":[{"text":"second"}]}}\n{"id":1,"result":{"con')
  source.write('tent":[{"text":"first"}]}}\n')
  expect((await Promise.all(both)).map(textOfAnswer)).toEqual(['first', 'second'])
})

test('the end of the connection is told to whoever waits, then and later', async () => {
  const { agent, source } = connect()
  const answer = agent.request('ping')
  source.destroy()
  await expect(answer).rejects.toThrow('No answer to ping: the connection was closed. it said nothing')
  await expect(agent.answerTo('late')).rejects.toThrow('No answer to late: the connection was closed')
})

test('the text of an answer without one is what it says instead', () => {
  expect(textOfAnswer({ error: { code: -32601 } })).toBe('{"code":-32601}')
  expect(textOfAnswer({ result: { tools: [] } })).toBe('{"tools":[]}')
})
