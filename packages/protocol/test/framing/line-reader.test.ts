import { createSeededRandom } from '@switchboard/testkit'
import { describe, expect, it } from 'vitest'
import { LineReader, type OversizedLine } from '../../src/framing/line-reader.ts'

function createCollector(limit = 1024) {
  const lines: string[] = []
  const oversized: OversizedLine[] = []
  const reader = new LineReader(limit, {
    onLine: (line) => lines.push(line.toString()),
    onOversized: (line) => oversized.push(line),
  })
  return { reader, lines, oversized, push: (text: string) => reader.push(Buffer.from(text)) }
}

describe('LineReader', () => {
  it('reads the same lines however the bytes are cut, in the middle of characters too', () => {
    const random = createSeededRandom(20)
    for (let round = 0; round < 200; round++) {
      const texts = Array.from({ length: 1 + random.below(12) }, () =>
        random.pick(['{"a":1}', 'žluťoučký 🐎', '', 'x'.repeat(random.below(60)), '\u2028kept\u2029', 'tab\there']),
      )
      const bytes = Buffer.from(texts.join(random.pick(['\n', '\r\n'])))
      const { reader, lines } = createCollector()
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + random.below(9)
        reader.push(bytes.subarray(at, at + size))
        at += size
      }
      reader.end()
      expect(lines).toEqual(texts.filter((text) => text !== ''))
    }
  })

  it('passes over a byte order mark before a line, and keeps what begins alike', () => {
    const { reader, lines, push } = createCollector()
    push('\ufeff{"a":1}\n\ufeff{"b":2}\r\n\ufeff\n\ufeff\r\n\uff5ewide\n\ufeff\ufefftwo')
    reader.end()
    expect(lines).toEqual(['{"a":1}', '{"b":2}', '\uff5ewide', '\ufefftwo'])
  })

  it('finds a line over the limit, and the lines around it, however the bytes are cut', () => {
    const random = createSeededRandom(21)
    const long = `{"jsonrpc":"2.0","id":7,"result":"${'y'.repeat(9000)}"}`
    const bytes = Buffer.from(`before\n${long}\nafter\n`)
    for (let round = 0; round < 60; round++) {
      const { reader, lines, oversized } = createCollector(5000)
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + random.below(round % 2 === 0 ? 40 : 6000)
        reader.push(bytes.subarray(at, at + size))
        at += size
      }
      expect(lines).toEqual(['before', 'after'])
      expect(oversized).toEqual([{ bytes: long.length, head: long.slice(0, 4096), tail: long.slice(-4096) }])
    }
  })

  it('takes a carriage return before the newline away, and only there', () => {
    const { push, lines } = createCollector()
    push('one\r\ntw\ro\n\r\nthree\r')
    push('\n')
    expect(lines).toEqual(['one', 'tw\ro', 'three'])
  })

  it('passes over empty lines', () => {
    const { push, lines } = createCollector()
    push('\n\n\r\na\n\n\nb\n')
    expect(lines).toEqual(['a', 'b'])
  })

  it('takes what stands without a newline at the end for a line', () => {
    const { push, reader, lines } = createCollector()
    push('a\nlast words')
    expect(lines).toEqual(['a'])
    reader.end()
    reader.end()
    expect(lines).toEqual(['a', 'last words'])
  })

  it('accepts a line of exactly the limit and refuses one byte more', () => {
    const { push, lines, oversized } = createCollector(10)
    push('0123456789\n01234567890\nok\n')
    expect(lines).toEqual(['0123456789', 'ok'])
    expect(oversized).toEqual([{ bytes: 11, head: '01234567890', tail: '01234567890' }])
  })

  it('reports a line over the limit that ends without a newline', () => {
    const { push, reader, oversized } = createCollector(10)
    push('0123456789abcdef')
    expect(oversized).toEqual([])
    reader.end()
    expect(oversized.map(({ bytes }) => bytes)).toEqual([16])
  })

  it('holds a few kilobytes of an endless line, not the line', () => {
    const { reader, lines, oversized, push } = createCollector(64 * 1024)
    const chunk = Buffer.alloc(16 * 1024, 'z')
    let most = 0
    for (let index = 0; index < 2000; index++) {
      reader.push(chunk)
      most = Math.max(most, reader.pendingBytes)
    }
    expect(most).toBeLessThanOrEqual(64 * 1024)
    expect(reader.pendingBytes).toBe(8192)
    push('\nnext\n')
    expect(oversized.map(({ bytes }) => bytes)).toEqual([2000 * chunk.length])
    expect(lines).toEqual(['next'])
    expect(reader.pendingBytes).toBe(0)
  })

  it('joins a line of very many small chunks once, not at every chunk', () => {
    const { reader, lines, push } = createCollector(1024 * 1024)
    const chunk = Buffer.from('x')
    for (let index = 0; index < 200_000; index++) reader.push(chunk)
    expect(reader.pendingBytes).toBe(200_000)
    push('\n')
    expect(lines.map((line) => line.length)).toEqual([200_000])
  })
})
