import { describe, expect, test } from 'vitest'
import { WebSocketFrameReader } from '../../src/inspector/websocket-frame-reader.ts'

function read(pieces: readonly Buffer[], largest?: number): string[] {
  const seen: string[] = []
  const reader = new WebSocketFrameReader(
    {
      text: (text) => seen.push(`text ${text}`),
      tooLarge: (beginning) => seen.push(`too large ${beginning}`),
      close: () => seen.push('close'),
      garbage: () => seen.push('garbage'),
    },
    largest,
  )
  for (const piece of pieces) reader.push(piece)
  return seen
}

function frame(text: string, opcode = 1): Buffer {
  const payload = Buffer.from(text)
  if (payload.length < 126) return Buffer.concat([Buffer.from([0x80 | opcode, payload.length]), payload])
  if (payload.length < 65_536) {
    const header = Buffer.from([0x80 | opcode, 126, 0, 0])
    header.writeUInt16BE(payload.length, 2)
    return Buffer.concat([header, payload])
  }
  const header = Buffer.alloc(10)
  header[0] = 0x80 | opcode
  header[1] = 127
  header.writeBigUInt64BE(BigInt(payload.length), 2)
  return Buffer.concat([header, payload])
}

const bytes = (data: Buffer): Buffer[] => [...data].map((byte) => Buffer.from([byte]))

describe('frames of a WebSocket', () => {
  test('are read whole, however they are cut', () => {
    const long = 'ü'.repeat(200)
    const all = Buffer.concat([frame('one'), frame(long), frame(''), frame('x'.repeat(70_000))])
    const expected = ['text one', `text ${long}`, 'text ', `text ${'x'.repeat(70_000)}`]
    expect(read([all])).toEqual(expected)
    expect(read(bytes(all))).toEqual(expected)
  })

  test('that are too large are thrown away but for their beginning; the next is read', () => {
    const data = Buffer.concat([frame(`{"id":7,${'x'.repeat(500)}`), frame('next')])
    for (const pieces of [[data], bytes(data)]) {
      const [first, second] = read(pieces, 300)
      expect(first).toMatch(/^too large \{"id":7,x+$/)
      expect(second).toBe('text next')
    }
  })

  test('of other kinds are passed over, and a closing one ends it', () => {
    expect(read([frame('', 9), frame('', 10), frame('a'), frame('', 8), frame('b')])).toEqual(['text a', 'close'])
  })

  test.each([
    Buffer.from('HTTP/1.1 400\r\n'),
    Buffer.from([0x01, 0x01, 0x61]),
    Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0]),
  ])('are not seen in garbage', (data) => {
    expect(read([data, frame('late')])).toEqual(['garbage'])
  })
})
