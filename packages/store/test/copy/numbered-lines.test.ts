import { expect, test } from 'vitest'
import { numberedLines } from '../../src/copy/numbered-lines.ts'

async function linesOf(text: string, size: number, limit = 100): Promise<unknown[]> {
  const lines: unknown[] = []
  // One buffer for all pieces, as a reader of files may have it.
  const buffer = Buffer.alloc(size)
  async function* chunks(): AsyncGenerator<Uint8Array> {
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += size) yield buffer.subarray(0, bytes.copy(buffer, 0, at, at + size))
  }
  for await (const line of numberedLines(chunks(), limit)) lines.push(line)
  return lines
}

test.each([1, 2, 3, 100])('lines are whole and numbered, whatever pieces of %i they come in', async (size) => {
  expect(await linesOf('one\n\nzwölf Ω\nlast', size)).toEqual([
    { number: 1, text: 'one' },
    { number: 2, text: '' },
    { number: 3, text: 'zwölf Ω' },
    { number: 4, text: 'last' },
  ])
})

test('a line that is too long is told by its size, and the next one is read', async () => {
  expect(await linesOf(`${'x'.repeat(1_000)}\nshort\n`, 64)).toEqual([
    { number: 1, bytes: 1_000 },
    { number: 2, text: 'short' },
  ])
})

test('nothing has no lines', async () => {
  expect(await linesOf('', 10)).toEqual([])
})
