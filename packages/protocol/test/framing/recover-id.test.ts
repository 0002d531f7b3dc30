import { describe, expect, it } from 'vitest'
import { recoverId } from '../../src/framing/recover-id.ts'

function recoverFrom(message: string) {
  return recoverId(message.slice(0, 60), message.slice(-60))
}

const LONG = 'x'.repeat(500)

describe('recoverId', () => {
  it.each([
    [`{"jsonrpc":"2.0","id":12,"result":{"text":"${LONG}"}}`, 12],
    [`{"id":12,"jsonrpc":"2.0","result":{"text":"${LONG}"}}`, 12],
    [`{"result":{"text":"${LONG}"},"jsonrpc":"2.0","id":12}`, 12],
    [`{"result":{"text":"${LONG}"},"id":12,"jsonrpc":"2.0"}`, 12],
    [` { "jsonrpc" : "2.0" , "id" : -3 , "error" : {"message":"${LONG}"}}`, -3],
    [`{"result":{"text":"${LONG}"}, "id": "a\\"b" }  `, 'a"b'],
    [`{"jsonrpc":"2.0","id":9007199254740993,"result":{"text":"${LONG}"}}`, 9007199254740993n],
  ])('finds the id at either end of a message, in either order of its members', (message, id) => {
    expect(recoverFrom(message)).toBe(id)
  })

  it.each([
    ['an id inside the result, at its start', `{"result":{"id":5,"text":"${LONG}"}}`],
    ['an id inside the result, at its end', `{"result":{"text":"${LONG}","id":5}}`],
    ['an id before the version of a nested message', `{"result":{"text":"${LONG}","id":5,"jsonrpc":"2.0"}}`],
    ['an id quoted inside a string', `{"result":"${LONG}\\"id\\":5}"}`],
    ['a message with no id', `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"${LONG}"}}`],
    ['an id that is null', `{"jsonrpc":"2.0","id":null,"error":{"message":"${LONG}"}}`],
    ['what is no message', LONG],
  ])('does not take %s for the answered id', (_what, message) => {
    expect(recoverFrom(message) ?? undefined).toBeUndefined()
  })

  it.each([
    [`{"jsonrpc":"2.0","id":5,"method":"sampling/createMessage","params":{"data":"${LONG}"}}`],
    [`{"method":"sampling/createMessage","params":{"data":"${LONG}"},"jsonrpc":"2.0","id":5}`],
    [`{"jsonrpc":"2.0","method":"sampling/createMessage","params":{"data":"${LONG}"},"id":5}`],
  ])("does not take the id of a server's own question for that of a call of ours", (message) => {
    expect(recoverFrom(message)).toBeNull()
  })
})
