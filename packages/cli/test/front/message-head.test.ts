import { createSeededRandom } from '@switchboard/testkit'
import { describe, expect, test, vi } from 'vitest'
import { type MessageHead, readMessageHead } from '../../src/front/message-head.ts'

const LONG = 'x'.repeat(5000)
const read = (text: string): MessageHead => readMessageHead(Buffer.from(text))

/** What JSON.parse says of the same line. */
function expected(text: string) {
  const { id, method } = JSON.parse(text)
  return { id, method }
}

function summary(head: MessageHead) {
  return { id: 'id' in head ? head.id : undefined, method: 'method' in head ? head.method : undefined }
}

describe('a line of any length', () => {
  test.each([
    ['id first', `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"t":"${LONG}"}}`, 'request'],
    ['id last', `{"method":"tools/call","params":{"t":"${LONG}"},"jsonrpc":"2.0","id":"a-1"}`, 'request'],
    ['method last', `{"params":{"t":"${LONG}"},"id":3,"method":"tools/call"}`, 'request'],
    ['an answer', `{"jsonrpc":"2.0","id":9,"result":{"t":"${LONG}"}}`, 'response'],
    ['an answer with its id last', `{"result":{"t":"${LONG}"},"jsonrpc":"2.0","id":9}`, 'response'],
    ['an error', `{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"${LONG}"}}`, 'response'],
    ['a notification', `{"jsonrpc":"2.0","method":"notifications/progress","params":{"t":"${LONG}"}}`, 'notification'],
    ['white space', `  { "jsonrpc" : "2.0" , "id" : 7 , "method" : "m" , "params" : {"t":"${LONG}"} } `, 'request'],
    ['a negative fraction as id', `{"id":-1.5e2,"method":"m","params":{"t":"${LONG}"}}`, 'request'],
    ['an id with an escape', `{"id":"a\\"b","method":"m","params":{"t":"${LONG}"}}`, 'request'],
    ['an id that is not ASCII', `{"id":"größe","method":"m","params":{"t":"${LONG}"}}`, 'request'],
    ['a long id', `{"id":"${LONG}","method":"m"}`, 'request'],
    ['short', '{"jsonrpc":"2.0","id":1,"method":"ping"}', 'request'],
  ])('is read as what it is: %s', (_name, text, kind) => {
    const head = read(text)
    expect(head.kind).toBe(kind)
    expect(summary(head)).toEqual(expected(text))
  })

  test.each([
    ['inside the parameters', `{"method":"m","params":{"t":"${LONG}","id":5}}`],
    ['inside a text at the end', `{"method":"m","params":{"t":"${LONG},\\"id\\":5"}}`],
    ['of an object in a list at the end', `{"method":"m","params":{"t":"${LONG}","l":[{"id":5}]}}`],
    ['between two objects', `{"method":"m","params":{"t":"${LONG}"},"id":null,"more":{}}`],
  ])('has no id because of one %s', (_name, text) => {
    expect(read(text)).not.toHaveProperty('id')
  })

  test('that ends in a quoted member is read by its own id', () => {
    const text = `{"id":1,"method":"m","params":{"t":"${LONG}"},"note":"say \\",\\"id\\":5"}`
    expect(summary(read(text))).toEqual({ id: 1, method: 'm' })
  })

  test('whose id stands between two objects is parsed', () => {
    const text = `{"method":"m","params":{"t":"${LONG}"},"id":5,"more":{}}`
    expect(read(text)).toMatchObject({ kind: 'request', id: 5, method: 'm' })
  })
})

test('of a long request and its answer nothing but the edges is read', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const longest = (): number => Math.max(...parse.mock.calls.map(([text]) => String(text).length))
  read(`{"jsonrpc":"2.0","id":9,"result":{"t":"${LONG}"}}`)
  read(`{"method":"tools/call","params":{"t":"${LONG}"},"jsonrpc":"2.0","id":4}`)
  expect(longest()).toBeLessThan(100)
  parse.mockRestore()
})

test.each(['nonsense', '{"id":1', '"text"', '12', '{}', `{"a":"${'long '.repeat(300)}`])(
  '%s is left to the daemon',
  (text) => {
    expect(read(text)).toEqual({ kind: 'other' })
  },
)

test('a list is a batch', () => {
  expect(read('[{"id":1,"method":"a"},3]')).toEqual({ kind: 'batch', messages: [{ id: 1, method: 'a' }, 3] })
})

test('messages with members in any order are read as JSON.parse reads them', () => {
  const random = createSeededRandom(7)
  const params = [
    { t: LONG },
    [LONG, '"id":1}'],
    { t: `${LONG}"},"id":"x"}` },
    { deep: { id: 3, method: 'no', list: [{ id: 4 }] }, t: LONG },
    { t: `${LONG}\\` },
  ]
  for (let round = 0; round < 500; round++) {
    const content: [string, unknown] =
      random.below(2) === 0
        ? ['method', random.pick(['tools/call', 'x', 'a\\b'])]
        : ['result', random.pick([{ t: LONG }, { id: 9 }])]
    const members: [string, unknown][] = [
      ['jsonrpc', '2.0'],
      ['id', random.pick([1, 'one', -3, 'a"b', 'ü', 2 ** 40])],
      ['params', random.pick<unknown>(params)],
      content,
    ]
    if (random.below(3) === 0) members.push(['trace_id', 'abc'])
    const text = JSON.stringify(Object.fromEntries(random.shuffle(members)))
    expect(summary(read(text)), text.slice(0, 100)).toEqual(expected(text))
  }
})
