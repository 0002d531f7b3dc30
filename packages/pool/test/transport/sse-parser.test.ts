import { describe, expect, it } from 'vitest'
import { type OversizedEvent, type SseEvent, SseParser } from '../../src/transport/sse-parser.ts'

interface Read {
  events: SseEvent[]
  oversized: OversizedEvent[]
  retries: number[]
  parser: SseParser
}

function createReader(maxEventBytes = 1024 * 1024): Read {
  const events: SseEvent[] = []
  const oversized: OversizedEvent[] = []
  const retries: number[] = []
  const parser = new SseParser({
    maxEventBytes,
    onEvent: (event) => events.push(event),
    onOversized: (event) => oversized.push(event),
    onRetry: (ms) => retries.push(ms),
  })
  return { events, oversized, retries, parser }
}

function read(text: string, maxEventBytes?: number): Read {
  const reader = createReader(maxEventBytes)
  reader.parser.push(Buffer.from(text))
  return reader
}

function dataOf(reader: Read): string[] {
  return reader.events.map((event) => event.data)
}

/** A small generator with a seed, so that a failure can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 4294967296
    return state / 4294967296
  }
}

const UGLY =
  '\uFEFFid: 1\r\ndata: {"a":"é€😀"}\r\n\r\n: a comment\revent: ping\rdata: x\r\rretry: 250\n\ndata\ndata:\ndata:  two\n\n' +
  'id: 2\ndata: first\r\ndata: second\rdata:third\n\r\nid\ndata: no id\n\nretry: soon\nunknown: field\ndata: last\nid: 7\n\n'

describe('SseParser', () => {
  it('reads events whose lines end with LF, CRLF or CR', () => {
    expect(dataOf(read('data: a\n\ndata: b\r\n\r\ndata: c\r\rdata: d\n\n'))).toEqual(['a', 'b', 'c', 'd'])
  })

  it('joins data lines with newlines and takes off one space only', () => {
    expect(dataOf(read('data:a\ndata:  b\ndata\n\n'))).toEqual(['a\n b\n'])
  })

  it('reads type, id and retry, and ignores comments and unknown fields', () => {
    const reader = read(
      ': hello\nevent: endpoint\nid: 42\nretry: 1500\nretry: x\nfoo: bar\ndata: /messages\n\ndata: next\n\n',
    )
    expect(reader.events).toEqual([
      { type: 'endpoint', data: '/messages' },
      { type: 'message', data: 'next' },
    ])
    expect(reader.retries).toEqual([1500])
    expect(reader.parser.lastEventId).toBe('42')
  })

  it('counts the id of an event only when the event is complete', () => {
    const reader = read('id: 1\ndata: a\n\nid: 2\ndata: b\n')
    expect(reader.parser.lastEventId).toBe('1')
    reader.parser.push(Buffer.from('\n'))
    expect(reader.parser.lastEventId).toBe('2')
  })

  it('takes an id without data as a place to resume from', () => {
    const reader = read('id: 9\n\n')
    expect(reader.events).toEqual([])
    expect(reader.parser.lastEventId).toBe('9')
  })

  it('ignores an id that holds a null character', () => {
    expect(read('id: a\0b\ndata: x\n\n').parser.lastEventId).toBeUndefined()
  })

  it('reads the same events wherever the stream is cut in two, at every byte', () => {
    const bytes = Buffer.from(UGLY)
    const whole = read(UGLY)
    expect(dataOf(whole)).toEqual(['{"a":"é€😀"}', 'x', '\n\n two', 'first\nsecond\nthird', 'no id', 'last'])
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const reader = createReader()
      reader.parser.push(bytes.subarray(0, cut))
      reader.parser.push(bytes.subarray(cut))
      expect(reader.events, `cut at ${cut}`).toEqual(whole.events)
      expect(reader.retries).toEqual([250])
      expect(reader.parser.lastEventId).toBe('7')
    }
  })

  it('reads the same events from pieces of any size, oversized ones among them', () => {
    const large = `data: {"jsonrpc":"2.0","id":5,"result":"${'x'.repeat(20_000)}"}\n\n`
    const text = `${UGLY}${large}id: 8\ndata: after\n\n${UGLY.slice(1)}`
    const bytes = Buffer.from(text)
    const whole = read(text, 8000)
    expect(whole.oversized).toHaveLength(1)
    for (let seed = 1; seed <= 60; seed += 1) {
      const random = createRandom(seed)
      const most = seed % 3 === 0 ? 3 : seed % 3 === 1 ? 40 : 4000
      const reader = createReader(8000)
      for (let at = 0; at < bytes.length; ) {
        const size = 1 + Math.floor(random() * most)
        reader.parser.push(bytes.subarray(at, at + size))
        at += size
      }
      expect(reader.events, `seed ${seed}`).toEqual(whole.events)
      expect(reader.oversized, `seed ${seed}`).toEqual(whole.oversized)
    }
  })

  it('keeps the two edges of an event over the limit and goes on with the next', () => {
    const body = `{"jsonrpc":"2.0","result":"${'y'.repeat(20_000)}","id":12}`
    const reader = read(`id: 3\ndata: ${body}\nid: 4\n\ndata: next\n\n`, 10_000)
    expect(reader.oversized).toEqual([{ bytes: body.length, head: body.slice(0, 4096), tail: body.slice(-4096) }])
    expect(dataOf(reader)).toEqual(['next'])
    expect(reader.parser.lastEventId).toBe('4')
  })

  it('counts all data lines of an event against the limit', () => {
    const lines = Array.from({ length: 30 }, (_, line) => `data: ${line}${'z'.repeat(98)}`)
    const reader = read(`${lines.join('\n')}\n\ndata: ok\n\n`, 1000)
    expect(reader.oversized[0]?.bytes).toBe(lines.join('\n').length - 30 * 6)
    expect(reader.oversized[0]?.head.startsWith('0zz')).toBe(true)
    expect(reader.oversized[0]?.tail.endsWith('z')).toBe(true)
    expect(dataOf(reader)).toEqual(['ok'])
  })

  it('keeps no data lines without end, empty ones neither', () => {
    const reader = createReader(10_000_000)
    for (let pushed = 0; pushed < 700; pushed++) reader.parser.push(Buffer.from('data:\n'.repeat(1_000)))
    reader.parser.push(Buffer.from('\ndata: next\n\n'))
    expect(reader.oversized).toMatchObject([{ bytes: 699_999 }])
    expect(reader.events).toMatchObject([{ data: 'next' }])
  })

  it('lets an event of exactly the limit through', () => {
    const data = 'd'.repeat(5000)
    const reader = createReader(5000)
    for (const piece of [`data: ${data.slice(0, 2500)}`, data.slice(2500), '\n\n'])
      reader.parser.push(Buffer.from(piece))
    expect(dataOf(reader)).toEqual([data])
    expect(reader.oversized).toEqual([])
  })

  it('throws an endless comment away without losing the event around it', () => {
    const reader = createReader(2000)
    reader.parser.push(Buffer.from('data: kept\n:'))
    for (let i = 0; i < 100; i += 1) reader.parser.push(Buffer.alloc(1000, 'c'))
    reader.parser.push(Buffer.from('\n\n'))
    expect(dataOf(reader)).toEqual(['kept'])
    expect(reader.oversized).toEqual([])
  })

  it('reads an event of 20 MB that comes in small chunks', () => {
    const reader = createReader(64 * 1024 * 1024)
    const chunk = Buffer.alloc(1000, 'b')
    reader.parser.push(Buffer.from('data: '))
    for (let i = 0; i < 20_000; i += 1) reader.parser.push(chunk)
    reader.parser.push(Buffer.from('\n\ndata: small\n\n'))
    expect(reader.events.map((event) => event.data.length)).toEqual([20_000_000, 5])
  })

  it('calls nothing any more once stopped, not even for the rest of the chunk', () => {
    const seen: string[] = []
    const parser: SseParser = new SseParser({
      maxEventBytes: 1000,
      onEvent: ({ data }) => {
        seen.push(data)
        parser.stop()
      },
      onOversized: () => seen.push('oversized'),
    })
    parser.push(Buffer.from('data: 1\n\ndata: 2\n\n'))
    parser.push(Buffer.from('data: 3\n\n'))
    expect(seen).toEqual(['1'])
  })
})
