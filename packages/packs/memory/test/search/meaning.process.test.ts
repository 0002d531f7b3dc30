import { waitFor } from '@switchboard/testkit'
import { expect, test } from 'vitest'
import type { Fault } from '../helpers/encoder-server.ts'
import { openMeaningBench } from '../helpers/meaning-bench.ts'

const idsOf = ({ hits }: { hits: readonly { item: { id: string } }[] }) => hits.map(({ item }) => item.id)

test('what is saved is found by its meaning', async () => {
  await using bench = await openMeaningBench()
  await bench.save('a', 'the automobile crashed')
  await bench.save('b', 'bread with butter')
  await bench.waitUntilEncoded()
  const { hits, note } = await bench.find('car collided')
  expect(hits[0]).toMatchObject({ item: { id: 'a' }, matched: 'meaning', similarity: expect.closeTo(0.63, 1) })
  expect(note).toBeUndefined()
})

const FAULTS: readonly (readonly [string, Fault, string])[] = [
  ['answers 500', { kind: 'status', status: 500 }, 'answered 500'],
  ['wants to be asked later', { kind: 'status', status: 429, headers: { 'retry-after': '1' } }, 'answered 429'],
  ['refuses the key', { kind: 'status', status: 401 }, 'answered 401'],
  ['knows no such model', { kind: 'status', status: 400, body: '{"error":"no such model"}' }, 'no such model'],
  ['answers HTML', { kind: 'body', body: '<html>' }, 'no JSON'],
  ['answers too few', { kind: 'answer', change: () => ({ data: [] }) }, '0 vectors for 1 texts'],
  [
    'answers other lengths',
    { kind: 'answer', change: () => ({ data: [{ embedding: [1, 2] }] }) },
    '2 numbers where there were 64 before',
  ],
  ['cuts the connection', { kind: 'shut' }, 'ECONNRESET'],
  [
    'sends its callers elsewhere',
    { kind: 'status', status: 302, headers: { location: 'http://elsewhere' } },
    'elsewhere',
  ],
]

test.each(FAULTS)(
  'an encoder that %s delays nothing, is told of, and recovers by itself',
  async (_name, fault, told) => {
    await using bench = await openMeaningBench()
    await bench.save('a', 'the automobile crashed')
    await bench.waitUntilEncoded()
    bench.server.fail(fault)
    await bench.save('b', 'a new automobile')
    const found = await bench.find('automobile')
    expect(idsOf(found).sort()).toEqual(['a', 'b'])
    expect(found.note).toContain('Searched by words alone: the encoder ')
    expect(found.note).toContain(told)
    bench.server.fail({ kind: 'none' })
    await bench.waitUntilEncoded()
    await waitFor(async () => (await bench.find('car')).note === undefined)
    expect(idsOf(await bench.find('car')).sort()).toEqual(['a', 'b'])
  },
)

test('an encoder that is down for a while, and comes back, gets everything that was saved meanwhile', async () => {
  await using bench = await openMeaningBench()
  await bench.server.stop()
  for (let number = 0; number < 50; number++) await bench.save(`item ${number}`, `the automobile number ${number}`)
  expect((await bench.find('automobile')).note).toMatch(/cannot be reached \(ECONN/)
  await waitFor(() => bench.meaning.status().problem)
  await bench.server.start()
  await bench.waitUntilEncoded()
  expect((await bench.find('car number')).hits).toMatchObject(new Array(10).fill({ matched: 'both' }))
  expect(bench.meaning.status().problem).toBeUndefined()
})

test('a query waits no longer than is configured, and queries are left alone while they would wait in vain', async () => {
  await using bench = await openMeaningBench({ config: { queryTimeout: '30ms' } })
  await bench.save('a', 'the automobile crashed')
  await bench.waitUntilEncoded()
  bench.server.fail({ kind: 'silent' })
  const asked = bench.server.asked.length
  for (let number = 0; number < 3; number++) {
    expect((await bench.find(`automobile ${number}`)).note).toContain('did not answer within 30 ms')
  }
  // Whoever comes now is not made to wait; how long that lasts is the circuit's.
  const before = bench.server.asked.length - asked
  expect((await bench.find('automobile again')).note).toContain('did not answer within 30 ms')
  expect(before).toBeGreaterThan(0)
  bench.server.fail({ kind: 'none' })
  await waitFor(async () => (await bench.find('car once more')).note === undefined)
})

test('one text that the encoder refuses keeps no other from being encoded', async () => {
  await using bench = await openMeaningBench()
  bench.server.fail({ kind: 'refuses', text: 'poison' })
  await bench.save('bad', 'poison')
  for (let number = 0; number < 20; number++) await bench.save(`item ${number}`, `automobile ${number}`)
  await bench.waitUntilEncoded()
  expect(bench.meaning.status().problem).toBeUndefined()
  expect(await bench.space.vectorsOf(['bad'])).toMatchObject([{ values: new Float32Array(64) }])
  expect(idsOf(await bench.find('poison'))[0]).toBe('bad')
})

test('no secret is sent, neither of what is stored nor of a query', async () => {
  await using bench = await openMeaningBench()
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`.slice(0, 40)
  await bench.save('a', `const token = "${secret}" // of the automobile`)
  await bench.waitUntilEncoded()
  await bench.find(`who has ${secret}`)
  expect(bench.server.texts()).toHaveLength(3)
  expect(bench.server.texts().join()).not.toContain(secret)
})

test('what has no text is never sent', async () => {
  await using bench = await openMeaningBench()
  await bench.save('record', '')
  await bench.save('a', 'the automobile crashed')
  await bench.waitUntilEncoded()
  expect(bench.server.texts()).toEqual(['What is this?', 'the automobile crashed'])
  expect(idsOf(await bench.find('car'))).toEqual(['a'])
})

test('a text that is too long is encoded by its beginning', async () => {
  await using bench = await openMeaningBench()
  bench.server.fail({ kind: 'refuses', text: 'tail' })
  await bench.save('long', `the automobile ${'and so on '.repeat(100)}tail`)
  await bench.waitUntilEncoded()
  expect(bench.server.texts().some((text) => text.startsWith('the automobile') && !text.includes('tail'))).toBe(true)
})

test('nothing is encoded twice: not after a restart, and not in a store that was made anew', async () => {
  await using bench = await openMeaningBench()
  await bench.save('a', 'the automobile crashed')
  await bench.waitUntilEncoded()
  await bench.reopen()
  await bench.find('car')
  await bench.space.remove(['a'])
  await bench.save('b', 'the automobile crashed')
  await bench.waitUntilEncoded()
  expect(bench.server.texts().filter((text) => text.includes('crashed'))).toHaveLength(1)
})

test('another model encodes everything anew while search goes on, and the vectors of the old one go', async () => {
  await using bench = await openMeaningBench()
  await bench.save('a', 'the automobile crashed')
  await bench.waitUntilEncoded()
  bench.server.setDimension(32)
  bench.server.fail({ kind: 'silent' })
  await bench.reopen({ model: 'other', queryTimeout: '30ms' })
  // Nothing has a vector of the new one yet, and the old ones are still there.
  expect(idsOf(await bench.find('automobile'))).toEqual(['a'])
  expect((await bench.space.vectorsOf(['a'])).map(({ model }) => model)).toEqual(['openai:words/64'])
  bench.server.fail({ kind: 'none' })
  await bench.reopen({ model: 'other' })
  await waitFor(async () => (await bench.space.vectorsOf(['a'])).map(({ model }) => model).join() === 'openai:other/32')
  expect((await bench.find('car')).hits[0]).toMatchObject({ item: { id: 'a' }, matched: 'meaning' })
})

test('a server that was given another model under the same name is believed after a while', async () => {
  await using bench = await openMeaningBench()
  await bench.save('a', 'the automobile crashed')
  await bench.waitUntilEncoded()
  bench.server.setDimension(32)
  await bench.save('b', 'another automobile')
  await waitFor(async () => {
    const vectors = await bench.space.vectorsOf(['a', 'b'])
    return vectors.map(({ model }) => model).join() === 'openai:words/32,openai:words/32'
  })
})

test('what is not named in `use` is never sent', async () => {
  await using bench = await openMeaningBench({ config: { use: ['code'] } })
  await bench.save('a', 'the automobile crashed')
  const code = await bench.meaning.space('code')
  await code.put([
    { id: 'c', kind: 'chunk', scope: 'here', text: 'function drive()', tags: [], data: {}, createdAt: 1, updatedAt: 1 },
  ])
  await waitFor(async () => (await code.vectorsOf(['c'])).length === 1)
  expect((await bench.find('car')).hits).toEqual([])
  expect(bench.server.texts().join()).not.toContain('automobile')
})

test('closes while the server is silent', async () => {
  await using bench = await openMeaningBench({ config: { timeout: '1h' } })
  bench.server.fail({ kind: 'silent' })
  await bench.save('a', 'the automobile crashed')
  const query = bench.find('car')
  await waitFor(() => bench.server.asked.length >= 1)
  await bench.meaning.close()
  expect((await query).note).toContain('is being closed')
})

test('counts what it asks for', async () => {
  await using bench = await openMeaningBench()
  await bench.save('a', 'the automobile crashed')
  await bench.waitUntilEncoded()
  await bench.find('car')
  await bench.find('car')
  const metrics = Object.fromEntries(bench.meaning.metrics.collect().map(({ name, samples }) => [name, samples]))
  expect(metrics.switchboard_memory_encoder_cache_hits_total).toContainEqual({ labels: { role: 'query' }, value: 1 })
  expect(metrics.switchboard_memory_encoder_requests_total).toContainEqual({
    labels: { role: 'query', outcome: 'ok' },
    value: 1,
  })
  expect(metrics.switchboard_memory_encoder_open).toEqual([{ value: 0 }])
})

test('what is as far as anything is not found by its meaning, and that is known after a restart', async () => {
  await using bench = await openMeaningBench()
  for (let number = 0; number < 10; number++)
    await bench.save(`item ${number}`, `the automobile number ${number} crashed`)
  await bench.waitUntilEncoded()
  await waitFor(() => bench.meaning.background.isKnown)
  expect(await bench.find('xylophone')).toMatchObject({ hits: [], searched: 10 })
  await bench.reopen()
  expect(await bench.find('xylophone')).toMatchObject({ hits: [], searched: 10 })
  const { hits } = await bench.find('car collided')
  expect(hits).toHaveLength(10)
  expect(hits[0]?.similarity).toBeGreaterThan(0)
  expect(hits[0]?.similarity).toBeLessThan(1)
})
