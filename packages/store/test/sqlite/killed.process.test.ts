/** `kill -9` in the middle of writing: what was acknowledged is there, the rest wholly or not at all. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createSeededRandom, createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { openSqliteStore } from '../../src/index.ts'

const WRITER = fileURLToPath(new URL('../fixtures/write-forever.ts', import.meta.url))
const ROUNDS = 8

test('nothing that was acknowledged is lost, whenever the writer is killed', async () => {
  await using folder = await createTemporaryDirectory()
  const file = folder.file('store.db')
  const random = createSeededRandom(12)
  const acknowledged = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const child = spawn(
      process.execPath,
      ['--conditions=switchboard-source', WRITER, file, String(round * 1_000_000)],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const exited = once(child, 'exit')
    const enough = 2 + random.below(120)
    let count = 0
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.add(Number(line))
      if (++count === enough) child.kill('SIGKILL')
    }
    await exited
  }
  const store = await openSqliteStore({ file })
  try {
    const space = await store.space('notes')
    expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
    const numbers: number[] = []
    for (let offset = 0, total = 1; offset < total; offset += 1_000) {
      const page = await space.list({ scopes: ['here'], limit: 1_000, offset })
      total = page.total
      for (const { data } of page.items) numbers.push(Number(data.number))
    }
    const stored = new Set(numbers)
    expect([...acknowledged].filter((number) => !stored.has(number))).toEqual([])
    // Two were put together: an even number never stands without the odd one.
    expect(numbers.filter((number) => !stored.has(number ^ 1))).toEqual([])
    expect(stored.size).toBe(numbers.length)
  } finally {
    await store.close()
  }
})
