/** What becomes of writes when the server, the connection or the peer fails in the middle. */
import type { Worker } from 'node:worker_threads'
import { catchRejection, waitFor } from '@switchboard/testkit'
import { describe, expect, test } from 'vitest'
import type { Space, Store } from '../../src/index.ts'
import { item } from '../contract.ts'
import { FaultyProxy } from './faulty-proxy.ts'
import { isPostgresMissing, usePostgres, whyMissing } from './support.ts'

const LIMITS = { connect: 2_000, statement: 3_000, grace: 500, patience: 20_000 }

/** Writes pairs, several at a time, until it is told to stop; whatever fails ends it. */
async function writePairs(space: Space, isOver: () => boolean): Promise<number[]> {
  const acknowledged: number[] = []
  let next = 0
  const writeOn = async (): Promise<void> => {
    while (!isOver()) {
      const numbers = [next++, next++]
      await space.put(numbers.map((number) => item(`n${number}`, { data: { number }, text: `pair ${number}` })))
      acknowledged.push(...numbers)
    }
  }
  await Promise.all(Array.from({ length: 4 }, writeOn))
  return acknowledged
}

/** Everything that was acknowledged is there, each written once, and no pair is torn. */
async function expectWhole(store: Store, acknowledged: readonly number[]): Promise<void> {
  const space = await store.space('notes')
  const stored = new Map<number, number>()
  for (let offset = 0, total = 1; offset < total; offset += 1_000) {
    const page = await space.list({ scopes: ['here'], limit: 1_000, offset })
    total = page.total
    for (const { data, revision } of page.items) stored.set(Number(data.number), revision)
  }
  expect(acknowledged.filter((number) => stored.get(number) !== 1)).toEqual([])
  expect([...stored.keys()].filter((number) => !stored.has(number ^ 1))).toEqual([])
  expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
}

describe.skipIf(isPostgresMissing)(`the life of a store on PostgreSQL${whyMissing}`, () => {
  const bench = usePostgres()

  async function writeWhile(disturb: (progress: () => number) => Promise<void>): Promise<void> {
    const store = await bench.open({ limits: LIMITS })
    const space = await store.space('notes')
    let isOver = false
    let count = 0
    const writing = writePairs(space, () => {
      count++
      return isOver
    })
    // A failure of the writing ends the wait for its progress too.
    await Promise.race([disturb(() => count), writing])
    isOver = true
    await expectWhole(store, await writing)
  }

  const moreThan = async (progress: () => number, more: number): Promise<void> => {
    const from = progress()
    await waitFor(() => progress() > from + more)
  }

  test('the server is cut off and started again: writing goes on, and everything is there once', async () => {
    await writeWhile(async (progress) => {
      for (let round = 0; round < 3; round++) {
        await moreThan(progress, 20)
        await bench.cluster.stop('immediate')
        await bench.cluster.start()
      }
      await moreThan(progress, 20)
    })
  })

  test('its connections are ended by an administrator again and again, with the same outcome', async () => {
    await writeWhile(async (progress) => {
      for (let round = 0; round < 10; round++) {
        await moreThan(progress, 7)
        await bench.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'switchboard'")
      }
    })
  })

  test('one of its processes is killed, and the server ends all others for it', async () => {
    await writeWhile(async (progress) => {
      await moreThan(progress, 20)
      const [row] = await bench.run("SELECT pid FROM pg_stat_activity WHERE application_name = 'switchboard' LIMIT 1")
      process.kill(Number(row?.pid), 'SIGKILL')
      await moreThan(progress, 40)
    })
  })

  describe('the connection is lost in the moment of the commit', () => {
    const isCommit = (piece: Buffer): boolean => piece.includes('COMMIT\0')

    test.each([
      ['before it reached the server', 'drop'],
      ['after the server has done it', 'pass, and drop the answer'],
    ] as const)('%s: it is done once, and acknowledged', async (_, act) => {
      await using proxy = await FaultyProxy.start(bench.cluster.port)
      const database = await bench.database()
      const store = await bench.open({ url: bench.cluster.url({ database, port: proxy.port }), limits: LIMITS })
      const space = await store.space('notes')
      await space.put([item('a')])
      let failed = 0
      const failNext = (): void => {
        const already = failed
        proxy.decide = (piece) => (isCommit(piece) && failed === already && ++failed > already ? act : 'pass')
      }
      failNext()
      expect(await space.remove(['a'])).toBe(1)
      failNext()
      await space.put([item('b'), item('c')])
      failNext()
      await space.change('b', (now) => ({ ...now, data: { count: 1 } }))
      expect(failed).toBe(3)
      const { items } = await space.list({ scopes: ['here'], limit: 9 })
      expect(items.map(({ id, revision }) => `${id} ${revision}`).sort()).toEqual(['b 2', 'c 1'])
    })

    test('and the server stays away: the write is told as uncertain, and the next one as not stored', async () => {
      await using proxy = await FaultyProxy.start(bench.cluster.port)
      const url = bench.cluster.url({ database: await bench.database(), port: proxy.port })
      const store = await bench.open({ url, limits: { ...LIMITS, patience: 1_000 } })
      const space = await store.space('notes')
      let isGone = false
      proxy.decide = (piece) => {
        if (isGone) return 'drop'
        isGone = isCommit(piece)
        return isGone ? 'pass, and drop the answer' : 'pass'
      }
      expect(await catchRejection(space.put([item('a')]))).toMatchObject({
        code: 'store_uncertain',
        executed: 'unknown',
      })
      expect(await catchRejection(space.put([item('b')]))).toMatchObject({ code: 'store_unavailable', executed: false })
      proxy.decide = () => 'pass'
      await space.put([item('c')])
      const { items } = await space.list({ scopes: ['here'], limit: 9 })
      expect(items.map(({ id }) => id).sort()).toEqual(['a', 'c'])
    })
  })

  test('a peer that falls silent is left in time, and found again', async () => {
    await using proxy = await FaultyProxy.start(bench.cluster.port)
    const url = bench.cluster.url({ database: await bench.database(), port: proxy.port })
    const store = await bench.open({ url, limits: { connect: 500, statement: 500, grace: 200, patience: 1_000 } })
    const space = await store.space('notes')
    await space.put([item('a')])
    proxy.decide = () => 'swallow'
    const asked = [space.get('a'), space.put([item('b')]), store.status()].map(catchRejection)
    for (const error of await Promise.all(asked)) expect(error).toMatchObject({ code: 'store_unavailable' })
    proxy.decide = () => 'pass'
    expect(await space.get('a')).toMatchObject({ id: 'a', revision: 1 })
    await space.put([item('c')])
    expect((await space.list({ scopes: ['here'], limit: 9 })).total).toBe(2)
  })

  test('it is closed in the middle of its work: what was asked for is done, then it ends', async () => {
    const store = await bench.open()
    const space = await store.space('notes')
    const asked = Array.from({ length: 20 }, (_, index) => [space.put([item(`n${index}`)]), space.get('a')]).flat()
    const outcomes = Promise.allSettled(asked)
    await store.close()
    expect((await outcomes).filter(({ status }) => status === 'rejected')).toEqual([])
    expect((await (await (await bench.open()).space('notes')).list({ scopes: ['here'], limit: 1 })).total).toBe(20)
  })

  test('its thread dies: another follows, and what was not acknowledged is told as uncertain', async () => {
    const workers: Worker[] = []
    const remember = (worker: Worker): void => void workers.push(worker)
    process.on('worker', remember)
    const store = await bench.open().finally(() => process.off('worker', remember))
    const space = await store.space('notes')
    await space.put([item('before')])
    const writes = Promise.allSettled(Array.from({ length: 20 }, (_, index) => space.put([item(`n${index}`)])))
    await workers[0]?.terminate()
    const outcomes = await writes
    await space.put([item('after')])
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'store_uncertain' })
      else expect(await space.get(`n${index}`)).toMatchObject({ id: `n${index}` })
    }
    for (const id of ['before', 'after']) expect(await space.get(id)).toMatchObject({ id, revision: 1 })
    expect(await store.check()).toEqual({ problems: [], rebuilt: [] })
    await store.close()
    expect(await catchRejection(space.get('before'))).toMatchObject({ code: 'store_unavailable' })
  })

  test('two stores on one database: each sees what the other wrote, and no change is lost', async () => {
    const stores = await Promise.all([bench.open(), bench.open()])
    const spaces = await Promise.all(stores.map((store) => store.space('notes')))
    const [one, two] = spaces
    await one?.put([item('a', { data: { count: 0 } })])
    const increase = (space: Space) =>
      space.change('a', (now) => ({ ...now, data: { count: Number(now.data.count) + 1 } }))
    await Promise.all(Array.from({ length: 6 }, () => spaces.map(increase)).flat())
    expect(await two?.get('a')).toMatchObject({ data: { count: 12 }, revision: 13 })
    const many = spaces.map((space, of) =>
      Promise.all(
        Array.from({ length: 30 }, (_, index) => space.put([item(`${of}-${index % 20}`), item(`both-${index}`)])),
      ),
    )
    await Promise.all(many)
    expect((await two?.list({ scopes: ['here'], limit: 1 }))?.total).toBe(1 + 2 * 20 + 30)
    expect(await stores[0]?.check()).toEqual({ problems: [], rebuilt: [] })
  })
})
