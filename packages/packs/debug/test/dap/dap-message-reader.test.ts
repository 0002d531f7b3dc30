import { describe, expect, test } from 'vitest'
import { DapMessageReader, encodeFrame } from '../../src/dap/dap-message-reader.ts'

function createReader(maxBytes?: number) {
  const seen = { messages: [] as unknown[], noise: '', broken: [] as string[] }
  const reader = new DapMessageReader(
    {
      onMessage: (message) => seen.messages.push(message),
      onNoise: (text) => {
        seen.noise += text
      },
      onBroken: (reason) => seen.broken.push(reason),
    },
    maxBytes,
  )
  return { reader, seen, push: (text: string) => reader.push(Buffer.from(text)) }
}

describe('the reader of messages', () => {
  const text = encodeFrame({ type: 'event', event: 'größe €' }) + encodeFrame({ seq: 2 })

  test('finds messages that arrive together', () => {
    const { push, seen } = createReader()
    push(text)
    expect(seen.messages).toEqual([{ type: 'event', event: 'größe €' }, { seq: 2 }])
    expect(seen.noise).toBe('')
  })

  test('finds messages that arrive byte by byte, also in the middle of a character', () => {
    const { reader, seen } = createReader()
    for (const byte of Buffer.from(text)) reader.push(Buffer.from([byte]))
    expect(seen.messages).toHaveLength(2)
    expect(seen.noise).toBe('')
  })

  test('tells what stands between messages, and goes on', () => {
    const { push, seen } = createReader()
    push('Copyright C\nConten')
    push(`ted${encodeFrame({ seq: 1 })}printed by the program\n${encodeFrame({ seq: 2 })}`)
    expect(seen.messages).toEqual([{ seq: 1 }, { seq: 2 }])
    expect(seen.noise).toBe('Copyright C\nContentedprinted by the program\n')
  })

  test.each([
    ['no json', '{"half'],
    ['an array', '[1]'],
    ['a number', '17'],
  ])('takes a body that is %s for noise', (_, body) => {
    const { push, seen } = createReader()
    push(`Content-Length: ${body.length}\r\n\r\n${body}${encodeFrame({ seq: 3 })}`)
    expect(seen.messages).toEqual([{ seq: 3 }])
    expect(seen.noise).toBe(body)
  })

  test.each([
    ['a length that is no number', 'Content-Length: many\r\n\r\n', /without a length/],
    ['a length beyond the limit', 'Content-Length: 101\r\n\r\n', /101 bytes, more than the 100/],
    ['an endless header', `Content-Length: ${' '.repeat(5000)}`, /header of more than 4096/],
  ])('gives up at %s, once', (_, input, reason) => {
    const { push, seen } = createReader(100)
    push(input)
    push(encodeFrame({ seq: 1 }))
    expect(seen.broken).toHaveLength(1)
    expect(seen.broken[0]).toMatch(reason)
    expect(seen.messages).toEqual([])
  })

  test('holds no more than a line of noise back, however long it goes on', () => {
    const { push, reader, seen } = createReader()
    for (let turn = 0; turn < 1000; turn++) push('x'.repeat(1000))
    push('Content')
    expect(seen.noise).toHaveLength(1_000_000)
    reader.end()
    expect(seen.noise.endsWith('xContent')).toBe(true)
  })
})
