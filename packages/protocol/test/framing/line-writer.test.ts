import { describe, expect, it } from 'vitest'
import { LineWriter } from '../../src/framing/line-writer.ts'

function createSink() {
  const writes: string[] = []
  return { writes, writer: new LineWriter((text) => void writes.push(text)) }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('LineWriter', () => {
  it('joins the lines of one turn into few writes and keeps their order', async () => {
    const { writer, writes } = createSink()
    for (let index = 0; index < 100; index++) writer.write(`line ${index}`)
    await nextTurn()
    expect(writes.join('')).toBe(Array.from({ length: 100 }, (_, index) => `line ${index}\n`).join(''))
    expect(writes).toHaveLength(14)
  })

  it('lets the other side begin before a burst is over', () => {
    const { writer, writes } = createSink()
    for (let index = 0; index < 10; index++) writer.write(`line ${index}`)
    expect(writes).toHaveLength(2)
  })

  it('joins what promise continuations of the same turn write', async () => {
    const { writer, writes } = createSink()
    await Promise.all([1, 2, 3].map(async (line) => writer.write(String(line))))
    await nextTurn()
    expect(writes).toEqual(['1\n', '2\n3\n'])
  })

  it('writes what comes in a later turn by itself', async () => {
    const { writer, writes } = createSink()
    writer.write('a')
    await nextTurn()
    writer.write('b')
    await nextTurn()
    expect(writes).toEqual(['a\n', 'b\n'])
  })
})
