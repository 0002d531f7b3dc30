import type { JsonRpcRequest } from '@switchboard/protocol'
import { encodeMessage, parseJson, stringifyJson, withPlainNumbers } from '@switchboard/protocol/framing'
import { describe, expect, it } from 'vitest'

const write = (text: string): string => JSON.stringify(parseJson(text))

describe('parsed JSON, written again', () => {
  it.each([
    '{"a":12345678901234567890}',
    '{"a":-9223372036854775808,"b":[18446744073709551615,{"c":9007199254740993}]}',
    '[[9007199254740993]]',
    '{"a":"12345678901234567890","b":12345678901234567890,"c":"x:12345678901234567890"}',
    '{"id":7,"result":{"structuredContent":{"id":1790000000000000001}}}',
    '{"__proto__":{"a":12345678901234567890},"b":{"rawJSON":"1"}}',
    '{"a":1e400,"b":[-1.5E+308000],"c":"1e400"}',
    '{"hash":"8e123","a":1E999}',
  ])('is %s with every digit', (text) => {
    expect(write(text)).toBe(text)
  })

  it.each([
    '{"a":1}',
    '{"a":9007199254740991}',
    '{"a":1234567890123456.5}',
    '{"a":1e30}',
    '{"a":1e300,"b":5e-324,"c":"deadbee1e400f"}',
    '{"a":"1234567890123456789"}',
  ])('is %s as JavaScript has it, where that is exact or no integer', (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text))
  })

  it.each(['', '{', '{"a":12345678901234567890', '[12345678901234567890,]', ':12345678901234567890'])(
    'fails for %j as ever',
    (text) => {
      expect(() => parseJson(text)).toThrow(SyntaxError)
    },
  )

  it('begins after a byte order mark', () => {
    expect(write('\ufeff{"a":1}')).toBe('{"a":1}')
    expect(write('\ufeff{"a":12345678901234567890}')).toBe('{"a":12345678901234567890}')
  })

  it('spans the digits of a long text in strings at no harm', () => {
    const text = JSON.stringify({ text: ` ${'1'.repeat(1_000_000)}`, list: Array.from({ length: 1_000 }, () => [1]) })
    expect(write(text)).toBe(text)
  })
})

describe('ids and tokens', () => {
  it('are compared and looked up, and written as they came', () => {
    const long = 12345678901234567890n
    const text = `{"jsonrpc":"2.0","id":${long},"method":"a","params":{"requestId":${long},"progressToken":${long},"_meta":{"progressToken":${long}},"id":${long}}}`
    const message = parseJson(text) as JsonRpcRequest
    expect(message.id).toBe(long)
    expect(message.params).toMatchObject({ requestId: long, progressToken: long, _meta: { progressToken: long } })
    expect(encodeMessage(message)).toBe(text)
    expect(stringifyJson(message)).toBe(text)
    expect(parseJson(`[{"id":${long}}]`)).toEqual([{ id: long }])
    expect(withPlainNumbers(message.params)).toMatchObject({ requestId: Number(long), id: Number(long) })
  })

  it('of the same name inside of arguments are as exact as all others', () => {
    const text = '{"jsonrpc":"2.0","id":1,"result":{"requestId":9007199254740993,"progressToken":9007199254740993}}'
    expect(write(text)).toBe(text)
  })
})

describe('plain numbers', () => {
  it('stand for exact ones at every depth, and leave what came untouched', () => {
    const value = parseJson('{"a":[{"b":12345678901234567890}],"c":{"d":"text"}}') as Record<string, unknown>
    const plain = withPlainNumbers(value)
    expect(plain).toEqual({ a: [{ b: 12345678901234567000 }], c: { d: 'text' } })
    expect(plain.c).toBe(value.c)
    expect(JSON.stringify(value)).toContain('12345678901234567890')
  })

  it('are the very same value where there is nothing to change', () => {
    const value = parseJson('{"a":[1]}')
    expect(withPlainNumbers(value)).toBe(value)
    for (const one of [undefined, null, 'text', 7]) expect(withPlainNumbers(one)).toBe(one)
  })
})
