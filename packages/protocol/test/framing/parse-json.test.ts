import { parseJson, withPlainNumbers } from '@switchboard/protocol'
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
  ])('is %s with every digit', (text) => {
    expect(write(text)).toBe(text)
  })

  it.each([
    '{"a":1}',
    '{"a":9007199254740991}',
    '{"a":1234567890123456.5}',
    '{"a":1e30}',
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

  it('spans the digits of a long text in strings at no harm', () => {
    const text = JSON.stringify({ text: ` ${'1'.repeat(1_000_000)}`, list: Array.from({ length: 1_000 }, () => [1]) })
    expect(write(text)).toBe(text)
  })
})

describe('ids and tokens', () => {
  it('stay numbers: they are compared and looked up', () => {
    const long = 12345678901234567890n
    const message = `{"id":${long},"params":{"requestId":${long},"_meta":{"progressToken":${long}},"id":${long}}}`
    const value = parseJson(message) as {
      id: unknown
      params: { requestId: unknown; _meta: { progressToken: unknown } }
    }
    expect([value.id, value.params.requestId, value.params._meta.progressToken].map((one) => typeof one)).toEqual([
      'number',
      'number',
      'number',
    ])
    expect(JSON.stringify(value.params)).toContain(`"id":${long}`)
    expect(parseJson(`[{"id":${long}}]`)).toEqual([{ id: Number(long) }])
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
