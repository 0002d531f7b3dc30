/**
 * `kill -9` in the middle of writing: what was acknowledged is there, the rest wholly or not at all.
 * `STORE_KILLS=100` runs it that many times.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createSeededRandom, createTemporaryDirectory } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import { openSqliteStore, type Space, type StoredItem } from '../../src/index.ts'

const WRITER = fileURLToPath(new URL('../fixtures/write-forever.ts', import.meta.url))
const ROUNDS = Number(process.env.STORE_KILLS ?? 8)
const SECONDS_EACH = 15

/** What a writer has told before it was killed. */
interface Told {
  readonly stored: Set<number>
  readonly removed: Set<number>
  /** It was to be removed, and nobody knows whether that was done. */
  readonly unknown: Set<number>
}

async function writeAndKill(
  file: string,
  from: number,
  told: Told,
  random: ReturnType<typeof createSeededRandom>,
): Promise<void> {
  const args = ['--conditions=switchboard-source', WRITER, file, String(from)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  let enough = 1 + random.below(150)
  for await (const line of createInterface({ input: child.stdout })) {
    const number = Number(line.slice(1))
    const set = { '+': told.stored, '-': told.removed, '?': told.unknown }[line.charAt(0)]
    set?.add(number)
    // At any moment: not only when something was just told.
    if (--enough === 0) void delay(random.below(30)).then(() => child.kill('SIGKILL'))
  }
  await exited
}

async function readAll(space: Space): Promise<StoredItem[]> {
  const items: StoredItem[] = []
  for (
    let page = await space.walk(undefined, 1_000);
    page.length > 0;
    page = await space.walk(items.at(-1)?.id, 1_000)
  ) {
    items.push(...page)
  }
  return items
}

test('nothing that was acknowledged is lost, whenever the writer is killed', {
  timeout: ROUNDS * SECONDS_EACH * 1_000,
}, async () => {
  await using folder = await createTemporaryDirectory()
  const file = folder.file('store.db')
  const random = createSeededRandom(12)
  const told: Told = { stored: new Set(), removed: new Set(), unknown: new Set() }
  for (let round = 0; round < ROUNDS; round++) await writeAndKill(file, round * 1_000_000, told, random)
  const store = await openSqliteStore({ file })
  try {
    const space = await store.space('notes')
    expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
    const items = await readAll(space)
    const numbers = items.map(({ data }) => Number(data.number))
    const stored = new Set(numbers)
    expect(told.stored.size).toBeGreaterThan(ROUNDS)
    expect([...told.stored].filter((number) => !stored.has(number) && !told.unknown.has(number))).toEqual([])
    expect([...told.removed].filter((number) => stored.has(number))).toEqual([])
    // Two were put and taken away together: an even number never stands without the odd one.
    expect(numbers.filter((number) => !stored.has(number ^ 1))).toEqual([])
    expect(stored.size).toBe(numbers.length)
    expect((await store.status()).items).toEqual({ notes: numbers.length })
    const vectors = await space.vectorsOf(items.map(({ id }) => id))
    const missing = await space.listWithoutVector('m', numbers.length + 1)
    expect(vectors.length + missing.length).toBe(numbers.length)
    const { hits } = await space.search({ text: `item ${numbers[0]}`, scopes: ['here'], limit: 1 })
    expect(hits).toMatchObject([{ item: { data: { number: numbers[0] } } }])
  } finally {
    await store.close()
  }
})
