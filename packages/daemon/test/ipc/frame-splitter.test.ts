import { describe, expect, it } from 'vitest'
import { FrameSplitter } from '../../src/ipc/frame-splitter.ts'

function take(splitter: FrameSplitter): string[] {
  const frames: string[] = []
  for (let frame = splitter.next(); frame !== undefined; frame = splitter.next()) {
    frames.push(String(frame))
    if (frame === 'oversized') break
  }
  return frames
}

describe('lines', () => {
  it.each([
    { chunks: ['a\nb\n'], frames: ['a', 'b'] },
    { chunks: ['a', 'b', '\n'], frames: ['ab'] },
    { chunks: ['a\r\n', 'b\r', '\n'], frames: ['a', 'b'] },
    { chunks: ['\n\na\n'], frames: ['', '', 'a'] },
    { chunks: ['no end'], frames: [] },
  ])('of $chunks are $frames', ({ chunks, frames }) => {
    const splitter = new FrameSplitter(100)
    const got: string[] = []
    for (const chunk of chunks) {
      splitter.push(Buffer.from(chunk))
      got.push(...take(splitter))
    }
    expect(got).toEqual(frames)
  })

  it('are given out one at a time, and the rest is left as it came', () => {
    const splitter = new FrameSplitter(100)
    splitter.push(Buffer.from('first\nse'))
    splitter.push(Buffer.from('cond\nthird'))
    expect(String(splitter.next())).toBe('first')
    expect(String(splitter.rest())).toBe('second\nthird')
    expect(splitter.next()).toBeUndefined()
  })

  it('that are too long are told as such, with an end or without', () => {
    const open = new FrameSplitter(4)
    open.push(Buffer.from('12345'))
    expect(open.next()).toBe('oversized')
    const closed = new FrameSplitter(4)
    closed.push(Buffer.from('1234\n12345\n'))
    expect(take(closed)).toEqual(['1234', 'oversized'])
  })

  it('of a byte each are put together in linear time', () => {
    const splitter = new FrameSplitter(1 << 20)
    const length = 200_000
    let frame: unknown
    for (let index = 0; index < length; index++) {
      splitter.push(Buffer.from('x'))
      frame = splitter.next()
    }
    expect(frame).toBeUndefined()
    splitter.push(Buffer.from('\n'))
    expect(String(splitter.next()).length).toBe(length)
  })
})
